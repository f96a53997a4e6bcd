"""From bytes to text, or a refusal: never mojibake."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from calibrate.errors import InputError

__all__ = ["Decoded", "decode"]

_C1 = re.compile(rb"[\x80-\x9f]")
_WESTERN = ("iso8859-1", "cp1252")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding it was read with, and what there is to say about that."""

    text: str
    encoding: str
    messages: tuple[str, ...] = ()


def decode(data: bytes, *, source: str, encoding: str | None = None) -> Decoded:
    """Decode a text file: UTF-8 (with or without a byte order mark) unless ``encoding`` says otherwise.

    Latin-1 has control characters where Windows text has quotes, dashes and the euro sign; as in browsers, bytes 0x80
    to 0x9F are then read as Windows-1252. A file that is UTF-8 in spite of a declared Western encoding is read as
    UTF-8.

    Raises:
        InputError: binary data, or bytes that the encoding does not know.
    """
    _refuse_binary(data, source, encoding)
    decoded = _utf8(data, source) if encoding is None else _declared(data, source, encoding)
    if "\0" in decoded.text:
        raise InputError("binary data, not a table", file=source)
    return decoded


def _refuse_binary(data: bytes, source: str, encoding: str | None) -> None:
    if data.startswith(b"PK\x03\x04"):
        raise InputError("a ZIP or Excel file, not text; save the sheet as CSV (UTF-8)", file=source)
    if data.startswith(b"\x1f\x8b"):
        raise InputError("a gzip file; unpack it first", file=source)
    if encoding is None and b"\0" in data:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputError("UTF-16 text; read it with --encoding utf-16", file=source)
        raise InputError("binary data, not a table", file=source)


def _utf8(data: bytes, source: str) -> Decoded:
    marked = data.startswith(codecs.BOM_UTF8)
    try:
        return Decoded(data.decode("utf-8-sig"), "utf-8-sig" if marked else "utf-8")
    except UnicodeDecodeError as error:
        at = error.start + (len(codecs.BOM_UTF8) if marked else 0)
        line = data.count(b"\n", 0, at) + 1
        raise InputError(
            f"not UTF-8 (byte 0x{data[at]:02x} in line {line}); save it as UTF-8, or give its encoding, "
            "such as --encoding latin-1 for Western European text",
            file=source,
        ) from None


def _declared(data: bytes, source: str, encoding: str) -> Decoded:
    try:
        name = codecs.lookup(encoding).name
        if name in _WESTERN:
            return _western(data, name)
        text = data.decode("utf-8-sig" if name == "utf-8" else name)
    except LookupError:
        raise InputError(f"'{encoding}' is not a text encoding that Python knows", field="encoding") from None
    except UnicodeDecodeError as error:
        raise InputError(f"not {encoding} text: {error.reason} at byte {error.start}", file=source) from None
    if name == "utf-8" and data.startswith(codecs.BOM_UTF8):
        name = "utf-8-sig"
    return Decoded(text.removeprefix("\ufeff"), name)


def _western(data: bytes, name: str) -> Decoded:
    if not data.isascii():
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
        else:
            marked = data.startswith(codecs.BOM_UTF8)
            return Decoded(text, "utf-8-sig" if marked else "utf-8", ("the file is UTF-8 and was read as such",))
    if name == "iso8859-1" and _C1.search(data):
        return Decoded(data.decode("cp1252"), "cp1252", ("read as Windows-1252, of which latin-1 is a part",))
    return Decoded(data.decode(name), name)
