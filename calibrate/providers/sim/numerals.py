"""Numbers written in words, in English and Spanish, turned into digits."""

from __future__ import annotations

import re

__all__ = ["NUMBER_WORDS", "number_of", "spell_out_as_digits"]

_NAMES = {
    2: "two dos", 3: "three tres", 4: "four cuatro", 5: "five cinco", 6: "six seis", 7: "seven siete", 8: "eight ocho",
    9: "nine nueve", 10: "ten diez", 11: "eleven once", 12: "twelve doce", 13: "thirteen trece",
    14: "fourteen catorce", 15: "fifteen quince", 16: "sixteen dieciseis", 17: "seventeen diecisiete",
    18: "eighteen dieciocho", 19: "nineteen diecinueve", 20: "twenty veinte", 21: "veintiuno veintiun",
    22: "veintidos", 23: "veintitres", 24: "veinticuatro", 25: "veinticinco", 26: "veintiseis", 27: "veintisiete",
    28: "veintiocho", 29: "veintinueve", 30: "thirty treinta", 40: "forty cuarenta", 50: "fifty cincuenta",
    60: "sixty sesenta", 70: "seventy setenta", 80: "eighty ochenta", 90: "ninety noventa", 100: "hundred cien ciento",
    200: "doscientos doscientas", 300: "trescientos trescientas", 400: "cuatrocientos", 500: "quinientos quinientas",
    600: "seiscientos", 700: "setecientos", 800: "ochocientos", 900: "novecientos", 1000: "thousand mil",
}  # fmt: skip
_SMALL: dict[str, int] = {word: value for value, words in _NAMES.items() for word in words.split()}
_SMALL.update({"one": 1, "uno": 1})
NUMBER_WORDS = frozenset(_SMALL) | frozenset("half quarter medio media cuarto dozen docena fortnight quincena".split())
# "once" is eleven in Spanish and a common word in English; "one" and "uno" are mostly pronouns.
_ALONE_AMBIGUOUS = frozenset({"once", "one", "uno", "hundred", "thousand", "mil"})
_WORD = "|".join(sorted(_SMALL.keys() - {"once"}, key=len, reverse=True))
_AFTER_TENS = "|".join(
    f"(?<={tens})" for tens in "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
)
_DIGIT = "uno?|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
# "thirty and sixty" are two numbers, "a hundred and sixty" and "treinta y cinco" one.
_LINK = rf"[ -]|(?<=hundred)\sand\s|(?<=thousand)\sand\s|(?:{_AFTER_TENS})\sy\s(?=(?:{_DIGIT})\b)"
_RUN = re.compile(rf"\b(?<!por )(?:{_WORD})(?:(?:{_LINK})(?:{_WORD}))*\b")
_UNIT = r"(?:business |working )?(?:day|week|month|year|hour|minute|semana|dia|mes|ano|hora|minuto)s?"
_SINGLE = re.compile(rf"(?<!once )(?<!twice )(?<!times )\b(?:an?|one|una?|uno)\s+(?={_UNIT}\b)")
_ELEVEN = re.compile(r"\bonce\s+(?=(?:dia|semana|mes|ano|hora|minuto|euro)(?:e?s)\b)")
_PER = re.compile(
    r"(?:[€$£%]|\d(?:st|nd|rd|th) of|\d\W+(?:\w+\W+){0,2}|\b(?:euros?|dollars?|dolares|times?|veces|once|twice|vez|"
    r"hours?|horas|per|"
    r"por|al|cost\w*|cuesta\w*|each|cada))\s*$"
)
_FIXED = (
    (
        re.compile(r"\bthree quarters (?=of (?:the |your |its )?(?:price|cost|amount|fee|value|total|bill|pay)\b)"),
        "75% ",
    ),
    (
        re.compile(r"\b(?:a |one )?quarter (?=off\b|of (?:the |your |its )?(?:price|cost|amount|fee|value|total)\b)"),
        "25% ",
    ),
    (re.compile(r"\btres cuartas partes\b"), "75%"),
    (re.compile(r"\b(?:una |la )cuarta parte\b"), "25%"),
    (re.compile(r"\b(?:a )?couple of (?=\w)"), "2 "),
    (re.compile(r"\bun par de (?=\w)"), "2 "),
    (re.compile(r"\bhalf a year\b"), "6 months"),
    (re.compile(r"\bhalf an? (?=(?:litre|liter|kilo|mile|day|month|pound|metre)\b)"), "0.5 "),
    (re.compile(r"\bmedi[oa] (?=(?:litro|kilo|metro|dia|mes)\b)"), "0.5 "),
    (re.compile(r"\bmedio ano\b"), "6 meses"),
    (re.compile(r"\b(?:un )trimestre\b"), "3 meses"),
    (
        re.compile(
            r"\bhalf (?:of )?(?=(?:the |your |its )?(?:price|cost|amount|fee|fare|value|total|refund|deposit)\b)"
        ),
        "50% of ",
    ),
    (re.compile(r"\bla mitad (?=del? )"), "50% "),
    (
        re.compile(
            r"\b24 ?hours (?:a|per) day\b|\b24 horas (?:del|al) dia\b|\blas 24 horas\b|\b24/7\b|\bround the clock\b"
        ),
        "anytime",
    ),
    (re.compile(r"\btwice\b"), "2 times"),
    (re.compile(r"\bthree times\b"), "3 times"),
    (re.compile(r"\b(?:an|one) hour and a half\b|\b(?:una )?hora y media\b"), "90 minutes"),
    (re.compile(r"\bthree quarters of an hour\b|\btres cuartos de hora\b"), "45 minutes"),
    (re.compile(r"\b(?:a )?quarter of an hour\b|\b(?:un )?cuarto de hora\b"), "15 minutes"),
    (re.compile(r"\b(?:a )?year and a half\b|\b(?:un )?ano y medio\b"), "18 months"),
    (re.compile(r"\bhalf an hour\b|\bmedia hora\b"), "30 minutes"),
    (re.compile(r"\b(?:a |one )?fortnight\b"), "14 days"),
    (re.compile(r"\b(?:una )?quincena\b"), "15 dias"),
    (re.compile(r"\b(?:a |one |una )?(?:dozen|docena)\b"), "12"),
    (re.compile(r"\b(?:at )?noon\b|\bmidday\b|(?<!del )\bmediodia\b"), "12:00"),
    (re.compile(r"\bmidnight\b|\bmedianoche\b"), "00:00"),
)
_AND_A_HALF = re.compile(r"(?<=\d) (?:(?:and a|y) half|y medi[oa])(?= [a-z]+s\b)|(?<=\d)(?= [a-z]+s y medi[oa]\b)")
_HALF_BEHIND = re.compile(r"(?<=\d\.5)( [a-z]+s) y medi[oa]\b")
_FIXED_HINT = re.compile(
    r"24|round|twice|half|couple|par de|trimestre|cuarta|mitad|media|medio|cuarto|quarter|fortnight|quincena|dozen|"
    r"docena|noon|mid|medi"
)


def spell_out_as_digits(folded: str) -> str:
    """Replace number words of a folded text by digits: "treinta y cinco días" becomes "35 dias"."""
    text = folded
    if _FIXED_HINT.search(text):
        for pattern, digits in _FIXED:
            text = pattern.sub(digits, text)
    text = _RUN.sub(_digits, _ELEVEN.sub("11 ", text))
    text = _HALF_BEHIND.sub(r"\1", _AND_A_HALF.sub(".5", text))
    return _SINGLE.sub(lambda match: match.group() if _is_rate(match) else "1 ", text)


def number_of(form: str) -> str:
    """Return the digits of a folded number or number word, and an empty text for any other word."""
    if form.isdigit():
        return form
    return str(_SMALL[form]) if form in _SMALL and form not in _ALONE_AMBIGUOUS - {"one"} else ""


def _is_rate(match: re.Match[str]) -> bool:
    # "5 euros a month", "twice a week": the month is what the rate refers to.
    return bool(_PER.search(match.string[max(0, match.start() - 20) : match.start()]))


def _digits(match: re.Match[str]) -> str:
    words = re.findall(_WORD, match.group())
    if len(words) == 1 and words[0] in _ALONE_AMBIGUOUS:
        return match.group()
    total = current = 0
    for word in words:
        value = _SMALL[word]
        if value == 1000:
            total += max(current, 1) * 1000
            current = 0
        elif value == 100 and 0 < current < 100:
            current *= 100
        else:
            current += value
    return str(total + current)
