"""Whether a change alters only how code looks: formatting, comments, names, the order of lines. Not what it does.

Two texts are compared as streams of tokens without comments and layout. They are the same work when the streams are
equal, when one turns into the other by renaming, or when the same lines stand in another order.
"""

from __future__ import annotations

from leeboard.model.pattern import lazy

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
