"""How well copies of functions are known again: on the standard library and on real projects, beside a plain way.

`python -m tools.clones` takes functions by lot, of Python's own library and of the projects that `make field-code` has
fetched; `python -m tools.clones FOLDER...` takes those of these folders. Each is asked for among all functions of its
folder, as an index gives them, in variants made by rule:

- reformatted: other line breaks and blanks, no comments, no documentation;
- renamed: all names of its own and all texts and numbers are other ones as well;
- edited: renamed, one statement dropped and another one inserted;
- re-implemented (Python): renamed and in another flow: loops and comprehensions, `while` and `for`, turned branches,
  early returns, values with names.

Mistaken is a function that is taken for another one of its folder. Pairs that are equal but for names and values are
copies and do not count; in the second figure neither do pairs whose very texts, names and all, are largely the same.
The plain way are runs of five tokens, at two thresholds.
"""

from __future__ import annotations

import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import msgspec

from leeboard.model.symbol import Fingerprint
from leeboard.source.duplicate import are_comparable
from leeboard.source.fingerprint import candidates_key, fingerprint, of_text
from leeboard.source.index.extract import SHARED
from leeboard.source.index.symbols import MOST_ALIKE, MOST_SHARING
from leeboard.source.likeness import SAME, similarities
from leeboard.source.statements import body_of, statements
from leeboard.source.syntax import parse
from leeboard.text.language import is_generated, is_test_path, language_of
from tools import _clones_python, _clones_tokens
from tools._clones_peer import Peer, normal
from tools.field_code import LABELS, SETS, load_projects

LEVELS = ("reformatted", "renamed", "edited", "re-implemented")
THRESHOLDS = (0.6, 0.3)
LEAST = (2, 6)
"""Statements from which on a function is asked for; every row is printed for both."""
_GROUPS = {"python": "Python", "javascript": "JavaScript", "typescript": "JavaScript", "tsx": "JavaScript", "go": "Go"}
_GROUPS |= {"java": "Java"}
_COPIED = 0.35
"""The share of runs of three tokens, names and all, from which on two texts are copies of each other already."""
_PER_FOLDER, _PER_GROUP, _ASKED = 600, 6, 300
_FEWEST, _LARGEST = 100, 200_000
_LEFT_OUT = {"node_modules", "test", "tests", "site-packages", "dist-packages", "lib2to3"}


class Sampled(msgspec.Struct, frozen=True):
    """A function of a folder."""

    name: str
    text: str
    language: str
    statements: int
    fingerprint: Fingerprint | None
    """None: too small to be known again."""


class Figures(msgspec.Struct, kw_only=True):
    """Counts by level, and what was taken for something else."""

    functions: int = 0
    unknown: int = 0
    """Functions without a fingerprint."""
    made: Counter[str] = msgspec.field(default_factory=Counter)
    recognised: Counter[str] = msgspec.field(default_factory=Counter)
    asked: int = 0
    mistaken: int = 0
    misread: int = 0
    """Mistaken for one whose text is another one as well."""


Table = dict[tuple[str, str, int], Figures]
"""By group, way and the least number of statements."""


class Looked:
    """The functions of a folder by the hashes they are looked up by."""

    def __init__(self, functions: Sequence[Sampled]) -> None:
        self.functions = functions
        self._places: dict[int, list[int]] = {}
        for number, function in enumerate(functions):
            for key in candidates_key(function.fingerprint) if function.fingerprint is not None else ():
                self._places.setdefault(key, []).append(number)

    def candidates(self, made: Fingerprint, but: int = -1) -> list[tuple[int, Fingerprint]]:
        """What an index gives."""
        places = (self._places.get(key, ()) for key in candidates_key(made))
        shared = Counter([number for found in places if len(found) <= MOST_SHARING for number in found])
        return [
            (number, other)
            for number, times in shared.most_common(MOST_ALIKE)
            if times >= SHARED and number != but and (other := self.functions[number].fingerprint) is not None
        ]

    def alike(self, made: Fingerprint, but: int = -1) -> list[int]:
        """The numbers of those that are taken for the same, as the rules ask for them."""
        known = [one for one in self.candidates(made, but) if are_comparable(made.size, one[1].size)]
        likeness = similarities(made, [other for _number, other in known])
        return [number for (number, _other), alike in zip(known, likeness, strict=True) if alike > SAME]


def functions_in(folder: str, most: int = _PER_FOLDER) -> list[Sampled]:
    """Functions of a folder, of files drawn by lot; tests and generated files are left out."""
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
    files = [path for path in Path(folder).rglob("*") if language_of(path.name) in _GROUPS and ".d." not in path.name]
    inside = [path for path in files if path.is_file() and not _LEFT_OUT & {*path.parts}]
    return sorted(inside, key=lambda path: crc32(path.relative_to(folder).as_posix().encode()))


def functions_of(text: str, language: str) -> list[Sampled]:
    tree = parse(text, language)
    if tree is None:
        return []
    found = ((one, one.node.text()) for one in tree.definitions if one.kind != "class")
    sampled = [
        Sampled(one.name, inside, language, _size(inside, language), fingerprint(tree, one)) for one, inside in found
    ]
    return [one for one in sampled if one.statements >= min(LEAST)]


def _size(text: str, language: str) -> int:
    if language == "python":
        return _clones_python.statements_in(text)
    return len(list(statements(body_of(text, language), language)))


def measure(functions: Sequence[Sampled], group: str, table: Table, asked: int = _ASKED) -> None:
    """Variants of some functions drawn by lot among all of them, and these among all others."""
    known, peer = Looked(functions), Peer([(one.text, one.language) for one in functions])
    drawn = sorted(range(len(functions)), key=lambda number: crc32(f"{number}{functions[number].name}".encode()))[
        :asked
    ]
    for number in drawn:
        function = functions[number]
        rows = [least for least in LEAST if function.statements >= least]
        for level in LEVELS:
            text = variant(function, level, f"{number}{function.name}")
            if text is not None:
                _count(table, group, rows, level, dict(_recognised(known, peer, number, text)))
        _confuse(known, peer, number, group, rows, table)


def variant(function: Sampled, level: str, seed: str) -> str | None:
    if function.language == "python":
        return _clones_python.variant(function.text, level, seed)
    return _clones_tokens.variant(function.text, level, function.language, seed)


def _recognised(known: Looked, peer: Peer, number: int, text: str) -> Iterator[tuple[str, bool]]:
    language = known.functions[number].language
    made = of_text(text, language)
    yield "ours", made is not None and number in known.alike(made)
    shared = peer.share(number, text, language)
    for threshold in THRESHOLDS:
        yield f"runs {threshold}", shared >= threshold


def _count(table: Table, group: str, rows: Iterable[int], level: str, ways: dict[str, bool]) -> None:
    for least in rows:
        for way, is_known in ways.items():
            figures = table.setdefault((group, way, least), Figures())
            figures.made[level] += 1
            figures.recognised[level] += is_known


def _confuse(known: Looked, peer: Peer, number: int, group: str, rows: Iterable[int], table: Table) -> None:
    one = known.functions[number]
    shares = peer.shares(one.text, one.language, number)
    taken = {"ours": known.alike(one.fingerprint, number) if one.fingerprint is not None else []}
    taken |= {f"runs {least}": [other for other, share in shares.items() if share >= least] for least in THRESHOLDS}
    for way, others in taken.items():
        wrong = [known.functions[other] for other in others if not are_equal(one, known.functions[other])]
        misread = any(not _are_alike(one, other) for other in wrong)
        for least in rows:
            figures = table.setdefault((group, way, least), Figures())
            figures.asked += 1
            figures.unknown += way == "ours" and one.fingerprint is None
            figures.mistaken += bool(wrong)
            figures.misread += misread


def are_equal(one: Sampled, other: Sampled) -> bool:
    """Whether two are the same but for names and values, or one is a part of the other."""
    if one.text in other.text or other.text in one.text:
        return True
    return normal(one.text, one.language) == normal(other.text, other.language)


def _are_alike(one: Sampled, other: Sampled) -> bool:
    runs, others = _runs(one), _runs(other)
    return (runs & others).total() >= _COPIED * max(1, (runs | others).total())


def _runs(function: Sampled) -> Counter[tuple[str, ...]]:
    text = _clones_python.variant(function.text, "reformatted", "") if function.language == "python" else None
    words = [word for word in _clones_tokens.TOKEN.findall(text or function.text) if word.strip() and word[:2] != "//"]
    return Counter(zip(words, words[1:], words[2:], strict=False))


def field(half: int | None = None) -> Iterator[tuple[str, list[Sampled]]]:
    """Functions of pinned projects of each language, by lot. `half` is 0 for those to learn from, 1 for the others."""
    pinned = [project for name in SETS for project in load_projects(LABELS / f"{name}.toml")]
    chosen: Counter[str] = Counter()
    for project in sorted(pinned, key=lambda one: crc32(one.name.encode())):
        group = _GROUPS.get(project.language, "")
        is_wanted = group and chosen[group] < _PER_GROUP and project.folder.is_dir()
        if is_wanted and half in (None, crc32(project.name.encode(), 1) % 2):
            functions = functions_in(str(project.folder))
            if len(functions) >= _FEWEST:
                chosen[group] += 1
                sys.stderr.write(f"{group}: {project.name} {project.version}\n")
                yield group, functions


def library() -> str:
    return sysconfig.get_paths()["stdlib"]


def report(table: Table) -> str:
    """A line for each group, way and size."""
    head = ("functions", "from", "way", "asked", *LEVELS, "mistaken", "and unlike", "no fingerprint")
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for (group, way, least), figures in sorted(table.items(), key=lambda item: (item[0][0], item[0][2], item[0][1])):
        known = (_percent(figures.recognised[level], figures.made[level]) for level in LEVELS)
        wrong = (_percent(part, figures.asked, 2) for part in (figures.mistaken, figures.misread))
        unknown = _percent(figures.unknown, figures.asked) if way == "ours" else ""
        lines.append(f"| {' | '.join((group, str(least), way, str(figures.asked), *known, *wrong, unknown))} |")
    return "\n".join([*lines, ""])


def _percent(part: int, whole: int, digits: int = 1) -> str:
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"


def main(arguments: Sequence[str]) -> int:
    table: Table = {}
    half = {"--learn": 0, "--count": 1}.get(arguments[0] if arguments else "")
    folders = [folder for folder in arguments if not folder.startswith("--")]
    for folder in folders:
        measure(functions_in(folder), folder, table)
    if not folders:
        measure(functions_in(library(), 10 * _PER_FOLDER), "Python's library", table)
        for group, functions in field(half):
            measure(functions, group, table)
    sys.stdout.write(report(table))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
