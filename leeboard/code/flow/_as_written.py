"""How a foreign value is spoken of: as it stands in the file, where it can be found there."""

from __future__ import annotations

from leeboard.model.pattern import lazy

_CHAIN = lazy(r"\$?[^\W\d]\w{0,60}(?:(?:\.|->|::|\?\.|&\.)\w{1,60}|\([^()\n]{0,40}\)|\[[^\[\]\n]{0,40}\]){1,12}")
_WORD = lazy(r"\w+")
_KEY = lazy(r"\[[^\[\]]*\]")
_QUOTED_KEY = lazy(r"\['([^'\[\]]+)'\]$")
_DEEPEST = 3
_LONGEST_LINE = 2_000
_LONGEST = 60


def as_written(label: str, line: str) -> str:
    """The piece of the line that the label speaks of: with its key, else without; the label itself where none does."""
    if label.startswith("parameter '") or len(line) > _LONGEST_LINE:
        return label
    chains = sorted(_chains(line), key=len)
    for wanted in (label, _KEY.sub("", label)):
        words = set(_WORD.findall(wanted.removeprefix("request ")))
        for chain in chains:
            if words and words <= set(_WORD.findall(chain)):
                return chain
    key = _QUOTED_KEY.search(label)
    named = [chain for chain in chains if key is not None and " " in label and _holds(chain, key[1])]
    return named[0] if named else label


def _chains(text: str, depth: int = 0) -> list[str]:
    """Those of the text, and those inside their brackets."""
    found: list[str] = []
    for chain in _CHAIN.findall(text):
        found += [chain] if len(chain) <= _LONGEST else []
        inside = chain.partition("(")[2] if depth < _DEEPEST else ""
        found += _chains(inside, depth + 1) if inside else []
    return found


def _holds(chain: str, key: str) -> bool:
    return f'"{key}"' in chain or f"'{key}'" in chain
