"""What a change takes from the tests of a file: tests that are gone or do not run, assertions that say less.

A test that is renamed, moved within the file or made one of a table is still there: it is known by what it asserts.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.shell.effects import shell_effects
from leeboard.source.cases import TestedCase, case_table, cases_of, knows, strength_of
from leeboard.source.syntax import parse

WeakeningKind = Literal["removed", "skipped", "alone", "trivial", "loosened", "caught", "expected", "mocked"]

_LITERAL = lazy(
    r"\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'|`[^`\n]{0,2000}`|\b\d[\d_.eExXa-fA-F]*\b"
    r"|\b(?:True|False|true|false|None|null|nil)\b"
)
_NUMBER = lazy(r"\d[\d_]*(?:\.\d+)?(?:e-?\d+)?", re.IGNORECASE)
_TOLERANT = lazy(
    r"approx|[Aa]lmost|CloseTo|InDelta|within|isclose|delta|toleran|epsilon|places|atol|rtol|abs_tol|rel_tol"
)
_PLACES = lazy(r"places|CloseTo|decimal", re.IGNORECASE)
"""Where a greater number is the stricter one."""
_CALLED = lazy(r"\b([A-Za-z_]\w*)!?\s*\(")
_ASSERTING = frozenset(
    "expect assert toBe toEqual toStrictEqual eq equal assertEqual assertEquals assertSame assert_eq assert_equal "
    "Equal Errorf Fatalf Error Fatal True False assertThat isEqualTo to len str int repr".split()
)
_TOLD = lazy(
    r"\s*(?:#|//|\*|/\*|\"\"\")|\s*(?:\w+\.)?(?:Error|Fatal|Log|Skip)f?\(|\s*(?:print\w*|console\.\w+|log\w*|puts)\b"
)
"""Lines that only tell people something."""
_ALIKE = 0.5
_MOST_LINES = 60


class Weakening(msgspec.Struct, frozen=True, kw_only=True):
    kind: WeakeningKind
    name: str
    """The test."""
    line: int
    was: str
    """What stood there; what undoes it when it is back."""
    now: str = ""


def weakened(before: str, after: str, language: str) -> tuple[Weakening, ...]:
    """What `after` lost, by test; empty where the language has no table, or the text can not be parsed."""
    if before == after or not knows(language):
        return ()
    old, new = cases_of(before, language), cases_of(after, language)
    if not old or (after.strip() and _is_broken(after, language)):
        return ()
    return tuple(_compared(old, new, before, after, language))


def _is_broken(text: str, language: str) -> bool:
    tree = parse(text, language)
    return tree is None or bool(tree.errors)


def _compared(
    old: tuple[TestedCase, ...], new: tuple[TestedCase, ...], before: str, after: str, language: str
) -> Iterator[Weakening]:
    there = dict(_told_apart(new))
    had = {case.name: case for case in old}
    fresh = [case for case in new if case.name not in had]
    for key, case in _told_apart(old):
        now = there.get(key)
        if now is not None:
            yield from _of_case(case, now, language)
        elif not _lives_on(case, fresh):
            yield Weakening(kind="removed", name=case.name, line=case.start, was=_first_words(case))
    for case in new:
        if case.alone and not (case.name in had and had[case.name].alone):
            yield Weakening(kind="alone", name=case.name, line=case.start, was="", now=_first_words(case))
    for case in fresh:
        if case.skipped and not case.asserts and not any(one.skipped for one in old):
            yield Weakening(kind="skipped", name=case.name, line=case.start, was="", now=case.skipped)
    yield from _values(before, after, old, new)


def _told_apart(cases: tuple[TestedCase, ...]) -> Iterator[tuple[tuple[str, int], TestedCase]]:
    """Tests of two classes may have the same name: each is known by its name and its place among them."""
    met: Counter[str] = Counter()
    for case in cases:
        yield (case.name, met[case.name]), case
        met[case.name] += 1


def _first_words(case: TestedCase) -> str:
    return next((line.strip() for line in case.text.split("\n") if case.name.split("(")[0] in line), case.name)[:120]


def _lives_on(case: TestedCase, fresh: Iterable[TestedCase]) -> bool:
    """Another new test asserts half of it: a new name, or a row of a table."""
    if not case.asserts:
        return any(_shape(case.text) == _shape(one.text) for one in fresh)
    own = Counter(map(_masked, case.asserts))
    for one in fresh:
        same = sum((own & Counter(map(_masked, one.asserts))).values())
        if same >= _ALIKE * len(case.asserts) or _asks_the_same(case, one):
            return True
    return False


def _asks_the_same(case: TestedCase, other: TestedCase) -> bool:
    """It calls what the old one called and asserts as much of it: `test_total` with a table of items."""
    called, theirs = _called(case), _called(other)
    shared = len(called & theirs)
    strongest = max(map(strength_of, other.asserts), default=0)
    return bool(called) and shared >= _ALIKE * len(called) and strongest >= max(map(strength_of, case.asserts))


def _shape(text: str) -> str:
    return " ".join(text.split("\n", 1)[-1].split())


def _called(case: TestedCase) -> set[str]:
    return {name for one in case.asserts for name in _CALLED.findall(one)} - _ASSERTING


def _masked(text: str) -> str:
    return " ".join(_LITERAL.sub("_", text).split())


def _of_case(old: TestedCase, new: TestedCase, language: str) -> Iterator[Weakening]:
    if new.skipped and not old.skipped:
        if not new.condition:
            yield Weakening(kind="skipped", name=new.name, line=new.start, was="", now=new.skipped)
        return
    hidden = [one for one in new.caught if one not in old.caught]
    if hidden:
        yield Weakening(kind="caught", name=new.name, line=new.start, was=hidden[0], now="its failure is caught")
        return
    lost = list((Counter(old.asserts) - Counter(new.asserts)).elements())
    gained = list((Counter(new.asserts) - Counter(old.asserts)).elements())
    if lost:
        yield from _asserted(old, new, lost, gained)
    yield from _mocked(old, new, language)


def _asserted(old: TestedCase, new: TestedCase, lost: list[str], gained: list[str]) -> Iterator[Weakening]:
    was = max(lost, key=strength_of)
    now = min(gained, key=strength_of, default="")
    hollow = [one for one in gained if strength_of(one) == 0]
    if hollow and len(gained) <= len(lost):
        yield Weakening(kind="trivial", name=new.name, line=new.start, was=was, now=hollow[0])
    elif (
        sum(strength_of(one) for one in gained) < sum(map(strength_of, lost)) and not _folded(lost, gained, new)
    ) or any(_wider(one, other) for one in lost for other in gained):
        yield Weakening(kind="loosened", name=old.name, line=new.start, was=was, now=now)


def _folded(lost: list[str], gained: list[str], new: TestedCase) -> bool:
    """Several assertions in one, a loop or a helper: what was expected still stands in the test."""
    if len(gained) >= len(lost):
        return False
    values = {match for one in lost for match in _LITERAL.findall(one) if len(match) > 1}
    return bool(gained) and bool(values) and all(value in new.text for value in values)


def _wider(old: str, new: str) -> bool:
    """The same assertion with a greater tolerance."""
    if not _TOLERANT.search(old) or _masked(old) != _masked(new):
        return False
    was, now = _NUMBER.findall(old), _NUMBER.findall(new)
    if len(was) != len(now) or was[:-1] != now[:-1]:
        return False
    less = float(now[-1].replace("_", "")) < float(was[-1].replace("_", ""))
    return less if _PLACES.search(old) else not less and was != now


def _mocked(old: TestedCase, new: TestedCase, language: str) -> Iterator[Weakening]:
    """A stand-in for what the test itself calls and asserts on."""
    pattern = case_table().mocks.get("javascript" if language in {"typescript", "tsx"} else language)
    if pattern is None:
        return
    for match in re.finditer(pattern, new.text):
        if match[0] in old.text:
            continue
        target = [group for group in match.groups() if group][-1].rpartition(".")[2].rpartition("/")[2]
        called = re.compile(rf"\b{re.escape(target)}\s*\(")
        if any(called.search(one) for one in new.asserts) and any(called.search(one) for one in old.asserts):
            yield Weakening(kind="mocked", name=new.name, line=new.start, was="", now=match[0][:100])


def _values(before: str, after: str, old: tuple[TestedCase, ...], new: tuple[TestedCase, ...]) -> Iterator[Weakening]:
    """All that changed are literals: lines that are the same but for a number, a text or a constant."""
    gone, come = before.split("\n"), after.split("\n")
    lost, gained = Counter(gone) - Counter(come), Counter(come) - Counter(gone)
    if (
        not lost
        or len(lost) > _MOST_LINES
        or sorted(map(_masked, lost.elements())) != sorted(map(_masked, gained.elements()))
    ):
        return
    telling = [line for line in lost if not _TOLD.match(line)]
    if not telling:
        return
    first = telling[0]
    now = next((line for line in gained if _masked(line) == _masked(first)), "")
    same = (first.strip(), now.strip())
    if _wider(*same) or _wider(*reversed(same)) or not _LITERAL.search(first):
        return  # a tolerance
    number = gone.index(first) + 1
    case = next((one for one in old if one.start <= number <= one.end), None)
    if case is not None and any(one.name == case.name and not one.skipped for one in new):
        yield Weakening(kind="expected", name=case.name, line=number, was=first.strip(), now=now.strip())


# Lines that write what tests expect from what the code gives: snapshots, golden files.


class _Snapshots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what a line that writes expectations anew is known."""

    programs: str
    options: frozenset[str]
    short_for: frozenset[str]
    variables: str
    lines: tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> _Snapshots:
    return load("verify/snapshots", _Snapshots)


def writes_expectations(command: str, cwd: str) -> bool:
    """Told by the options and variables that runners know for it."""
    table = _table()
    started = shell_effects(command, cwd).started
    names = [(posixpath.basename(one.words[0]), one.words[1:]) for one in started if one.words]
    runs = [(name, rest) for name, rest in names if re.match(table.programs, name)]
    if not runs:
        return False
    if re.search(table.variables, command):
        return True
    spelled = [" ".join((name, *rest)) for name, rest in runs]
    if any(line in one for line in table.lines for one in spelled):
        return True
    return any(_asks(name, rest, table) for name, rest in runs)


def _asks(name: str, rest: tuple[str, ...], table: _Snapshots) -> bool:
    return any(
        (word in table.options and (word != "-u" or name in table.short_for)) or word.startswith("--update-snapshots=")
        for word in rest
    )
