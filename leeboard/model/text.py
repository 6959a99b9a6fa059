"""What every room does with text: lazy patterns, the one matcher for paths, digests, and how foreign text is shown.

Patterns are compiled when they are first used. Compiling is most of what importing this package would cost, and a hook
process uses a handful of them.
"""

from __future__ import annotations

import re
from _blake2 import blake2b
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "scanner")


class _Lazy:
    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Only reached before the first use: from then on the compiled methods stand on the instance itself."""
        compiled = _compiler[-1](self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


_compiler: list[Callable[[str, int], re.Pattern[str]]] = [re.compile]


def compile_with(compiler: Callable[[str, int], re.Pattern[str]]) -> None:
    """Another way to the same patterns, from here on: for a process that lives too short to compile them."""
    _compiler[-1] = compiler


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, only later."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


def filled(source: str, parts: Mapping[str, str]) -> str:
    """The source with each `{name}` replaced by the part of that name; a part may hold parts that stand before it."""
    for name in reversed([*parts]):
        source = source.replace(f"{{{name}}}", parts[name])
    return source


_PLAIN_WORD = lazy(r"[a-z]+(?:-[a-z]+)*(?=$|,? (?!\())")


def as_sentence(text: str) -> str:
    """With a capital in front where it begins with a word: a path, a name from code and a command stay as they are."""
    return text[0].upper() + text[1:] if _PLAIN_WORD.match(text) else text


# The one matcher for paths: scope, constraints, allowances and contracts all speak it.
#
# Anchored at the repository's root and split on `/`. `*`, `?` and `[...]` match inside one segment (dot files too),
# `**` any number of segments. `dir/` and a bare directory mean everything below it. A leading `./` is dropped, a
# leading `!` takes away what earlier patterns gave. Braces are not special.


def matches(path: str, patterns: Iterable[str]) -> bool:
    """True when the last pattern that speaks of `path` gives it."""
    given = False
    parts = tuple(path.split("/"))
    for pattern in patterns:
        negated = pattern.startswith("!")
        if _matches_one(parts, _segments(pattern[1:] if negated else pattern)):
            given = not negated
    return given


@lru_cache(maxsize=4096)
def _segments(pattern: str) -> tuple[str, ...]:
    while pattern.startswith("./"):
        pattern = pattern[2:]
    if pattern.endswith("/"):
        pattern += "**"
    segments = tuple(part for part in pattern.split("/") if part)
    if segments and not any(mark in segments[-1] for mark in "*?["):
        return (*segments, "**")
    return segments


def _matches_one(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Glob over segments in O(len(path) * len(pattern)): no pattern can make it explode."""
    reachable = {0}
    for part in pattern:
        if part == "**":
            reachable = set(range(min(reachable), len(path) + 1)) if reachable else set()
        else:
            reachable = {at + 1 for at in reachable if at < len(path) and _fits(path[at], part)}
    return len(path) in reachable


def _fits(name: str, part: str) -> bool:
    """A folder may really be called `[id]`."""
    return name == part or fnmatchcase(name, part)


def has_longer_line(text: str, limit: int) -> bool:
    """Whether a line has more characters: from one line end to the last within reach, which is a few steps for most."""
    at = 0
    while len(text) - at > limit:
        end = text.rfind("\n", at, at + limit + 1)
        if end < 0:
            return True
        at = end + 1
    return False


# Texts as values: a short digest for identity (never for secrecy), how foreign text is shown, what was meant.


# hashlib would load OpenSSL, which costs a hook process more than everything it uses a digest for.


def digest(text: str | bytes, size: int = 8) -> str:
    """Hexadecimal, two characters for each of `size` bytes. Lone surrogates are as good as any character."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return blake2b(data, digest_size=size).hexdigest()


def git_id(text: str) -> str:
    """Git's id of a file with this text: whether it is as in a commit. Empty where nobody can tell."""
    if not text or "\r" in text or "\ufffd" in text:
        return ""
    import hashlib  # noqa: PLC0415 - as above: for calls that write only

    data = text.encode("utf-8", "replace")
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


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
    return next(iter(near_names(found, names, alike, most=1)), "")


def near_names(found: str, names: Iterable[str], alike: float = 0.6, *, most: int = 3) -> list[str]:
    """The names that are spelled like it, the nearest first."""
    import difflib  # noqa: PLC0415 - only needed where something is wrong

    return difflib.get_close_matches(found, list(names), n=most, cutoff=alike)


def in_short(found: object) -> str:
    """What was found, short enough for one line."""
    if isinstance(found, (dict, list)):
        return "a table" if isinstance(found, dict) else "a list"
    if isinstance(found, str):
        return repr(found[:40])
    return str(found).lower() if isinstance(found, bool) else str(found)[:40]
