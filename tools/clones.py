"""How well copies of functions are known again, measured on any folders of source.

`python -m tools.clones FOLDER...` takes the functions of each folder, makes reformatted, renamed, edited
and rewritten variants of them by rule, disguised ones (own names, texts and numbers all changed) and patched ones (the
same with a statement less and another one more), and prints for each level how many are recognised and retrieved, and
how many functions are taken for another one of the same folder. Pairs whose very texts are alike are no false matches:
they are left out and counted.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from leeboard.model.symbol import Fingerprint
from leeboard.source.fingerprint import SAME, candidates_key, fingerprints, of_text, similarity
from leeboard.source.syntax import parse
from leeboard.source.tokens import tokens
from leeboard.text.language import is_generated, is_test_path, language_of
from tools import _clones_python, _clones_tokens

LEVELS = ("reformatted", "renamed", "edited", "rewritten", "disguised", "patched")
SHARED = 2
"""Hashes in common by which a copy is found in an index."""
_COPIED = 0.35
"""The share of runs of three tokens, names and all, from which on two texts are copies of each other already."""
_MOST = 700
_LARGEST = 400_000


class Sampled(msgspec.Struct, frozen=True):
    """A function of the folder."""

    name: str
    text: str
    fingerprint: Fingerprint


class Figures(msgspec.Struct, kw_only=True):
    """Counts by level, and what was taken for something else."""

    functions: int = 0
    made: Counter[str] = msgspec.field(default_factory=Counter)
    recognised: Counter[str] = msgspec.field(default_factory=Counter)
    retrieved: Counter[str] = msgspec.field(default_factory=Counter)
    mistaken: int = 0
    """Functions that are taken for another one at least once."""
    pairs: int = 0
    false_pairs: int = 0
    copies: int = 0
    """Pairs above the line whose texts are alike."""

    def add(self, other: Figures) -> None:
        for field in self.__struct_fields__:
            setattr(self, field, getattr(self, field) + getattr(other, field))


def functions_in(folder: str, most: int = _MOST) -> list[Sampled]:
    """The first functions of a folder worth a fingerprint; tests and generated files are left out."""
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
    return [Sampled(definition.name, definition.node.text(), made) for definition, made in fingerprints(tree)]


def measure(functions: Sequence[Sampled], every: int = 3) -> Figures:
    """Variants of every third function against the function itself, and every function against all others."""
    figures = Figures(functions=len(functions))
    for number, function in enumerate(functions[::every]):
        for level in LEVELS:
            _try(function, level, f"{number}{function.name}", figures)
    _confuse(functions, figures)
    return figures


def variant(function: Sampled, level: str, seed: str) -> str | None:
    language = function.fingerprint.language
    if language == "python":
        return _clones_python.variant(function.text, level, seed)
    return None if language == "ruby" else _clones_tokens.variant(function.text, level, language, seed)


def _try(function: Sampled, level: str, seed: str, figures: Figures) -> None:
    text = variant(function, level, seed)
    if text is None:
        return
    figures.made[level] += 1
    made = of_text(text, function.fingerprint.language)
    if made is None:
        return
    figures.recognised[level] += similarity(function.fingerprint, made) > SAME
    common = set(candidates_key(function.fingerprint)).intersection(candidates_key(made))
    figures.retrieved[level] += len(common) >= SHARED


def _confuse(functions: Sequence[Sampled], figures: Figures) -> None:
    mistaken: set[int] = set()
    runs = [_runs(one) for one in functions]
    for at, one in enumerate(functions):
        for other in range(at + 1, len(functions)):
            figures.pairs += 1
            if similarity(one.fingerprint, functions[other].fingerprint) <= SAME:
                continue
            if _are_copies(one, functions[other], runs[at], runs[other]):
                figures.copies += 1
            else:
                figures.false_pairs += 1
                mistaken.update((at, other))
    figures.mistaken = len(mistaken)


def _runs(function: Sampled) -> Counter[tuple[str, ...]]:
    words = [word for word in tokens(function.text, function.fingerprint.language) if word.strip()]
    return Counter(zip(words, words[1:], words[2:], strict=False))


def _are_copies(one: Sampled, other: Sampled, runs: Counter[tuple[str, ...]], others: Counter[tuple[str, ...]]) -> bool:
    if one.text in other.text or other.text in one.text:
        return True
    both, all_of_them = (runs & others).total(), (runs | others).total()
    return both >= _COPIED * max(1, all_of_them)


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
    shares = ", ".join(
        f"{level} {_percent(figures.recognised[level], figures.made[level])}"
        f" (found {_percent(figures.retrieved[level], figures.made[level])})"
        for level in LEVELS
    )
    mistaken = f"{_percent(figures.mistaken, figures.functions)} of functions"
    pairs = f"{_percent(figures.false_pairs, figures.pairs, 4)} of pairs"
    return f"{figures.functions} functions; {shares}; mistaken {mistaken}, {pairs}; {figures.copies} pairs of copies"


def _percent(part: int, whole: int, digits: int = 1) -> str:
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def main(arguments: Sequence[str]) -> int:
    sys.stdout.write(report(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
