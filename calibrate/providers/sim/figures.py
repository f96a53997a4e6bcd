"""Numbers, amounts, dates and times: finding them in a text, and telling whether two of them are the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from calibrate.providers.sim.numerals import NUMBER_WORDS, spell_out_as_digits

__all__ = ["UNIT_WORDS", "Figure", "find_figures", "is_count", "opposite_bounds", "same_figure"]

Kind = Literal[
    "number", "money", "percent", "date", "clock", "minutes", "workdays", "bytes", "grams", "metres", "litres"
]
Bound = Literal["max", "min", ""]

_MONTHS = {
    name: number
    for number, names in enumerate(
        "january enero jan|february febrero feb|march marzo|april abril apr|may mayo|june junio jun|july julio jul|"
        "august agosto aug|september septiembre setiembre sept sep|october octubre oct|november noviembre nov|"
        "december diciembre dec".split("|"),
        start=1,
    )
    for name in names.split()
}
_UNIT_NAMES: tuple[tuple[Kind, float, str], ...] = (
    ("minutes", 1 / 60, "second seconds segundo segundos"),
    ("minutes", 1.0, "minute minutes min mins minuto minutos"),
    ("minutes", 60.0, "hour hours h hs hr hrs hora horas"),
    ("minutes", 1440.0, "day days dia dias night nights noche noches"),
    ("minutes", 10080.0, "week weeks semana semanas"),
    ("minutes", 43200.0, "month months mes meses"),
    ("minutes", 525600.0, "year years ano anos"),
    ("bytes", 1e3, "kb"),
    ("bytes", 1e6, "mb"),
    ("bytes", 1e9, "gb gigas"),
    ("bytes", 1e12, "tb teras"),
    ("grams", 1.0, "g gram grams gramo gramos"),
    ("grams", 1e3, "kg kgs kilo kilos kilogram kilograms kilogramo kilogramos"),
    ("grams", 453.6, "lb lbs"),
    ("metres", 1.0, "m metre metres meter meters metro metros"),
    ("metres", 1e-2, "cm centimetre centimetres centimeter centimeters centimetro centimetros"),
    ("metres", 1e-3, "mm"),
    ("metres", 1e3, "km kms kilometre kilometres kilometer kilometers kilometro kilometros"),
    ("metres", 1609.3, "mile miles milla millas"),
    ("litres", 1.0, "l litre litres liter liters litro litros"),
    ("litres", 1e-3, "ml"),
)
_UNITS: dict[str, tuple[Kind, float]] = {
    name: (kind, factor) for kind, factor, names in _UNIT_NAMES for name in names.split()
}

_CURRENCY_NAMES = {
    "dollar": "$ usd dollar dollars dolar dolares",
    "euro": "€ eur euro euros",
    "pound": "£ gbp pound pounds libra libras",
    "peso": "peso pesos mxn",
    "cent": "cent cents centimo centimos centavo centavos",
}
_CURRENCIES = {name: currency for currency, names in _CURRENCY_NAMES.items() for name in names.split()}

_BUSINESS = frozenset("business working laborable laborables habil habiles".split())
UNIT_WORDS = frozenset(_UNITS) | frozenset(_CURRENCIES) | _BUSINESS
"""Words that belong to a figure, not to the wording."""

_NUMBER = r"\d{1,3}(?:[., ]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_PATTERN = re.compile(
    rf"(?P<iso>\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b)"
    rf"|(?P<slash>\b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b)"
    rf"|\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+|"
    rf"de\s+)?(?P<month>{_MONTH})\b(?:,?\s+(?:del?\s+)?(?P<year>\d{{4}}))?"
    rf"|\b(?P<month2>{_MONTH})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*[:%])(?:,?\s+(?P<year2>\d{{4}}))?"
    rf"|\b(?P<month3>{_MONTH})\s+(?:del?\s+)?(?P<year3>\d{{4}})\b"
    rf"|\b(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d{{2}}))?\s*(?P<half>[ap]\.?\s?m\b\.?)"
    rf"|\b(?P<hour2>\d{{1,2}}):(?P<minute2>\d{{2}})\b"
    rf"|(?P<sign>[$€£])\s?(?P<amount>{_NUMBER})(?P<scale>\s?(?:k|m|million|billion|millones)\b)?"
    rf"|(?<![a-z0-9.,])(?P<low>{_NUMBER})\s?(?:-|–|to|a|and|y|or|o)\s?(?=(?P<high>{_NUMBER})\s?(?:[€$£%]|[a-z]))"
    rf"|(?<![a-z0-9.,])(?P<value>{_NUMBER})(?P<scale2>\s?(?:k|million|billion|millones)\b)?",
)
_AFTER = re.compile(
    r"\s?(?P<percent>%|per\s?cent\b|por\s?ciento\b)|\s?(?P<sign>[€$£])|[\s-]?(?P<one>[a-z]+)(?:[\s-](?P<two>[a-z]+))?"
)
_MAX = re.compile(
    r"(?:\bup to|\bat most|\bmaximum(?: of)?|\bmax|\bno more than|\bless than|\bfewer than|\bunder|\bbelow|"
    r"\bwithin|\bnot exceed(?:ing)?|\bhasta|"
    r"\bcomo maximo|\bmaximo(?: de)?|\bmenos de|\bno mas de|\bno supere?n?|\bantes de|\blimit(?:ed)? (?:of|to)|"
    r"\binferior(?:es)? a|\bdentro de)\W*(?:\w+\W+)?$"
)
_MIN = re.compile(
    r"(?:\bat least|\bminimum(?: of)?|\bmore than|\bover|\babove|\bstarting (?:at|from)|\bfrom|\bexceed(?:s|ing)?|"
    r"\bal menos|\bcomo minimo|\bminimo(?: de)?|"
    r"\bmas de|\ba partir de|\bdesde|\bsuperior(?:es)? a|\bsuperen?|\bno menos de)\W*(?:\w+\W+)?$"
)
_MAX_AFTER = re.compile(r"\W*(?:\w+\W+)?(?:or less|or fewer|at most|maximum|o menos|como maximo|maximo)\b")
_MIN_AFTER = re.compile(
    r"\W*(?:\w+\W+)?(?:or more|and (?:up|over|above)|at least|minimum|o mas|en adelante|como minimo|minimo)\b"
)
_PERIODS = {
    name: names.split()[0]
    for names in (
        "hour hora hourly", "day night dia noche daily diario diaria diarios diarias", "week semana weekly semanal",
        "month mes monthly mensual mensuales", "quarter trimestre quarterly trimestral",
        "year ano yearly annual annually anual anuales",
    )
    for name in names.split()
}  # fmt: skip
_RATE = re.compile(
    r"(?:\s?[€$£%]|\s?[a-z]+){0,2}?\s"
    rf"(?:(?:each|every|per|an?|al?|por|cada) (?:calendar |la )?(?P<per>{'|'.join(_PERIODS)})"
    rf"|(?P<rate>{'|'.join(name for name in _PERIODS if name.endswith(('ly', 'al', 'ales')))}))\b"
)
_CALENDAR = frozenset("calendar natural naturales consecutive full whole additional extra more completos".split())
_UNLIKE_UNITS_TOLERANCE = 0.02
_WEEKS_AS_MONTHS_TOLERANCE = 0.08
_SHORTEST_NOUN = 4


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts.

    Attributes:
        text: as written.
        kind: what sort of figure it is; ``number`` when no unit is known.
        value: in the base unit of its kind (minutes, dollars or euros, bytes...); dates as ``day + 100 * month``.
        unit: the unit as written, or the currency; empty when there is none.
        year: of a date, when given.
        bound: whether it is an upper or a lower bound.
        counts: the plural noun behind a number without a unit.
        per: the period of a rate ("15 euros a month"), in English.
    """

    text: str
    kind: Kind
    value: float
    unit: str = ""
    year: int = 0
    bound: Bound = ""
    counts: str = ""
    per: str = ""


@lru_cache(maxsize=8192)
def find_figures(folded: str) -> tuple[Figure, ...]:
    """Return the figures of a folded clause, in order; number words count in both languages."""
    text = spell_out_as_digits(folded)
    if not any(character.isdigit() for character in text):
        return ()
    found: list[Figure] = []
    lower = ""
    for match in _PATTERN.finditer(text):
        if match["low"]:
            lower = match["low"]
            continue
        figure = _figure(match, text)
        rate = _RATE.match(text[match.end() : match.end() + 40])
        if rate is not None and figure.kind != "date":
            figure = replace(figure, per=_PERIODS[rate["per"] or rate["rate"]])
        if lower:
            # "3 to 5 days": the lower end counts what the upper end counts.
            value = _number(lower) * (_factor(figure) if figure.kind != "money" else 1.0)
            if figure.kind == "date":
                value = _number(lower) + 100 * (figure.value // 100)
            elif figure.kind == "clock":
                value = 60 * value + (720 if match["half"] and figure.value >= 720 and value < 12 else 0)
            found.append(replace(figure, text=f"{lower} {figure.unit}".strip(), value=value))
            lower = ""
        found.append(figure)
    return tuple(dict.fromkeys(_joined(found, text)))


def _joined(found: Sequence[Figure], text: str) -> list[Figure]:
    """Take "two weeks and one day" for one figure."""
    joined: list[Figure] = []
    for figure in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == figure.kind == "minutes"
            and _factor(last) > _factor(figure)
            and re.search(rf"{re.escape(last.text)}s? (?:and |y )?{re.escape(figure.text)}", text)
        ):
            whole = f"{last.text} {figure.text}"
            joined[-1] = replace(figure, text=whole, value=last.value + figure.value, bound=last.bound)
        else:
            joined.append(figure)
    return joined


def same_figure(one: Figure, other: Figure) -> bool:
    """Whether two figures state the same: 30 days and a month, 8 € and 8 euros, 24 hours and one day."""
    if one.kind == other.kind == "date":
        agree = one.value == other.value or (
            0 in (one.value % 100, other.value % 100) and one.value // 100 == other.value // 100
        )
        return agree and (not one.year or not other.year or one.year == other.year)
    if "date" in (one.kind, other.kind):
        date, plain = (one, other) if one.kind == "date" else (other, one)
        return plain.kind == "number" and plain.value in (date.year, date.value % 100)
    if one.kind != other.kind:
        if "number" in (one.kind, other.kind):
            number, measured = (one, other) if one.kind == "number" else (other, one)
            if measured.kind == "clock":
                return number.value * 60 in (measured.value, measured.value - 720)
            if number.text.startswith("0") and number.text.isdigit():
                # "call 010": such a number counts nothing.
                return False
            return not number.unit and not number.counts and number.value == measured.value / _factor(measured)
        return False
    if one.kind == "money":
        return abs(one.value - other.value) < 0.005 and (one.unit == other.unit or not one.unit or not other.unit)
    if one.unit == other.unit or one.kind in ("number", "percent", "clock", "workdays"):
        return abs(one.value - other.value) < 1e-6
    if {one.unit[:2], other.unit[:2]} in ({"ni", "da"}, {"no", "di"}):
        # A 30-night trial is no 30-day return.
        return False
    weeks = {one.unit[:3], other.unit[:3]} in ({"wee", "mon"}, {"sem", "mes"})
    tolerance = _WEEKS_AS_MONTHS_TOLERANCE if weeks else _UNLIKE_UNITS_TOLERANCE
    return abs(one.value - other.value) <= tolerance * max(one.value, other.value)


def is_count(form: str) -> bool:
    """Whether a folded word is a number or a unit: part of a figure, not of the wording."""
    return form[0].isdigit() or form in UNIT_WORDS or form in NUMBER_WORDS


def opposite_bounds(one: Figure, other: Figure) -> bool:
    """Whether one is an upper and the other a lower bound."""
    return {one.bound, other.bound} == {"max", "min"}


def _factor(figure: Figure) -> float:
    return _UNITS[figure.unit][1] if figure.unit in _UNITS else 1.0


def _figure(match: re.Match[str], text: str) -> Figure:
    group = match.groupdict()
    written = match.group()
    if group["iso"]:
        year, month, day = (int(part) for part in written.split("-"))
        return Figure(written, "date", day + 100 * month, year=year)
    if group["slash"]:
        parts = [int(part) for part in written.split("/")]
        if written == "24/7" or parts[1] > 12 < parts[0] or 0 in parts[:2]:
            return Figure(written, "number", parts[0] + parts[1] / 100)
        day, month = (parts[0], parts[1]) if parts[1] <= 12 else (parts[1], parts[0])
        year = parts[2] if len(parts) > 2 else 0
        return Figure(written, "date", day + 100 * month, year=year + 2000 if 0 < year < 100 else year)
    for suffix in ("", "2", "3"):
        if group[f"month{suffix}"]:
            day = int(group.get(f"day{suffix}") or 0)
            year = int(group[f"year{suffix}"] or 0)
            return Figure(written, "date", day + 100 * _MONTHS[group[f"month{suffix}"]], year=year)
    if group["half"] or group["hour2"]:
        hour = int(group["hour"] or group["hour2"])
        minute = int(group["minute"] or group["minute2"] or 0)
        if group["half"]:
            hour = hour % 12 + (12 if group["half"].startswith("p") else 0)
        return Figure(written, "clock", hour * 60 + minute, bound=_bound(match, text, match.end()))
    if group["sign"]:
        value = _number(group["amount"]) * _scale(group["scale"])
        return Figure(written, "money", value, _CURRENCIES[group["sign"]], bound=_bound(match, text, match.end()))
    after = text[match.end() : match.end() + 40]
    return _measured(group["value"], _scale(group["scale2"]), after, match, text, match.end())


def _measured(number: str, scale: float, after: str, match: re.Match[str], text: str, end: int) -> Figure:
    value = _number(number) * scale
    bound = _bound(match, text, end)
    unit = _AFTER.match(after)
    if unit is None:
        return Figure(number, "number", value, bound=bound)
    written = f"{number}{unit.group()}".strip()
    if unit["percent"]:
        return Figure(written, "percent", value, "%", bound=bound)
    if unit["sign"]:
        return Figure(written, "money", value, _CURRENCIES[unit["sign"]], bound=bound)
    one, two = unit["one"] or "", unit["two"] or ""
    if one in _CURRENCIES:
        currency = _CURRENCIES[one]
        if currency == "cent":
            return Figure(written, "money", value / 100, "", bound=bound)
        return Figure(f"{number} {one}", "money", value, currency, bound=bound)
    if one in _BUSINESS or two in _BUSINESS:
        return Figure(written, "workdays", value, "workday", bound=bound)
    known = one if one in _UNITS else two if one in _CALENDAR and two in _UNITS else ""
    if known:
        kind, factor = _UNITS[known]
        return Figure(f"{number} {known}", kind, value * factor, known, bound=bound)
    counts = one if len(one) > _SHORTEST_NOUN and one.endswith("s") else ""
    return Figure(number, "number", value, bound=bound, counts=counts)


def _bound(match: re.Match[str], text: str, end: int) -> Bound:
    before = text[max(0, match.start() - 32) : match.start()]
    after = text[end : end + 40]
    if _MAX.search(before) or _MAX_AFTER.match(after):
        return "max"
    if _MIN.search(before) or _MIN_AFTER.match(after):
        return "min"
    return ""


def _scale(word: str | None) -> float:
    word = (word or "").strip()
    return {"k": 1e3, "m": 1e6, "million": 1e6, "millones": 1e6, "billion": 1e9}.get(word, 1.0)


def _number(written: str) -> float:
    compact = written.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", compact):
        return float(re.sub(r"[.,]", "", compact))
    if compact.count(",") + compact.count(".") > 1:
        decimal = max(compact.rfind(","), compact.rfind("."))
        return float(re.sub(r"[.,]", "", compact[:decimal]) + "." + compact[decimal + 1 :])
    return float(compact.replace(",", "."))
