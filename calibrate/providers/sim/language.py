"""Words: folding, a light stemmer for English and Spanish, and which of the two a text is written in."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

__all__ = ["Language", "detect_language", "fold_word", "stem"]

Language = Literal["en", "es", "other"]

# Words that are frequent in one of the languages and are no words of the other.
_TELLTALE: dict[str, Language] = {
    **dict.fromkeys(
        "the of and to is are was for with that this it you your be have has not will can from which by at or an as we"
        " do does they how what when where who our their if on in".split(),
        "en",
    ),
    **dict.fromkeys(
        "el la los las de del que y en es son por para con una un se su al lo como pero esta este puede hay sin "
        "sobre si"
        " mi tu nos cuando donde cual quien muy ya tiene fue ser".split(),
        "es",
    ),
}

_EN_IRREGULAR = {
    "paid": "pay", "sent": "send", "bought": "buy", "got": "get", "gave": "give", "given": "give", "used": "use",
    "using": "use", "made": "make", "took": "take", "taken": "take", "went": "go", "found": "find", "held": "hold",
    "kept": "keep", "left": "leave", "lost": "lose", "met": "meet", "sold": "sell", "told": "tell", "won": "win",
    "wrote": "write", "written": "write", "chose": "choose", "chosen": "choose", "began": "begin", "begun": "begin",
    "broke": "break", "broken": "break", "built": "build", "came": "come", "died": "die", "dying": "die",
    "children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "subscription": "subscrib",
    "subscriptions": "subscrib", "delivery": "deliver", "deliveries": "deliver", "led": "lead", "shut": "shut",
    "grew": "grow", "grown": "grow", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "ran": "run",
    "spoke": "speak", "spoken": "speak", "flew": "fly", "flown": "fly", "drove": "drive", "driven": "drive",
    "ate": "eat", "eaten": "eat", "drank": "drink", "saw": "see", "seen": "see", "knew": "know", "known": "know",
}  # fmt: skip

# Words that would fall together with others.
_EN_FIXED = {"plane": "plane", "planes": "plane", "business": "business", "businesses": "business", "news": "news"}

# (ending, what replaces it, the fewest letters that must stay in front of it)
_EN_ENDINGS = (
    ("izations", "iz", 3), ("ization", "iz", 3), ("isations", "iz", 3), ("isation", "iz", 3), ("fulness", "", 3),
    ("iveness", "", 3), ("ousness", "", 3), ("ations", "", 4), ("ation", "", 4), ("itions", "", 4), ("ition", "", 4),
    ("ements", "", 4), ("ement", "", 4), ("ments", "", 3), ("ment", "", 3), ("nesses", "", 3), ("ness", "", 3),
    ("ability", "", 4), ("ables", "", 4), ("able", "", 4), ("ible", "", 4), ("ances", "", 4), ("ance", "", 4),
    ("ences", "", 4), ("ence", "", 4), ("ized", "iz", 3), ("ised", "iz", 3), ("ize", "iz", 3), ("ise", "iz", 4),
    ("ally", "", 4), ("fully", "", 3), ("ful", "", 3), ("ings", "", 3), ("ing", "", 3), ("ions", "", 4), ("ion", "", 4),
    ("ives", "", 4), ("ive", "", 4), ("ous", "", 4), ("ist", "", 4), ("ity", "", 4), ("ities", "", 4), ("ies", "y", 2),
    ("ied", "y", 2), ("ers", "", 5), ("er", "", 5), ("ors", "", 5), ("or", "", 5), ("ed", "", 3), ("ly", "", 4),
    ("al", "", 5), ("xes", "x", 2), ("ches", "ch", 2), ("shes", "sh", 2), ("sses", "ss", 2), ("s", "", 3), ("e", "", 3),
    ("y", "", 4),
)  # fmt: skip
_ES_ENDINGS = """
    amientos imientos amiento imiento aciones iciones uciones acion icion ucion siones sion ciones cion adores
    adoras adora ador idades idad ables able ibles ible ancias ancia encias encia mente andose iendose ando
    iendo arse erse irse arlo arla erlo erla irlo ieron aron aremos eremos iremos amos emos imos aban aba arian
    aria eria iria aran eran iran ara era ira ados adas ado ada idos idas ido ida ar er ir an en as es os a e o
    s
""".split()
_ES_KEEP = 3
_CLITIC = re.compile(r"(\w{2,}(?:ar|er|ir))(?:me|te|se|nos|os|lo|la|los|las|le|les)$")
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=65536)
def fold_word(word: str) -> str:
    """Lower the case and drop accents: ``"Envío"`` becomes ``"envio"``."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def detect_language(words: list[str]) -> Language:
    """Return the language of folded words by their most frequent function words; ``other`` when neither shows."""
    english = spanish = 0
    for word in words[:600]:
        told = _TELLTALE.get(word)
        if told == "en":
            english += 1
        elif told == "es":
            spanish += 1
    if english == spanish == 0:
        return "other"
    return "en" if english >= spanish else "es"


@lru_cache(maxsize=65536)
def stem(word: str, language: Language) -> str:
    """Return what the forms of one word have in common; words of other languages stay as they are."""
    if language == "en":
        return _stem_english(word)
    if language == "es":
        return _stem_spanish(word)
    return word


def _stem_english(word: str) -> str:
    if word in _EN_FIXED:
        return _EN_FIXED[word]
    word = _EN_IRREGULAR.get(word, word)
    for _ in range(3):
        if len(word) <= 3:
            break
        shorter = _without_english_ending(word)
        if shorter == word:
            break
        word = shorter
    return word


def _without_english_ending(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, replacement, keep in _EN_ENDINGS:
        if word.endswith(ending):
            front = word[: -len(ending)]
            if len(front) < keep or not _VOWEL.search(front) or (ending in ("ive", "ives") and front[-1] not in "ts"):
                continue
            if ending == "y":
                return front
            front += replacement
            doubled = len(front) > 3 and front[-1] == front[-2] and front[-1] not in "aeiosl"
            if ending in ("ing", "ings", "ed", "er", "ers", "ation", "able", "ment") and (
                doubled or (len(front) > 5 and front.endswith("ll"))
            ):
                return front[:-1]
            return front
    return word


def _stem_spanish(word: str) -> str:
    if len(word) <= 3:
        return word
    clitic = _CLITIC.match(word)
    if clitic:
        word = clitic[1]
    for ending in _ES_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _ES_KEEP:
            front = word[: -len(ending)]
            return front[:-1] if len(front) > 4 and front.endswith("i") and ending in ("o", "a", "os", "as") else front
    return word
