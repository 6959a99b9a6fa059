"""What holds a value: the variable, key, option or argument in front of it, never the user name beside it."""

from __future__ import annotations

from leeboard.code.secret.name import promise_of
from leeboard.model.pattern import lazy

_OPENING = r"""[bruf@]?["'`]?(?:\w{1,10}[ \t])?\Z"""
_GIVEN_TO = lazy(r"""(?P<name>[A-Za-z_$][\w$.\-]{0,60})["'\]]{0,2}[ \t]{0,8}(?:=>|:=|=|:|\()[ \t]{0,8}""" + _OPENING)
_PAIRED = lazy(r"""["'](?P<name>[A-Za-z_$][\w$.\-]{0,60})["'][ \t]{0,4},[ \t]{0,8}""" + _OPENING)
_ARGUMENT = lazy(
    r"""(?P<name>[A-Za-z_$][\w$.]{0,60})[ \t]{0,2}(?P<sign>[=:]?)[ \t]{0,2}[(\[]{1,2}(?P<before>[^()\[\]]{1,120})\Z"""
)
_STRING = lazy(r""""[^"]{0,120}"|'[^']{0,120}'""")
_ADDRESS = lazy(r"""[A-Za-z][A-Za-z0-9+.\-]{1,30}://[^\s"'`]{0,120}\Z|(?<=["'`])[\w.\-]{1,60}:\Z""")
_SIGN = lazy(r"[=:,(]")
_NEAR = 30


def holder_of(before: str) -> str:
    """By what stands on the line in front of the value; of a password in an address what the address is given to."""
    address = _ADDRESS.search(before)
    before = before[: address.start()] if address else before
    if not _SIGN.search(before[-_NEAR:]):
        return ""
    given = _GIVEN_TO.search(before)
    if given is not None:
        return given["name"]
    paired = _PAIRED.search(before)
    if paired is not None and promise_of(paired["name"]):
        return paired["name"]
    return _argument(before)


def _argument(before: str) -> str:
    call = _ARGUMENT.search(before)
    if call is None:
        return ""
    place = _STRING.sub("", call["before"]).count(",") + 1
    return call["name"] if call["sign"] else f"argument {place} of {call['name']}()"
