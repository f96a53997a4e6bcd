"""Closed classes of words of English and Spanish that tell how a clause is built. Folded: no accents."""

from __future__ import annotations

__all__ = [
    "ALL_OF_THEM",
    "CONJUNCTIONS_OF_NOUNS",
    "DENYING_VERBS",
    "DETERMINERS",
    "HARMLESS_NEGATIONS",
    "NOT_NAMES",
    "POINTING_OPENERS",
    "REFERRING",
    "SCOPE_ENDS",
    "SHORT_REACH",
    "SUBJECTLESS_OPENERS",
    "VERBS",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VERBS = _words(
    """is are was were be cannot has have had can could may might must will would shall should do does did get gets got
    give gives gave come comes cost costs include includes included cover covers allow allows weigh weighs
    measure measures start starts end ends last lasts open opens close closes accept accepts ship ships provide
    provides let lets support supports pay pays take takes arrive arrives require requires carry carries offer
    offers need needs work works contain contains expire expires apply applies won died wrote became made began
    went moved lived published receive receives run runs use uses sell sells make makes go goes es son era fue
    esta estan tiene tienen puede pueden debe deben se hay cuesta cuestan incluye incluyen ofrece ofrecen va van
    necesitan necesita requiere requieren pagan paga abre abren cierra cierran dura duran tarda tardan cubre
    cubren permite permiten pesa mide empieza termina acepta aceptan envia entrega llega llegan vale valen sirve
    funciona funcionan recibe reciben nacio murio gano escribio publico vivio fueron tenia no permanece queda
    quedan admite admiten caduca vence consta dispone disponen lleva"""
)
"""Verbs that commonly follow the subject; what stands in front of the first one is what the clause is about."""

DENYING_VERBS = _words(
    """exclude excludes excluding prohibit prohibits forbid forbids refuse refuses reject rejects decline declines deny
    denies lack lacks ban bans disallow disallows avoid suspend suspends excluye excluyen prohibe prohiben
    rechaza rechazan carece carecen impide impiden deniega suspende suspenden"""
)
"""Verbs that deny what follows them."""

SHORT_REACH = frozenset({"without", "sin", "non"})
"""Negations that reach the next word only."""

HARMLESS_NEGATIONS = frozenset(
    tuple(pair.split("_"))
    for pair in """not_only no_solo no_problem no_matter no_later no_more no_less no_obstante no_hesitate
    no_dude no_dudes     not_hesitate no_mas no_menos not_more not_less sin_embargo sin_problema""".split()
)
"""Phrases with "no" or "not" that deny nothing."""

SCOPE_ENDS = frozenset(
    {
        ",",
        ";",
        ":",
        "(",
        ")",
        "but",
        "pero",
        "sino",
        "unless",
        "except",
        "salvo",
        "excepto",
        "if",
        "si",
        "because",
        "porque",
    }
)
"""Where the reach of a negation ends."""

CONJUNCTIONS_OF_NOUNS = _words("of de del and y the la el los las en a for with con")
"""Function words that may stand inside a subject."""

DETERMINERS = _words("a an the your our its their un una unos unas el la los las su sus tu tus nuestro nuestra")
ALL_OF_THEM = _words("both all every each ambos ambas todos todas cada dos")
REFERRING = _words(
    "it they them its their he she his her both ello ellos ellas su sus dicho dicha ambos ambas mismo misma this "
    "these those that"
)
# Folded, "está" reads like "esta": these refer back only where a verb cannot stand.
POINTING_OPENERS = _words("este esta estos estas ese esa esos esas")
SUBJECTLESS_OPENERS = _words(
    """tambien ademas se incluye incluyen cuesta cuestan tiene tienen puede pueden permite permiten ofrece ofrecen dura
    duran es son fue era nacio murio gano also costs includes comes has can requires"""
)

NOT_NAMES = _words(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december lunes martes miercoles jueves viernes sabado domingo yes no si ok pm am
    id pdf url faq sms vip tv usd eur please note also however gb mb kg km i"""
)
"""Words that are written with a capital without being names."""
