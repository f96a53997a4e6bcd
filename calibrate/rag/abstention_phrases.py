"""What systems say when they abstain, in English and in Spanish.

A phrase is text without accents, capitals or apostrophes (``dont know``). ``(a|b)`` stands for either and ``(a|)`` for
"a or nothing"; ``^`` in front means that the statement begins with it, and ``$`` behind that it ends there. General
words need a subject: the system itself (``i cannot find``, but not "you cannot find it in stores"), or what it was
given (``the documents do not mention``, but not "the warranty document does not cover").
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["DEFAULT_PHRASES"]

_KNOWN_EN = "(any |enough |sufficient |that |this |the |such |specific |)(specific |relevant |)"
_GIVEN_EN = "(provided|given|available|retrieved|supplied|above)"
_SOURCE_EN = (
    "(context|document|documents|source|sources|text|texts|passage|passages|excerpt|excerpts|documentation|information"
    "|material|materials|policy|policies|knowledge base)"
)
_THE_SOURCE_EN = f"(the|this|these|those|my|our|your|any|any of the|{_GIVEN_EN}) ({_GIVEN_EN} |){_SOURCE_EN}"
_NOT_EN = "(do not|dont|does not|doesnt|did not|didnt)"
_SAY_EN = "(mention|say|specify|state|answer|address|tell|indicate|explain|discuss|clarify|list)"
_HOLD_EN = "(contain|include|provide|cover|give|have|offer)"
_SAID_EN = (
    "(mentioned|specified|stated|answered|addressed|indicated|explained|discussed|listed|described|found|available"
    "|given|provided|contained|included|covered)"
)

_ENGLISH = (
    "(i|we) (really |honestly |just |simply |)(do not|dont) know",
    "(i|we) (cannot|can not|cant|could not|couldnt|did not|didnt) (answer|determine)",
    "(i (cannot|can not|cant)|(i|we) (could not|couldnt|did not|didnt|have not|havent)) (find|found)",
    "i (do not|dont|did not|didnt) see (any|anything|that)",
    "i (cannot|can not|cant|could not|couldnt|did not|didnt) (say|tell|locate|see any|help (you |)with)",
    f"(i|we) (currently |)(do not|dont) have (an |){_KNOWN_EN}(information|info|details|data|answer|context)",
    "(i|we) (do not|dont) have access to",
    "(i|we) have no (relevant |specific |)(information|info|details|data|answer|record)",
    "(i|we) found no (relevant |specific |)(information|info|details|data|answer|mention)",
    "(i|we) (cannot|can not|cant|could not|couldnt) (provide|give) (you |)(with |)(an |the |any |that |this |)"
    "(answer|information|info|details|data)",
    "(i am|im|we are) not aware of (any|that|this)",
    "not possible to (answer|determine)",
    "(i am|im|i was|we are|were) (unable|not able) to (answer|find|determine|locate|say|tell|help)",
    "^(unable|not able) to (answer|find|determine|locate)",
    "^(cannot|can not|cant|could not|couldnt|did not|didnt) (answer|find|determine)",
    "^(dont|do not) know",
    f"^(dont|do not) have {_KNOWN_EN}(information|info|details|data|answer)",
    "(cannot|can not|cant|could not|couldnt) be (answered|determined)",
    "(there is|theres|there was|there are) (no mention|no reference|nothing about|nothing on)",
    "(there is|theres|there was|there are|^) no (relevant |specific |further |)(information|info|details|data)"
    " (about|on|regarding|concerning|available|found|was found|is available|provided|is provided|to answer)",
    "(there is|theres|there was|^) (no|not enough|insufficient) (relevant |specific |)(information|data)$",
    "(there is not|there isnt|there are not|there arent|there was not|there wasnt) (any|enough|sufficient) "
    "(specific |relevant |)(information|info|details|data|mention)",
    "no (relevant |)(answer|information|mention|reference) (could be|can be|was|were|is) found",
    "(not enough|insufficient) (information|data|context) to (answer|determine|say|tell)",
    f"no mention of (it|this|that|any) in {_THE_SOURCE_EN}",
    f"nothing in {_THE_SOURCE_EN}",
    f"none of {_THE_SOURCE_EN} (mention|mentions|say|says|specify|state|answer|address|contain|include|cover)",
    f"{_THE_SOURCE_EN} ({_GIVEN_EN} |you provided |i have |){_NOT_EN} "
    f"(seem to |appear to |explicitly |directly |actually |specifically |)({_SAY_EN}|{_HOLD_EN})",
    f"{_THE_SOURCE_EN} ({_GIVEN_EN} |)(contain|contains|have|has|provide|provides|include|includes|make|makes) no "
    "(specific |relevant |)(information|info|details|data|mention|answer|reference)",
    f"{_SOURCE_EN} ({_GIVEN_EN} |i was given |i have |)(say|says) nothing (about|on)",
    f"(not|isnt|arent|wasnt|werent) {_SAID_EN} (anywhere |)(in|by|within) {_THE_SOURCE_EN}",
    "(is not|are not|isnt|arent) mentioned",
    f"(not|isnt|arent) in {_THE_SOURCE_EN}",
    "(that|this|the|such) information (is not|isnt|was not|wasnt) (available|provided|included|given|found)",
    "^(the |)(information|answer) (is |was |)(not found|not available|unavailable)",
    "^(unknown|n/a|not available|not found|no answer)$",
)

_GIVEN_ES = (
    "((proporcionad|facilitad|consultad|aportad|recuperad|suministrad|dad|revisad)(o|a|os|as)|disponible|disponibles)"
)
_SOURCE_ES = (
    "(contexto|contextos|documento|documentos|documentacion|fuente|fuentes|fragmento|fragmentos|texto|textos|pasaje"
    "|pasajes|informacion|material|materiales|condiciones|politica|politicas|base de conocimiento)"
)
_THE_ES = "(el|la|los|las|este|esta|estos|estas|nuestro|nuestra|nuestros|nuestras)"
_NONE_ES = "(ningun|ninguno|ninguna)( de los| de las|)"
_THE_SOURCE_ES = f"({_THE_ES}|{_NONE_ES}) {_SOURCE_ES}"
_SAY_ES = (
    "(menciona|mencionan|dice|dicen|especifica|especifican|indica|indican|responde|responden|aclara|aclaran|detalla"
    "|detallan|precisa|precisan|explica|explican|habla de|hablan de"
    "|(permite|permiten) (responder|contestar|determinar|saber))"
)
_HOLD_ES = "(contiene|contienen|recoge|recogen|incluye|incluyen|cubre|cubren|ofrece|ofrecen|proporciona|proporcionan)"
_KNOWN_ES = (
    "(la |el |esa |ese |esta |este |esos |estos |suficiente |suficientes |ninguna |ningun |mas |)"
    "(informacion|info|dato|datos|detalle|detalles|respuesta)"
)

_SPANISH = (
    "no lo (se|sabemos)",
    "^(yo |)no se$",
    "^(lo siento |)no sabemos",
    "(desconozco|desconocemos)",
    f"no (dispongo|disponemos|se dispone) de {_KNOWN_ES}",
    f"no (tengo|tenemos) (acceso a |){_KNOWN_ES}",
    f"no cuento con {_KNOWN_ES}",
    "no (me |nos |)(consta|constan)",
    "no (tengo|tenemos) constancia",
    "no (hay|existe|existen) (suficiente |suficientes |ninguna |ningun |)(informacion|datos|dato)"
    " (sobre|acerca|al respecto|respecto|relativ(a|o|os)|en|disponible(s|)|suficiente(s|)|para responder)",
    "no (hay|existe) (suficiente |ninguna |)(informacion|datos)$",
    f"no (hay|existe) (nada|ninguna mencion|ninguna referencia) (sobre (eso|ello|esto|ese|este|esa|esta)"
    f"|en {_THE_SOURCE_ES})",
    "^(informacion insuficiente|sin informacion|sin datos|datos insuficientes)",
    "no (encuentro|he encontrado|hemos encontrado|encontre|(he|hemos) podido (encontrar|localizar|hallar))",
    "no se ha encontrado (ninguna |)informacion",
    "no (puedo|podemos|es posible|se puede|sabria) (responder|contestar)",
    "no (puedo|sabria) (decirte|decirle|ayudarte con|ayudarle con|ayudar con|confirmar)",
    "no (puedo|podemos|es posible) (ofrecer|dar|darte|darle|proporcionar) (una |la |)(respuesta|informacion)",
    "no se (menciona|mencionan|especifica|especifican)",
    f"^no se ({_SAY_ES}|{_HOLD_ES}) (en|nada|ese|esa|esto|eso)",
    f"no se ({_SAY_ES}|{_HOLD_ES}) en {_THE_SOURCE_ES}",
    "^no se (indica|indican|detalla|detallan|precisa|precisan|aclara|aclaran)",
    f"no (figura|figuran|aparece|aparecen|esta|estan|viene|vienen|se encuentra|se encuentran) "
    f"(recogid(o|a|os|as) |disponible |(esa|esta|la|dicha) informacion |(ese|este|el|dicho) dato |)en {_THE_SOURCE_ES}",
    f"{_THE_ES} {_SOURCE_ES} ({_GIVEN_ES} |que tengo |)no (lo |la |los |las |nos |me |)({_SAY_ES}|{_HOLD_ES})",
    f"en {_THE_SOURCE_ES} ({_GIVEN_ES} |)no (se |lo |)({_SAY_ES}|{_HOLD_ES}|figura|figuran|aparece|aparecen|hay)",
    f"{_NONE_ES} {_SOURCE_ES} ({_GIVEN_ES} |)(lo |la |)({_SAY_ES}|{_HOLD_ES})",
    "(informacion|respuesta|dato|datos) (solicitad(a|o|os) |)no (esta|estan) (disponible|disponibles)",
    "^(informacion|dato|respuesta) no (disponible|encontrad(a|o))",
    "^(desconocido|no disponible)$",
)

DEFAULT_PHRASES: Mapping[str, tuple[str, ...]] = {"en": _ENGLISH, "es": _SPANISH}
"""What systems say when they abstain, by language. A phrase that folds to everyday words (``no sé`` to ``no se``)
counts only as a whole statement, and what only hedges ("I am not sure") is not in it."""
