"""How well copies of functions are known again, measured on any folders of source.

`python -m tools.clones FOLDER...` takes the functions of each folder, all of two statements or more, and makes
variants of them by rule: reformatted, renamed (some of the helpers they call as well), edited and rewritten ones,
disguised ones (own names, texts and numbers all changed) and patched ones (the same with a statement less and another
one more). It prints for each level how many are recognised among all functions of the folder, looked up as an index
does it, and how many functions are taken for another one of the same folder. Pairs whose very texts are alike are no
false matches: they are left out and counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from leeboard.model.symbol import Fingerprint
from leeboard.source.duplicate import are_comparable
from leeboard.source.fingerprint import candidates_key, fingerprint, of_text
from leeboard.source.index.extract import SHARED
from leeboard.source.index.symbols import MOST_ALIKE
from leeboard.source.likeness import SAME, similarities
from leeboard.source.statements import body_of, statements
from leeboard.source.syntax import parse
from leeboard.source.tokens import tokens
from leeboard.text.language import is_generated, is_test_path, language_of
from tools import _clones_python, _clones_tokens

LEVELS = ("reformatted", "renamed", "edited", "rewritten", "disguised", "patched")
_COPIED = 0.35
"""The share of runs of three tokens, names and all, from which on two texts are copies of each other already."""
_MOST = 700
_LARGEST = 400_000


class Sampled(msgspec.Struct, frozen=True):
    """A function of the folder."""

    name: str
    text: str
    language: str
    fingerprint: Fingerprint | None
    """None: too small to be known again."""


class Figures(msgspec.Struct, kw_only=True):
    """Counts by level, and what was taken for something else."""

    functions: int = 0
    unknown: int = 0
    """Functions without a fingerprint."""
    made: Counter[str] = msgspec.field(default_factory=Counter)
    recognised: Counter[str] = msgspec.field(default_factory=Counter)
    mistaken: int = 0
    """Functions that are taken for another one at least once."""
    copies: int = 0
    """Pairs above the line whose texts are alike."""

    def add(self, other: Figures) -> None:
        for field in self.__struct_fields__:
            setattr(self, field, getattr(self, field) + getattr(other, field))


class Looked(msgspec.Struct, frozen=True):
    """The functions of a folder by the hashes they are looked up by."""

    functions: Sequence[Sampled]
    places: dict[int, list[int]]

    def alike(self, made: Fingerprint, but: int = -1) -> list[int]:
        """The numbers of those that are taken for the same, as an index and the rules ask for them."""
        shared = Counter([number for key in candidates_key(made) for number in self.places.get(key, ())])
        known = [
            (number, other)
            for number, times in shared.most_common(MOST_ALIKE)
            if times >= SHARED and number != but and (other := self.functions[number].fingerprint) is not None
        ]
        known = [(number, other) for number, other in known if are_comparable(made.size, other.size)]
        likeness = similarities(made, [other for _number, other in known])
        return [number for (number, _other), alike in zip(known, likeness, strict=True) if alike > SAME]


def looked(functions: Sequence[Sampled]) -> Looked:
    places: dict[int, list[int]] = {}
    for number, function in enumerate(functions):
        for key in candidates_key(function.fingerprint) if function.fingerprint is not None else ():
            places.setdefault(key, []).append(number)
    return Looked(functions, places)


def functions_in(folder: str, most: int = _MOST) -> list[Sampled]:
    """The first functions of a folder; tests and generated files are left out."""
    found: list[Sampled] = []
    for path in _sources(folder):
        text = path.read_text(encoding="utf-8", errors="replace")[:_LARGEST]
        inside = path.relative_to(folder).as_posix()
        if is_test_path(inside) or is_generated(inside, text):
            continue
        found.extend(functions_of(text, language_of(path.name, text)))
        if len(found) >= most:
            break
    return found[:most]


def _sources(folder: str) -> list[Path]:
    files = [path for path in Path(folder).rglob("*") if language_of(path.name) and ".d." not in path.name]
    return sorted(path for path in files if path.is_file() and "node_modules" not in path.relative_to(folder).parts)


def functions_of(text: str, language: str) -> list[Sampled]:
    tree = parse(text, language)
    if tree is None:
        return []
    found = ((one, one.node.text()) for one in tree.definitions if one.kind != "class")
    return [
        Sampled(one.name, inside, language, fingerprint(tree, one)) for one, inside in found if _does(inside, language)
    ]


def _does(text: str, language: str) -> bool:
    """Whether it does more than to hand on."""
    return len(list(islice(statements(body_of(text, language), language), 2))) > 1


def measure(functions: Sequence[Sampled], every: int = 3) -> Figures:
    """Variants of every third function among all of them, and every function among all others."""
    figures = Figures(functions=len(functions), unknown=sum(one.fingerprint is None for one in functions))
    known = looked(functions)
    for number in range(0, len(functions), every):
        for level in LEVELS:
            _try(known, number, level, figures)
    _confuse(known, figures)
    return figures


def variant(function: Sampled, level: str, seed: str) -> str | None:
    if function.language == "python":
        return _clones_python.variant(function.text, level, seed)
    if function.language == "ruby":
        return None
    return _clones_tokens.variant(function.text, level, function.language, seed)


def _try(known: Looked, number: int, level: str, figures: Figures) -> None:
    function = known.functions[number]
    text = variant(function, level, f"{number}{function.name}")
    if text is None:
        return
    figures.made[level] += 1
    made = of_text(text, function.language)
    figures.recognised[level] += made is not None and number in known.alike(made)


def _confuse(known: Looked, figures: Figures) -> None:
    functions = known.functions
    for number, one in enumerate(functions):
        alike = known.alike(one.fingerprint, number) if one.fingerprint is not None else []
        others = [other for other in alike if not _are_copies(one, functions[other])]
        figures.copies += len(alike) - len(others)
        figures.mistaken += bool(others)


def _are_copies(one: Sampled, other: Sampled) -> bool:
    if one.text in other.text or other.text in one.text:
        return True
    runs, others = _runs(one), _runs(other)
    return (runs & others).total() >= _COPIED * max(1, (runs | others).total())


def _runs(function: Sampled) -> Counter[tuple[str, ...]]:
    words = [word for word in tokens(function.text, function.language) if word.strip()]
    return Counter(zip(words, words[1:], words[2:], strict=False))


def report(folders: Iterable[str]) -> str:
    """A line for each folder and one for all of them."""
    whole = Figures()
    lines = []
    for folder in folders:
        figures = measure(functions_in(folder))
        whole.add(figures)
        lines.append(f"{folder}: {line(figures)}")
    return "\n".join([*lines, f"all: {line(whole)}", ""])


def line(figures: Figures) -> str:
    shares = ", ".join(f"{level} {_percent(figures.recognised[level], figures.made[level])}" for level in LEVELS)
    unknown, mistaken = (_percent(part, figures.functions, 2) for part in (figures.unknown, figures.mistaken))
    rest = f"without a fingerprint {unknown}, mistaken {mistaken}; {figures.copies} pairs of copies"
    return f"{figures.functions} functions; {shares}; {rest}"


def _percent(part: int, whole: int, digits: int = 1) -> str:
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def main(arguments: Sequence[str]) -> int:
    sys.stdout.write(report(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
