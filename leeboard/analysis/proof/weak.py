"""Tests a session weakened and did not put right: a run that is green on them shows nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import msgspec

from leeboard.model.ledger import Entry
from leeboard.model.lookup import Files, Registry
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.secrets.redaction import redact
from leeboard.source.cases import TestedCase, cases_of
from leeboard.speech.order import asked, named
from leeboard.text.language import language_of

RULE = "weakened_test"
VERBS = (
    *"skip disable remove delete drop loosen relax update change adjust ignore regenerate rewrite replace".split(),
    *"mute xfail".split(),
    *"quarantine comment clean prune refresh rename move merge migrate simplify align".split(),
)
"""What a user who wants a test to be other than it was says."""
_ABOUT = ("test", "tests", "spec", "specs", "assertion", "expectation", "snapshot")
_GONE = frozenset({"removed", "uncollected", "commented"})
_HIDDEN = frozenset({"caught", "unreached", "commented", "trivial"})


class WeakTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test as a change left it: what row of the registry says so, and what it asserted before and after."""

    path: str
    subject: str
    """The path, the test's name and the kind of weakening, as in the finding."""
    told: str
    """The finding in one clause."""
    was: str = ""
    now: str = ""

    @property
    def name(self) -> str:
        return self.subject.removeprefix(f"{self.path}:").rpartition(":")[0]

    @property
    def kind(self) -> str:
        return self.subject.rpartition(":")[2]


def weak_test_of(finding: Finding) -> WeakTest:
    was, now = ([item.text.partition(": ")[2] for item in finding.evidence[1:3]] + ["", ""])[:2]
    told = finding.evidence[0].text.partition(" after it failed in `")[0]
    return WeakTest(path=finding.path, subject=finding.subject, told=told, was=was, now=now)


def weak_test_data(finding: Finding) -> str:
    """A weakened test as the registry keeps it, redacted."""
    found = weak_test_of(finding)
    return redact(msgspec.json.encode(found).decode())


def weak_tests(world: World, registry: Registry, files: Files) -> Iterator[WeakTest]:
    """Each test once, the newest change first; none that the user wants so."""
    seen: set[tuple[str, str]] = set()
    for entry in registry.find("signal", (RULE,)):
        test = _read(entry)
        if test is None or (test.path, test.name) in seen or not is_weak(test, registry, files):
            continue
        seen.add((test.path, test.name))
        if not is_wanted(world, registry, test.path, test.name):
            yield test


def _read(entry: Entry) -> WeakTest | None:
    """None for a row of an earlier version, or one whose text a redaction broke."""
    try:
        return msgspec.json.decode(entry.data, type=WeakTest) if entry.data else None
    except msgspec.DecodeError:
        return None


def is_wanted(world: World, registry: Registry, path: str, name: str) -> bool:
    """Whether the user asked for tests to be changed, or for this one."""
    by_name = named(world, (name, path, posixpath.basename(path)))
    return asked(world, registry, VERBS, () if by_name else _ABOUT)


def is_weak(test: WeakTest, registry: Registry, files: Files) -> bool:
    """While the test is as weak as the change made it, and nothing like it came elsewhere."""
    if test.kind in _GONE and test.name and registry.find("built", (test.name.lower(),)):
        return False
    text = files.text(test.path) if test.path else None
    if text is None:
        return not test.path or (test.kind in _GONE and files.exists(test.path) is not True)
    if not test.name:
        return test.now in text
    case = next((one for one in cases_of(text, language_of(test.path, text)) if one.name == test.name), None)
    if case is None:
        return test.kind in _GONE
    return test.kind not in {"removed", "uncollected"} and _says_less(test, case)


def _says_less(test: WeakTest, case: TestedCase) -> bool:
    if test.kind in _HIDDEN:
        return test.was not in case.asserts
    if test.kind in {"skipped", "alone"}:
        return bool(case.skipped if test.kind == "skipped" else case.alone)
    if test.kind == "mocked":
        return test.now in case.text
    return " ".join(test.was.split()) not in " ".join(case.text.split())
