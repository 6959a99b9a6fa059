"""The content rules over files as if somebody had just written them: the rules themselves, on a made-up event."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

import msgspec

from leeboard.app._scan_env import env_findings
from leeboard.app.facts import Facts, load_rules
from leeboard.app.scan_files import Target
from leeboard.app.world import Setting, world_of
from leeboard.io.files import LARGEST, DiskFiles
from leeboard.io.index.symbols import open_symbols
from leeboard.io.opened import read_start
from leeboard.io.secret_key import secret_key
from leeboard.io.store.memory import MemoryStore
from leeboard.judge.assess import is_allowed
from leeboard.judge.detect import detect
from leeboard.judge.recheck import whole_file
from leeboard.judge.urgency import QUEUE_FROM, Weighed, shown, weigh
from leeboard.model.analysis import Analysis
from leeboard.model.contract import Allowance
from leeboard.model.diff import Diff
from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.signal import Disposition
from leeboard.model.signal_class import subclass_of
from leeboard.model.surroundings import Around, Tree
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import LoadedRule

_AT_ONCE = 20
"""A rule tells no more than this of one change: where it does, it is asked again for each half."""
_WORTH_A_POOL = 48
_IN_A_BATCH = 24
_AHEAD = 8


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One finding in one file."""

    rule: str
    subclass: str
    path: str
    line: int
    confidence: float
    disposition: Disposition
    message: str
    note: str = ""
    """Why it is only logged."""
    fingerprint: str


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    found: tuple[Found, ...] = ()
    allowed: int = 0
    """Findings that a person has let stand."""
    problem: str = ""
    """Why it was not analysed, or not by every rule."""


class Terms(msgspec.Struct, frozen=True):
    """What holds in one work tree."""

    disabled: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    indexed: bool = False
    """Copies are looked for: there is a complete index."""


class _Place(msgspec.Struct, frozen=True):
    """The work tree a file belongs to, and a session in which nothing happened."""

    root: str
    around: Around
    indexed: bool


def content_rules(disabled: tuple[str, ...] = (), *, indexed: bool = False) -> tuple[LoadedRule, ...]:
    """The rules that need nothing but a text; `indexed`: and those that need an index beside it."""
    wanted = {"text", "copies"} if indexed else {"text"}
    listening = (rule for rule in load_rules(disabled) if "ToolFinished" in rule.listens)
    return tuple(rule for rule in listening if subclass_of(rule.traits.subclass).scan in wanted)


def scan(targets: tuple[Target, ...], terms: Mapping[str, Terms], jobs: int = 0) -> Iterator[Scanned]:
    """In the order of the targets. `terms` by root; `jobs` 0: as many processes as cores where there are many files."""
    pairs: set[tuple[str, ...]] = set()
    for one in _scan_all(targets, terms, jobs):
        found = tuple(item for item in one.found if not _is_copy(item.subclass) or _is_new_pair(item, pairs))
        yield one if len(found) == len(one.found) else msgspec.structs.replace(one, found=found)


def _is_new_pair(found: Found, pairs: set[tuple[str, ...]]) -> bool:
    """Of two copies the one that is met first is told: each is a copy of the other."""
    pair = tuple(sorted(found.fingerprint.partition(":")[2].split("~")))
    known = pair in pairs
    pairs.add(pair)
    return not known


def _scan_all(targets: tuple[Target, ...], terms: Mapping[str, Terms], jobs: int) -> Iterator[Scanned]:
    work = [(target, terms.get(target.root, Terms())) for target in targets]
    processes = jobs or (1 if len(targets) < _WORTH_A_POOL else os.cpu_count() or 1)
    if processes == 1 or not work:
        yield from map(_scan_one, work)
        return
    # What these load and compile, the processes find ready.
    yield from map(_scan_one, work[:_AHEAD])
    rest = work[_AHEAD:]
    with ProcessPoolExecutor(max_workers=processes) as pool:
        yield from pool.map(_scan_one, rest, chunksize=min(_IN_A_BATCH, 1 + len(rest) // processes))


def _scan_one(work: tuple[Target, Terms]) -> Scanned:
    target, terms = work
    files = DiskFiles(target.root)
    text = files.text(target.name)
    if text is None:
        return Scanned(path=target.shown, problem=_unreadable(target))
    # Opened for each file: a connection must not be carried into another process.
    symbols = open_symbols(target.root) if terms.indexed else None
    tree = Tree(files, lambda: symbols)
    place = _Place(target.root, Around(MemoryStore(), "scan", tree), symbols is not None)
    findings = _all_of(whole_file(target.name, text), place, terms.disabled)
    if "credential" not in terms.disabled:
        findings += env_findings(target.name, text, files, _key())
    broken = sorted(finding.subject for finding in findings if finding.signal is None)
    kept = [finding for finding in findings if finding.signal is not None]
    standing = [finding for finding in kept if not is_allowed(finding, terms.allowances)]
    return Scanned(
        path=target.shown,
        found=tuple(sorted({_found(finding, target.shown) for finding in standing}, key=_place)),
        allowed=len(kept) - len(standing),
        problem=f"{', '.join(broken)} failed on it" if broken else "",
    )


def _all_of(diff: Diff, place: _Place, disabled: tuple[str, ...]) -> list[Finding]:
    found: list[Finding] = []
    for rule in _rules(disabled, place.indexed):
        found += filter(_is_told, _of_rule(rule, diff, place))
    return found


def _is_told(finding: Finding) -> bool:
    """What is only alike is worth a line in the report of a session; in a tree that is there it is everywhere."""
    signal = finding.signal
    return signal is None or not _is_copy(signal.subclass) or not signal.log_only


def _is_copy(subclass: str) -> bool:
    return subclass_of(subclass).scan == "copies"


@lru_cache(maxsize=4)
def _rules(disabled: tuple[str, ...], indexed: bool) -> tuple[LoadedRule, ...]:  # noqa: FBT001 - part of a key
    return content_rules(disabled, indexed=indexed)


def _of_rule(rule: LoadedRule, diff: Diff, place: _Place) -> tuple[Finding, ...]:
    facts = Facts(around=place.around, diffs=(diff,))
    found = detect(_world(diff, place.root), (rule,), facts.give, scored=False)
    ((first, last),) = diff.added or ((0, 0),)
    if len(found) < _AT_ONCE or first >= last:
        return found
    middle = (first + last) // 2
    halves = (msgspec.structs.replace(diff, added=(span,)) for span in ((first, middle), (middle + 1, last)))
    return (*found, *(finding for half in halves for finding in _of_rule(rule, half, place)))


def _world(diff: Diff, root: str) -> World:
    call = ToolCall(id="scan", tool="Write", action="write", paths=(diff.path,), edits=(TextEdit("", diff.after),))
    event = ToolFinished(session="scan", call=call, outcome="done")
    setting = Setting(workspace=Workspace(root), policy=Policy(), secret_key=_key())
    return world_of(Analysis(event=event), Session(id="scan"), setting)


@lru_cache(maxsize=1)
def _key() -> bytes:
    return secret_key()


def _found(finding: Finding, path: str) -> Found:
    weighed = weigh(finding)
    return Found(
        rule=finding.rule,
        subclass=finding.signal.subclass if finding.signal else "",
        path=path,
        line=finding.line,
        confidence=finding.confidence,
        disposition=weighed.disposition,
        message=finding.message,
        note=_why_logged(weighed),
        fingerprint=finding.fingerprint,
    )


def _why_logged(weighed: Weighed) -> str:
    """`placeholder`, `test fixture`, `confidence 0.3 below 0.5`, ...; empty for what is more than logged."""
    if weighed.disposition != "LOG":
        return ""
    told = weighed.trace[-1].removeprefix("LOG: ")
    if told not in weighed.trace:
        return told
    return f"urgency {shown(weighed.urgency)} below {QUEUE_FROM:g}"


def _place(found: Found) -> tuple[int, str, str]:
    return found.line, found.rule, found.fingerprint


def _unreadable(target: Target) -> str:
    place = os.path.join(target.root, target.name)  # noqa: PTH118 - names that are no valid text pass through
    try:
        size = os.stat(place).st_size  # noqa: PTH116 - as above
        read_start(place, 1, follow=True)
    except (OSError, ValueError):
        return "unreadable"
    return "larger than 2 MB" if size > LARGEST else "binary"
