"""What a new file or function is a second version of, and how much of it the first one has already."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.model.symbol import Fingerprint, KnownFunction, Symbol
from leeboard.model.text import lazy
from leeboard.source.counterpart import extends, is_version_of, may_follow, parts_of, stem_of, why_alike
from leeboard.source.duplicate import Neighbourhood, symbol_of
from leeboard.source.likeness import cover, similarity
from leeboard.source.new_code import NewFunction, defines
from leeboard.text.language import language_of
from leeboard.text.likeness import edit_distance
from leeboard.text.words import stem

COVERED = 0.70
"""The share of a new unit that one existing file has, from which on it should have been changed instead."""
_CLOSE = 2
"""Letters by which the names of two files of one folder may differ."""
_LONG = 6


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """`new` repeats `old` to this share; `named` tells that only a suffix sets the names apart."""

    new: Symbol
    old: Symbol
    share: float
    named: bool


def covered_file(path: str, functions: tuple[NewFunction, ...], around: Neighbourhood) -> Cover | None:
    """The file of the same folder that a new file is a second version of, with the share it covers."""
    if around.symbols is None or not functions:
        return None
    best: Cover | None = None
    for other in _beside(path, around):
        known = _live(around.symbols.of_file(other), around)
        if not known:
            continue
        whole = tuple(one.fingerprint for one in known)
        size = sum(function.fingerprint.size for function in functions)
        share = sum(_covered(function.fingerprint, whole) * function.fingerprint.size for function in functions) / size
        found = Cover(new=_file(path), old=_file(other), share=round(share, 4), named=_is_named(path, other))
        best = found if best is None or found.share > best.share else best
    return best


def covered_function(new: NewFunction, around: Neighbourhood) -> Cover | None:
    """The function that a new one is a second version of: its name and a suffix, or its name and more words."""
    best: Cover | None = None
    for known in _namesakes(new, around):
        old = known.symbol
        if why_alike(symbol_of(new), old, new.fingerprint.size):
            continue
        share = round(_covered(new.fingerprint, (known.fingerprint,)), 4)
        found = Cover(new=symbol_of(new), old=old, share=share, named=is_version_of(new.name, old.name))
        best = found if best is None or found.share > best.share else best
    return best if best is not None and around.is_live(best.old) else None


def is_renamed(subject: str, functions: tuple[NewFunction, ...], around: Neighbourhood) -> bool:
    """Whether the second version a finding speaks of has another name now, and still repeats the first."""
    here, _, there = subject.partition("~")
    path, _, old = there.rpartition(":")
    if around.symbols is None or here.rpartition(":")[2] in {function.name for function in functions}:
        return False
    known = [one.fingerprint for one in around.symbols.of_file(path) if one.symbol.name == old]
    return any(_covered(function.fingerprint, (one,)) >= COVERED for function in functions for one in known)


def _covered(part: Fingerprint, whole: tuple[Fingerprint, ...]) -> float:
    """What one function repeats word for word counts whole, however small the rest of it is."""
    return max(cover(part, whole), max((similarity(part, one) for one in whole), default=0.0))


def _namesakes(new: NewFunction, around: Neighbourhood) -> Iterator[KnownFunction]:
    if around.symbols is None or not may_follow(new.name):
        return
    words = [stem(word) for word in parts_of(new.name) if not word.isdigit()]
    here = language_of(new.path)
    named = [symbol for symbol in around.symbols.named(words) if symbol.kind in {"function", "method"}]
    wanted = {
        (symbol.path, symbol.name)
        for symbol in named
        if language_of(symbol.path) == here and _follows(new.name, symbol.name)
    }
    for path in sorted({path for path, _name in wanted}):
        yield from (known for known in around.symbols.of_file(path) if (path, known.symbol.name) in wanted)


def _follows(new: str, old: str) -> bool:
    return is_version_of(new, old) or extends(new, old)


def _beside(path: str, around: Neighbourhood) -> list[str]:
    """Files of the same folder whose names say that this one is another of them."""
    words = [stem(word) for word in parts_of(stem_of(path)) if not word.isdigit()]
    folder, here = posixpath.dirname(path), language_of(path)
    named = around.symbols.named(words) if around.symbols is not None and words else ()
    others = {symbol.path for symbol in named if posixpath.dirname(symbol.path) == folder and symbol.path != path}
    return sorted(other for other in others if language_of(other) == here and _are_named_alike(path, other))


def _is_named(path: str, other: str) -> bool:
    return is_version_of(stem_of(path), stem_of(other))


def _are_named_alike(path: str, other: str) -> bool:
    one, two = stem_of(path), stem_of(other)
    close = min(len(one), len(two)) >= _LONG and edit_distance(one, two) <= _CLOSE
    return _is_named(path, other) or extends(one, two) or close


def _live(known: Iterable[KnownFunction], around: Neighbourhood) -> list[KnownFunction]:
    """Those the file still has: a split moves functions out."""
    found = list(known)
    text = around.files.text(found[0].symbol.path) if found else None
    if text is None:
        return found
    language = language_of(found[0].symbol.path, text)
    return [one for one in found if defines(text, one.symbol.name, language)]


def _file(path: str) -> Symbol:
    return Symbol(name=posixpath.basename(path), kind="file", path=path, line=1)


# Whether a change alters only how code looks: formatting, comments, names, the order of lines. Not what it does.
#
# Two texts are compared as streams of tokens without comments and layout. They are the same work when the streams are
# equal, when one turns into the other by renaming, or when the same lines stand in another order.


LARGEST = 100_000
"""Characters of each side; what is longer is not judged."""

_COMMENT = lazy(r"(?m)^[ \t]*(?:#(?!include|define|if|else|endif|pragma)|//|--[ \t])[^\n]*|[ \t](?:#|//)[ \t][^\n]*")
_BLOCKS = (("/*", "*/"), ('"""', '"""'), ("'''", "'''"))
_TOKEN = lazy(r"[A-Za-z_$][\w$]*|\d[\w.]*|\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'|`[^`\n]{0,400}`|[^\w\s]")
_WORD = lazy(r"[A-Za-z_$][\w$]*\Z")
_LAYOUT = frozenset({",", ";"})


def is_restyling(removed: str, added: str) -> bool:
    """Whether `added` says in another way what `removed` said. What is merely new is no restyling."""
    if len(removed) > LARGEST or len(added) > LARGEST or not removed.strip():
        return False
    before, after = _tokens(removed), _tokens(added)
    if before == after:
        return True
    if not before or not after:
        return False
    return _is_renaming(before, after) or _is_moving(removed, added)


def _tokens(text: str) -> list[str]:
    bare = _COMMENT.sub("", text)
    for opening, closing in _BLOCKS:
        bare = _without(bare, opening, closing)
    return [_unquoted(token) for token in _TOKEN.findall(bare) if token not in _LAYOUT]


def _without(text: str, opening: str, closing: str) -> str:
    """The text without its blocks; one that is not closed is none."""
    kept, at = list[str](), 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return " ".join((*kept, text[at:])) if kept else text


def _unquoted(token: str) -> str:
    return f"'{token[1:-1]}'" if token[0] in "\"'`" and len(token) > 1 else token


def _is_renaming(before: list[str], after: list[str]) -> bool:
    """Each name becomes one other name everywhere, and nothing else differs."""
    if len(before) != len(after):
        return False
    forth: dict[str, str] = {}
    back: dict[str, str] = {}
    for old, new in zip(before, after, strict=True):
        both = _WORD.match(old) and _WORD.match(new)
        if (not both and old != new) or (
            both and (forth.setdefault(old, new) != new or back.setdefault(new, old) != old)
        ):
            return False
    changed = {old for old, new in forth.items() if old != new}
    if not changed or changed & _KEYWORDS or {forth[old] for old in changed} & _KEYWORDS:
        return False
    return changed <= _named_here(before)


def _named_here(tokens: list[str]) -> set[str]:
    """Names that the text itself gives: another name for them changes nothing, another method or field does."""
    pairs = zip(tokens, [*tokens[1:], ""], strict=True)
    return {after if before in _GIVING else before for before, after in pairs if before in _GIVING or after == "="}


_KEYWORDS = frozenset(
    "if else elif for while return break continue not and or in is true false True False None null nil async await try "
    "except catch finally raise throw import from class def function new delete yield with lambda pass".split()
)


_GIVING = frozenset("def class function func fn fun const let var val type struct interface enum".split())


def _is_moving(removed: str, added: str) -> bool:
    """The same lines in another order: sorted imports, a function that was moved."""
    old, new = (
        sorted(line.strip().rstrip(",") for line in text.split("\n") if line.strip()) for text in (removed, added)
    )
    return old == new
