"""Backslash sequences that stand for one character, inside and outside classes."""

from __future__ import annotations

from mtok_export.lowering.regex.errors import RegexSyntaxError

CONTROL_LETTERS = {"n": 0x0A, "t": 0x09, "r": 0x0D, "f": 0x0C, "v": 0x0B, "a": 0x07, "e": 0x1B}
SHORTHAND_LETTERS = frozenset("dDhHsSwW")
_OCTAL = frozenset("01234567")
_HEX = frozenset("0123456789abcdefABCDEF")
_MAX_CODE_POINT = 0x10FFFF
_UTF8_LENGTHS = ((0xC2, 0xE0, 2), (0xE0, 0xF0, 3), (0xF0, 0xF5, 4))


class Cursor:
    """A place in a pattern that moves forward."""

    def __init__(self, pattern: str, at: int = 0) -> None:
        self.pattern = pattern
        self.at = at

    def peek(self, ahead: int = 0) -> str:
        """The character ``ahead`` places on; empty beyond the end."""
        return self.pattern[self.at + ahead : self.at + ahead + 1]

    def next(self) -> str:
        """Take a character; empty at the end."""
        char = self.peek()
        self.at += len(char)
        return char

    def take(self, text: str) -> bool:
        """Take ``text`` if it comes next."""
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def fail(self, message: str) -> RegexSyntaxError:
        """The error for this place."""
        return RegexSyntaxError(message, pattern=self.pattern, position=self.at)

    def digits(self, allowed: frozenset[str], most: int) -> str:
        """Take up to ``most`` characters of ``allowed``."""
        start = self.at
        while self.at - start < most and self.peek() in allowed and self.peek():
            self.at += 1
        return self.pattern[start : self.at]


def escaped_char(cursor: Cursor) -> int | str:
    """Read what follows a backslash, where it stands for a character.

    Args:
        cursor: just after the backslash, at a character that has no other meaning there.

    Returns:
        The code point; or the name of syntax that is valid but not supported.

    Raises:
        RegexSyntaxError: the sequence is cut short or names no character.
    """
    char = cursor.next()
    if not char:
        raise cursor.fail("the pattern ends with a backslash")
    if char in CONTROL_LETTERS:
        return CONTROL_LETTERS[char]
    if char in _OCTAL:
        cursor.at -= 1
        return _byte_or_utf8(cursor, int(cursor.digits(_OCTAL, 3), 8))
    if char == "x":
        return _hexadecimal(cursor)
    if char == "u":
        digits = cursor.digits(_HEX, 4)
        if len(digits) != 4:
            raise cursor.fail("\\u needs four hexadecimal digits")
        return _code_point(int(digits, 16))
    if char == "o" and cursor.peek() == "{":
        return _braced(cursor, _OCTAL, 8)
    if char in "cCM":
        return _control(cursor, char)
    return ord(char)


def _code_point(value: int) -> int | str:
    if value > _MAX_CODE_POINT or 0xD800 <= value <= 0xDFFF:
        return f"the number {value:#x}, which is no Unicode character"
    return value


def _hexadecimal(cursor: Cursor) -> int | str:
    if cursor.peek() == "{" and cursor.peek(1) in _HEX and cursor.peek(1):
        return _braced(cursor, _HEX, 16)
    digits = cursor.digits(_HEX, 2)
    return _byte_or_utf8(cursor, int(digits, 16) if digits else 0)


def _braced(cursor: Cursor, allowed: frozenset[str], base: int) -> int | str:
    cursor.next()
    digits = cursor.digits(allowed, 12)
    if cursor.take("}") and digits:
        return _code_point(int(digits, base))
    if cursor.peek() in (" ", "-") and cursor.pattern.find("}", cursor.at) > 0:
        cursor.at = cursor.pattern.index("}", cursor.at) + 1
        return "a list of code points in braces"
    raise cursor.fail("not a code point in braces")


def _byte_or_utf8(cursor: Cursor, value: int) -> int | str:
    r"""Numbers from 0x80 on are bytes of UTF-8, not code points: ``\xC3\xA9`` is one character."""
    if value < 0x80:
        return value
    if value > 0xFF:
        return f"the octal number {value:o}, which is more than a byte"
    length = next((size for low, end, size in _UTF8_LENGTHS if low <= value < end), 0)
    if not length:
        return f"the byte {value:#04x}, which starts no UTF-8 character"
    encoded = bytearray([value])
    while len(encoded) < length and cursor.take("\\"):
        encoded.append(_following_byte(cursor))
    try:
        return ord(encoded.decode("utf-8"))
    except UnicodeDecodeError:
        raise cursor.fail(f"the byte {value:#04x} starts no UTF-8 character (\\u writes code points)") from None


def _following_byte(cursor: Cursor) -> int:
    base, allowed, most = (16, _HEX, 2) if cursor.take("x") else (8, _OCTAL, 3)
    digits = cursor.digits(allowed, most)
    return min(int(digits, base), 0xFF) if digits else 0


def _control(cursor: Cursor, char: str) -> int | str:
    if char == "c":
        if not cursor.peek():
            raise cursor.fail("the pattern ends at a control character")
    elif not cursor.take("-"):
        if not cursor.peek():
            raise cursor.fail("the pattern ends at a control or meta character")
        return f"the escape \\{char} without a hyphen"
    inner = cursor.next()
    if not inner:
        raise cursor.fail("the pattern ends at a control or meta character")
    if inner == "\\":
        return "an escape inside a control or meta character"
    if char == "M":
        return (ord(inner) & 0xFF) | 0x80
    return 0x7F if inner == "?" else ord(inner) & 0x9F
