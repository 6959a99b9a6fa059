"""Values read where they stand: string literals with their prefixes and conversions, and bare words."""

from __future__ import annotations

import re

import msgspec

from leeboard.model.text import lazy


class LiteralText(msgspec.Struct, frozen=True):
    value: str
    start: int
    quoted: bool
    end: int
    """Behind the closing quote."""


_QUOTED = lazy(
    r"""(?:[bBrRuULlfF@$]{0,2}(?=["'])|\#"?(?="))
    (?: \\"(?P<escaped>[^"\\\r\n]{0,2000})\\" | \\'(?P<escaped_single>[^'\\\r\n]{0,2000})\\'
      | \"""[ ]?(?P<triple>[^"\r\n]{1,2000})\"""
      | "(?P<double>(?:[^"\\\r\n]|\\.){0,2000})" | '(?P<single>(?:[^'\\\r\n]|\\.){0,2000})' )
    | `(?P<tick>[^`\r\n]{0,2000})` | &quot;(?P<entity>[^&\r\n]{0,500})&quot; | \\"(?P<loose>[^"\\\r\n]{0,2000})\\" """,
    re.VERBOSE,
)
_WRAP = lazy(
    r"""(?ix)(?:new[ ]{1,2})?(?:[a-z_][\w.:]{0,40}[.:])?
    (?:b64decode|decode|encode|bytes|bytearray|string|str|secretstr|secret|securestring|buffer|from|fromstring|frombase64string|frombase64|tobytes|
    getbytes|atob|btoa|unhexlify|fromhex|some|of|ofnullable|to_string|ptr|pointer|newsecret|encodeuricomponent|base64|hex|bytestring|text|_|
    sha256|sha1|md5|hash|password|passwordcredential|stringvalue|literal|plain|unquote|from_str|value|just|sensitive|just_value|quote|trim)
    (?:<[\w.]{1,20}>)?[ \t]{0,1}\([ \t]{0,2} | \[\]byte\( | [({\[][ \t]{0,2}(?=["'])"""
)
_DEFAULT = lazy(
    r"""(?ix)[\w.:$]{0,40}(?:env|environ|environ\.get|fetch|config|get|getproperty|option|setting|"
    r"param)\w{0,20}[ ]{0,1}[(\[][ \t]{0,2}["'][\w.\-:]{1,60}["'][ \t]{0,3}
      (?:,[ \t]{0,3}(?:default(?:_value|value)?[ ]{0,2}[=:][ ]{0,2})?|[)\]][ \t]{0,3}(?:\|\||\?\?|or|\?:|:)[ \t]{0,3})
    | (?:process|import\.meta)\.env[\w.$]{0,60}(?:\[["'][\w.\-]{1,60}["']\])?[ \t]{0,3}(?:\|\||\?\?)[ \t]{0,3}
    | [\w.$]{1,60}[ \t]{1,3}(?:\|\||\?\?|or|\?:)[ \t]{1,3}
    | \$\{[A-Za-z_][\w.\-]{0,60}:-?(?=[^}]) | @?["']?\$\{[\w.\-]{1,60}:(?=[^}{$])"""
)
_KEY_OF_TABLE = lazy(r"[ \t]{0,4}(?::(?![:=])|=>)")
_LINE_BREAK = lazy(r"(?:\\[nrt]){1,3}\Z")
_BARE = lazy(r"""[^\s"'`,;&<>(){}\[\]|\\]{3,2000}""")
_BARE_LINE = lazy(r"""[^\s"'`][^\s"'`<>]{2,2000}""")
_BROKEN_LINE = lazy(r"\\n(?=[A-Z\d\-*#\s]|\Z)")
"""As a longer text writes the end of a line."""
_CALLABLE = lazy(r"[A-Za-z_$\\][\w.:$>\-\\]{2,80}\Z")
_GOES_ON = lazy(r"\((?:[^()\r\n]|\([^()\r\n]{0,80}\)){0,200}\)[A-Za-z0-9_@#$^]")
"""`Tr0ub4dor(3)x`: a call ends with its bracket."""
_IN_STRING = lazy(r"""[^\s"'`;&<>\\,){}]{3,500}""")


def quoted_at(text: str, at: int) -> LiteralText | None:
    """The string literal that begins here, prefixes included."""
    match = _QUOTED.match(text, at)
    if match is None or match.lastgroup is None:
        return None
    value = _LINE_BREAK.sub("", match[match.lastgroup])
    return LiteralText(value, match.start(match.lastgroup), quoted=True, end=match.end())


def wrapped_at(text: str, at: int) -> LiteralText | None:
    """A string literal behind at most two conversions (`b64decode("...")`) or behind what it is the default of.

    In front of a colon or an arrow it is a key of the table that opens here, and no value.
    """
    found = quoted_at(text, at)
    if found is not None:
        return found
    lead = _DEFAULT.match(text, at)
    if lead is not None:
        return quoted_at(text, lead.end()) or (bare_at(text, lead.end()) if "${" in lead.group() else None)
    for _layer in range(2):
        lead = _WRAP.match(text, at)
        if lead is None:
            return None
        at = lead.end()
        found = quoted_at(text, at)
        if found is not None:
            return None if lead.group()[0] in "{[(" and _KEY_OF_TABLE.match(text, found.end) else found
    return None


def bare_at(text: str, at: int, *, in_string: bool = False, to_line_end: bool = False) -> LiteralText | None:
    """The word that begins here, without what closes it."""
    match = (_IN_STRING if in_string else _BARE_LINE if to_line_end else _BARE).match(text, at)
    if match is None:
        return None
    called = text[match.end() : match.end() + 1] == "(" and _CALLABLE.match(match.group())
    if called and not _GOES_ON.match(text, match.end()):
        return None  # what is called here, no value
    word = _BROKEN_LINE.split(match.group(), maxsplit=1)[0] if to_line_end else match.group()
    value = word.rstrip(",;" if to_line_end else ",;:.")
    return LiteralText(value, at, quoted=False, end=at + len(value))
