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
from leeboard.source.cases import EXACT, TestedCase, case_table, cases_of, knows, silencing, strength_of
from leeboard.source.syntax import parse
from leeboard.source.uncollected import left_uncalled, never_runs, remarks

WeakeningKind = Literal[
    "removed",
    "uncollected",
    "skipped",
    "alone",
    "commented",
    "trivial",
    "thinned",
    "loosened",
    "caught",
    "unreached",
    "expected",
    "mocked",
]

NO_ASSERTION = "no assertion"
"""What is left of a test that has lost all of them."""
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
_CHECKS = lazy(r"(?i)assert|expect|check|verif|requir|should|must|ensure|validat|compar|equal|match|snapshot")
_DEFINED = lazy(r"\b(?:def|func|fn|function|fun|void)\s+(?:\([^)\n]*\)\s*)?(\w+)")
_ROW = lazy(r"[\[({].*|[\])}]+,?\)?|[\w\"'.]+\s*(?::|=>|=)\s*\S.*,|.*,$")
_BEGINS = lazy(r"[A-Za-z_@$]|#\[")
_ABOVE = frozenset("@#/[* ")
_SILENCES = lazy(
    r"^\s*(?:return|next|throw|raise|break|continue|die)\b|\b(?:exit|quit)\s*\(|(?:if|while)\s*\(?\s*(?:false|False|0|nil|null|None|!true"
    r"|not True)\b|[:=]\s*(?:\[\s*\]|\(\s*\))|\{\s*\}|\.only\b"
    r"|\b(?:fit|fdescribe|fcontext|focus|try|catch|except|rescue|suppress|begin)\b"
    r"|/\*|^\s*#if|#!?\[cfg|\"\"\"|^=begin|[Mm]ock|patch|stub|setattr|spyOn|receive|^//go:build",
    re.MULTILINE,
)
"""In lines that came: without any of these they keep nothing that is there from running or from being heard."""
_SAYS = lazy(
    r"(?i)assert|expect|should|must|verif|require|equal|fail|\bt\.is\b|error\w?\(|fatal|^\s*(?:\}\s*else\s+)?if\b|panic|refute|ensure"
    r"|raises|throws|\b(?:def|func|fun|fn|function|void)\s|\b(?:it|test|specify|scenario|example|describe|context)\b|@Test|\[(?:Fact|Test|Theory)"
    r"|#\[\w*:*test"
)
"""In lines that went: without any of these no test loses anything but a value or a row."""
_ALIKE = 0.5
_MOST_LINES = 60


class Weakening(msgspec.Struct, frozen=True, kw_only=True):
    kind: WeakeningKind
    name: str
    """The test; empty where it is about all tests of the file."""
    line: int
    was: str
    """What stood there; what undoes it when it is back."""
    now: str = ""


def weakened(before: str, after: str, language: str) -> tuple[Weakening, ...]:
    """What `after` lost, by test; empty where the language has no table, or the text can not be parsed."""
    if before == after or not knows(language):
        return ()
    change = _changed_part(before, after)
    if after.strip() and not _may_weaken(change, language):
        return ()
    for old, new, above in (change.around(), (before, after, 0)):
        if not new.strip() or not _is_broken(new, language):
            whole = _of_file(before, after, language)
            found = whole or _compared(cases_of(old, language), cases_of(new, language), (old, new, after), language)
            return tuple(msgspec.structs.replace(one, line=one.line + above) if one.name else one for one in found)
    return ()


class _Change(msgspec.Struct, frozen=True, kw_only=True):
    """Where two texts differ: the first line that does, and the one behind the last in each."""

    before: list[str]
    after: list[str]
    first: int
    ends: tuple[int, int]

    def lines(self) -> tuple[list[str], list[str]]:
        """Those that are gone and those that came; one that only moved is neither."""
        old, new = self.before[self.first : self.ends[0]], self.after[self.first : self.ends[1]]
        was, now = Counter(old), Counter(new)
        return [*filter(str.strip, (was - now).elements())], [*filter(str.strip, (now - was).elements())]

    def around(self) -> tuple[str, str, int]:
        """Both texts cut to the whole definitions around it, and how many lines stand above: far less to parse."""
        start = self.first
        while start > 0 and not _begins(self.before, start) and not _begins(self.after, start):
            start -= 1
        while start > 0 and self.before[start - 1][:1] in _ABOVE and self.before[start - 1].strip():
            start -= 1
        left = len(self.before) - self.ends[0]
        stop = next((n for n in range(left) if not self.before[self.ends[0] + n].startswith(("@", "#["))), 0)
        stop += 1  # what a change stands right above is a part of it
        while stop < left and not _begins(self.before, self.ends[0] + stop):
            stop += 1
        old, new = (lines[start : end + stop] for lines, end in zip((self.before, self.after), self.ends, strict=True))
        return "\n".join(old), "\n".join(new), start


def _begins(lines: list[str], number: int) -> bool:
    """Whether a definition of the file itself begins there."""
    return number < len(lines) and _BEGINS.match(lines[number]) is not None


def _changed_part(before: str, after: str) -> _Change:
    old, new = before.split("\n"), after.split("\n")
    shorter = min(len(old), len(new))
    first = 0
    while first < shorter and old[first] == new[first]:
        first += 1
    last = 0
    while last < shorter - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return _Change(before=old, after=new, first=first, ends=(len(old) - last, len(new) - last))


def _may_weaken(change: _Change, language: str) -> bool:
    """A look at the lines alone: most changes of tests touch no assertion and keep nothing from running."""
    lost, gained = change.lines()
    came = "\n".join(gained)
    if _SILENCES.search(came) or re.search(silencing(language), came, re.MULTILINE):
        return True
    if any(map(_SAYS.search, lost)):
        return True
    return bool(lost) and (all(map(_ROW.match, map(str.strip, lost))) or _are_alike(lost, gained))


def _are_alike(lost: list[str], gained: list[str]) -> bool:
    """Whether they differ in literals alone."""
    return len(lost) == len(gained) and sorted(map(_masked, lost)) == sorted(map(_masked, gained))


def _of_file(before: str, after: str, language: str) -> tuple[Weakening, ...]:
    """A line that keeps all tests of the file from running."""
    line = never_runs(after, language)
    if not line or not after.strip() or never_runs(before, language):
        return ()
    return (Weakening(kind="skipped", name="", line=after[: after.find(line)].count("\n") + 1, was="", now=line),)


def _is_broken(text: str, language: str) -> bool:
    tree = parse(text, language)
    return tree is None or bool(tree.errors)


def _compared(
    old: tuple[TestedCase, ...], new: tuple[TestedCase, ...], texts: tuple[str, str, str], language: str
) -> Iterator[Weakening]:
    """`texts` are the parts before and after, and the whole text after."""
    if not old:
        return
    before, after, whole = texts
    there = dict(_told_apart(new))
    had = {case.name: case for case in old}
    fresh = [case for case in new if case.name not in had]
    for key, case in _told_apart(old):
        now = there.get(key)
        if now is not None and now.text == case.text:
            continue
        if now is not None:
            yield from _of_case(case, now, whole, language)
        elif not _lives_on(case, fresh):
            yield _gone(case, texts, language)
    for case in new:
        if case.alone and not (case.name in had and had[case.name].alone):
            yield Weakening(kind="alone", name=case.name, line=case.start, was="", now=_first_words(case))
    for case in fresh:
        if case.skipped and not case.asserts and not any(one.skipped for one in old):
            yield Weakening(kind="skipped", name=case.name, line=case.start, was="", now=case.skipped)
    yield from _values(before, after, old, new)


def _gone(case: TestedCase, texts: tuple[str, str, str], language: str) -> Weakening:
    """A test that is no longer one: its text may still be there, as a comment or under a name that nothing runs."""
    before, after, whole = texts
    was = _first_words(case)
    if any(one in remarks(after) and one not in remarks(before) for one in case.asserts):
        return Weakening(kind="commented", name=case.name, line=case.start, was=was, now="a comment")
    if case.asserts and (name := left_uncalled(case, after, whole, language)):
        return Weakening(kind="uncollected", name=case.name, line=case.start, was=was, now=name)
    return Weakening(kind="removed", name=case.name, line=case.start, was=was)


def _told_apart(cases: tuple[TestedCase, ...]) -> Iterator[tuple[tuple[str, int], TestedCase]]:
    """Tests of two classes may have the same name: each is known by its name and its place among them."""
    met: Counter[str] = Counter()
    for case in cases:
        yield (case.name, met[case.name]), case
        met[case.name] += 1


def _first_words(case: TestedCase) -> str:
    lines = (line.strip() for line in case.text.split("\n") if case.name.split("(")[0] in line)
    return next((line for line in lines if not line.startswith(("//", "#", "*"))), case.name)[:120]


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


def _of_case(old: TestedCase, new: TestedCase, whole: str, language: str) -> Iterator[Weakening]:
    if new.skipped and not old.skipped:
        if not new.condition:
            yield Weakening(kind="skipped", name=new.name, line=new.start, was="", now=new.skipped)
        return
    unheard = _newly_unheard(old, new)
    if unheard is not None:
        yield unheard
        return
    lost = list((Counter(old.asserts) - Counter(new.asserts)).elements())
    gained = list((Counter(new.asserts) - Counter(old.asserts)).elements())
    if lost:
        yield from _asserted(old, new, lost, gained, whole)
    else:
        yield from _fewer_rows(old, new)
    yield from _mocked(old, new, language)


def _newly_unheard(old: TestedCase, new: TestedCase) -> Weakening | None:
    """An assertion that was heard before and still stands: something catches its failure, or ends the test first."""
    caught = [one for one in new.caught if one not in old.caught]
    if caught:
        return Weakening(kind="caught", name=new.name, line=new.start, was=caught[0], now="its failure is caught")
    dead = [one for one in new.unreached if one not in old.unreached and one in old.asserts]
    if dead:
        return Weakening(kind="unreached", name=new.name, line=new.start, was=dead[0], now="nothing gets to it")
    return None


def _asserted(old: TestedCase, new: TestedCase, lost: list[str], gained: list[str], whole: str) -> Iterator[Weakening]:
    was = max(lost, key=strength_of)
    now = min(gained, key=strength_of, default="")
    hollow = [one for one in gained if strength_of(one) == 0]
    less = sum(map(strength_of, gained)) < sum(map(strength_of, lost))
    silent = [one for one in lost if less and one in remarks(new.text) and one not in remarks(old.text)]
    if silent:
        yield Weakening(kind="commented", name=new.name, line=new.start, was=silent[0], now="a comment")
    elif hollow and len(gained) <= len(lost):
        yield Weakening(kind="trivial", name=new.name, line=new.start, was=was, now=hollow[0])
    elif less and not _folded(lost, gained, new) and not _delegates(old, new, whole):
        few = 2 * len(new.asserts) < len(old.asserts) and not any(strength_of(one) == EXACT for one in gained)
        kind: WeakeningKind = "thinned" if few else "loosened"
        left = now if new.asserts else NO_ASSERTION
        yield Weakening(kind=kind, name=old.name, line=new.start, was=was, now=left)
    elif any(_wider(one, other) for one in lost for other in gained):
        yield Weakening(kind="loosened", name=old.name, line=new.start, was=was, now=now)


def _fewer_rows(old: TestedCase, new: TestedCase) -> Iterator[Weakening]:
    """Rows of a table of cases that are gone, and nothing else."""
    was, now = Counter(map(str.strip, old.text.split("\n"))), Counter(map(str.strip, new.text.split("\n")))
    gone = [line for line in (was - now).elements() if line]
    if gone and not any((now - was).elements()) and all(map(_ROW.match, gone)) and any(map(_LITERAL.search, gone)):
        row = next(line for line in gone if _LITERAL.search(line))
        yield Weakening(kind="loosened", name=new.name, line=new.start, was=row)


def _delegates(old: TestedCase, new: TestedCase, whole: str) -> bool:
    """Something new is called, outside of assertions, that checks by its name or that the file itself defines."""
    called = {*_CALLED.findall(new.text)} - {*_CALLED.findall(old.text)} - {*_CALLED.findall(" ".join(new.asserts))}
    defined = {*_DEFINED.findall(whole)} if called else set()
    return any(name in defined or _CHECKS.search(name) for name in called)


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
    if not lost or len(lost) > _MOST_LINES or not _are_alike([*lost.elements()], [*gained.elements()]):
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
