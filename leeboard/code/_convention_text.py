"""What a repository's own instructions demand: "use X, not Y", "do not use Y; use X", "prefer X over Y"."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from leeboard.model.pattern import lazy
from leeboard.model.symbol import Habit

MOST_TEXT = 200_000
_NAMES = frozenset({"agents.md", "claude.md", "gemini.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md"})
_DECISIONS = lazy(
    r"(?:^|/)(?:adrs?|decisions?|architecture[-_]decisions?)/[^/]{1,200}\.(?:md|rst|txt|adoc)$", re.IGNORECASE
)

_THING = r"[`\"'*]{0,3}((?:[@\w][\w.@/\-:+]{0,60}[\w+])|\w)[`\"'*]{0,3}"
_USED_FOR = r"(?:[ \t]+(?:for|in|to|when|as)[ \t][^.;,\n]{1,60})?"
_NO = r"(?:do[ \t]+not|don['’]t|never|avoid)"
_TAKE = r"(?:use|using|import|importing|calling|call|add|adding|reach(?:ing)?[ \t]+for)"
_INSTEAD = (
    lazy(rf"\buse[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:and[ \t]+)?not[ \t]+{_THING}", re.IGNORECASE),
    lazy(
        rf"\buse[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:instead[ \t]+of|rather[ \t]+than|over)[ \t]+{_THING}", re.IGNORECASE
    ),
    lazy(
        rf"\bprefer[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:over|to|instead[ \t]+of|rather[ \t]+than)[ \t]+{_THING}",
        re.IGNORECASE,
    ),
    lazy(rf"\buse[ \t]+{_THING}{_USED_FOR}[;.:,–—-]{{1,2}}[ \t]+{_NO}[ \t]+(?:{_TAKE}[ \t]+)?{_THING}", re.IGNORECASE),
)
_AGAINST = (
    lazy(
        rf"\b{_NO}[ \t]+(?:{_TAKE}[ \t]+){_THING}(?:[ \t]+directly)?{_USED_FOR}[;.:,–—-]{{1,2}}[ \t]+"
        rf"(?:but[ \t]+|instead,?[ \t]+)?"
        rf"(?:always[ \t]+)?(?:use|go[ \t]+through|import|prefer)[ \t]+{_THING}",
        re.IGNORECASE,
    ),
)
_NO_THING = frozenset(
    "the a an it this that them these those any our your one only no new old just raw plain direct custom own both all "
    "more less other another either each every some such same what which its their his her we you i to be is are "
    "typescript javascript python".split()
)


def is_instruction_file(path: str) -> bool:
    return posixpath.basename(path).lower() in _NAMES or bool(_DECISIONS.search(path))


def instructions_in(path: str, text: str) -> Iterator[Habit]:
    found: dict[tuple[str, str], None] = {}
    for line in text[:MOST_TEXT].splitlines():
        short = line[:600]
        for expression in _INSTEAD:
            found.update(dict.fromkeys((match[1], match[2]) for match in expression.finditer(short)))
        for expression in _AGAINST:
            found.update(dict.fromkeys((match[2], match[1]) for match in expression.finditer(short)))
    for usual, other in found:
        if usual.lower() != other.lower() and not {usual.lower(), other.lower()} & _NO_THING:
            yield Habit(role="instruction", usual=usual, others=(other,), where=path)
