"""Texts as values: a short digest for identity (never for secrecy), how foreign text is shown, what was meant."""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable

from leeboard.model.pattern import lazy

# hashlib would load OpenSSL, which costs a hook process more than everything it uses a digest for.


def digest(text: str | bytes, size: int = 8) -> str:
    """Hexadecimal, two characters for each of `size` bytes. Lone surrogates are as good as any character."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return blake2b(data, digest_size=size).hexdigest()


# Text of a repository or a transcript as it is shown: nothing in it drives a terminal or the log of a build.
#
# A terminal obeys control characters and turns text around at some marks of direction. A build server takes a line that
# begins with `::`, and `##[` anywhere, for an order: a file may be named like that, and a message may quote the name.


_ORDER = lazy(r"(?m)^([ \t]*)(?=::)")
_OLD_ORDER = "##["
_LINE_ENDS = {"\n": "\\n", "\r": "\\r"}


def visible(text: str) -> str:
    """Without signs that a terminal obeys or that turn the order of others; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def shown(text: str) -> str:
    """The text, of several lines where it has them, without anything that would be obeyed."""
    text = visible(text)
    if _OLD_ORDER in text:
        text = text.replace(_OLD_ORDER, "#\\#[")
    return _ORDER.sub(r"\1\\", text) if "::" in text else text


def shown_line(text: str) -> str:
    """The same on one line: a name with a line end in it can not begin another."""
    for end, spelled in _LINE_ENDS.items():
        text = text.replace(end, spelled)
    return shown(text)


# How a wrong value is complained of: what was found, and what may have been meant.


def nearest(found: str, names: Iterable[str], alike: float = 0.6) -> str:
    """The name that is spelled most like it; empty where none is alike enough, from 0 for any to 1 for the same."""
    import difflib  # noqa: PLC0415 - only needed where something is wrong

    return next(iter(difflib.get_close_matches(found, list(names), n=1, cutoff=alike)), "")


def in_short(found: object) -> str:
    """What was found, short enough for one line."""
    if isinstance(found, (dict, list)):
        return "a table" if isinstance(found, dict) else "a list"
    if isinstance(found, str):
        return repr(found[:40])
    return str(found).lower() if isinstance(found, bool) else str(found)[:40]
