"""The content rules over files as if somebody had just written them: the rules themselves, on a made-up event."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

import msgspec

from leeboard.app.handle import EventFacts, RunSetting, load_rules, world_of
from leeboard.io.file import read_start
from leeboard.io.git import ask
from leeboard.io.git.tree_files import LARGEST, DiskFiles
from leeboard.io.places import project_root, secret_key
from leeboard.judge.score import detect, is_allowed
from leeboard.judge.urgency import QUEUE_FROM, Weighed, shown, weigh, whole_file
from leeboard.model.contract import Allowance
from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.lookup import Around, Files, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Disposition, Evidence, Finding, Signal, subclass_of
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule
from leeboard.secrets.redaction import redact
from leeboard.source.index.symbols import open_symbols
from leeboard.store.memory import MemoryStore
from leeboard.text.language import folders_with, is_env_file, is_sample

_AT_ONCE = 20
"""A rule tells no more than this of one change: where it does, it is asked again for each half."""
_WORTH_A_POOL = 48
_IN_A_BATCH = 24
_AHEAD = 8


class ScanFinding(msgspec.Struct, frozen=True, kw_only=True):
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


class FileScan(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    found: tuple[ScanFinding, ...] = ()
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


def scan(targets: tuple[Target, ...], terms: Mapping[str, Terms], jobs: int = 0) -> Iterator[FileScan]:
    """In the order of the targets. `terms` by root; `jobs` 0: as many processes as cores where there are many files."""
    pairs: set[tuple[str, ...]] = set()
    for one in _scan_all(targets, terms, jobs):
        found = tuple(item for item in one.found if not _is_copy(item.subclass) or _is_new_pair(item, pairs))
        yield one if len(found) == len(one.found) else msgspec.structs.replace(one, found=found)


def _is_new_pair(found: ScanFinding, pairs: set[tuple[str, ...]]) -> bool:
    """The copy that is met first is told: each is a copy of the other."""
    pair = tuple(sorted(found.fingerprint.partition(":")[2].split("~")))
    known = pair in pairs
    pairs.add(pair)
    return not known


def _scan_all(targets: tuple[Target, ...], terms: Mapping[str, Terms], jobs: int) -> Iterator[FileScan]:
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


def _scan_one(work: tuple[Target, Terms]) -> FileScan:
    target, terms = work
    files = DiskFiles(target.root)
    text = files.text(target.name)
    if text is None:
        return FileScan(path=target.shown, problem=_unreadable(target))
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
    return FileScan(
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
    facts = EventFacts(around=place.around, diffs=(diff,))
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
    setting = RunSetting(workspace=Workspace(root), policy=Policy(), secret_key=_key())
    return world_of(Analysis(event=event), Session(id="scan"), setting)


@lru_cache(maxsize=1)
def _key() -> bytes:
    return secret_key()


def _found(finding: Finding, path: str) -> ScanFinding:
    weighed = weigh(finding)
    return ScanFinding(
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


def _place(found: ScanFinding) -> tuple[int, str, str]:
    return found.line, found.rule, found.fingerprint


def _unreadable(target: Target) -> str:
    place = os.path.join(target.root, target.name)  # noqa: PTH118 - names that are no valid text pass through
    try:
        size = os.stat(place).st_size  # noqa: PTH116 - as above
        read_start(place, 1, follow=True)
    except (OSError, ValueError):
        return "unreadable"
    return "larger than 2 MB" if size > LARGEST else "binary"


# Environment files in a scan. An agent that writes one does right; a person who has one looked at wants to know.


IGNORED = "git ignores this file: secrets may stand here"
_CONFIDENCE = 0.8
"""What the rule gives an environment file that git would take."""


def env_findings(path: str, text: str, files: Files, key: bytes) -> Iterator[Finding]:
    """Each secret of an environment file that git does not take, or that no git knows; the rule tells of the others."""
    if not is_env_file(path) or is_sample(path):
        return
    ignored = files.ignored(path)
    if ignored is False:
        return
    from leeboard.secrets.detection import is_real, keyed_digest  # noqa: PLC0415 - for such files only
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - for such files only

    for secret in filter(is_real, find_secrets(text, path)):
        what = f"`{redact(secret.name)[:60]}`" if secret.name else "a secret"
        yield Finding(
            rule="credential",
            subject=f"{path}:{keyed_digest(secret.value, key)}",
            evidence=(Evidence(f"{what} stands in clear text in {path}:{secret.line}"),),
            confidence=_CONFIDENCE,
            path=path,
            line=secret.line,
            message=f"Credential {what} ({secret.kind.replace('-', ' ')}) in {path}:{secret.line}: "
            "keep this file out of version control.",
            signal=Signal(subclass="B1", rework_cost=2, self_correct_prob=0.9, log_only=IGNORED if ignored else ""),
            remedy="keep it out of version control",
        )


# Which files a person means by a few paths: what git would keep, else whatever lies there.


_NEVER = folders_with("unscanned")
_GIT_SECONDS = 60.0


class Target(msgspec.Struct, frozen=True):
    """One file to look at."""

    shown: str
    """As the person would write it."""
    root: str
    """The work tree it belongs to, or the folder that was given."""
    name: str
    """Relative to the root: how rules and allowances know it."""


def find_targets(given: Iterable[str], *, ignored_too: bool = False) -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """Files by their paths, each once, sorted; and the paths that lead nowhere."""
    found: dict[str, Target] = {}
    missing: list[str] = []
    for path in given:
        if not os.path.exists(path):  # noqa: PTH110 - names that are no valid text pass through, here and below
            missing.append(path)
        for target in _below(path, ignored_too=ignored_too):
            found.setdefault(os.path.join(target.root, target.name), target)  # noqa: PTH118 - as above
    return tuple(sorted(found.values(), key=lambda it: (it.shown, it.root))), tuple(missing)


def _below(path: str, *, ignored_too: bool) -> Iterator[Target]:
    if os.path.isfile(path):  # noqa: PTH113 - as above
        real = os.path.realpath(path)
        root = project_root(os.path.dirname(real))  # noqa: PTH120 - as above
        yield Target(os.path.normpath(path), root, os.path.relpath(real, root))
    elif os.path.isdir(path):  # noqa: PTH112 - as above
        folder = os.path.realpath(path)
        root = project_root(folder)
        # A folder that git ignores as a whole and a person names all the same is meant.
        names = None if ignored_too else _kept_by_git(folder) or None
        for name in _walked(folder) if names is None else names:
            place = os.path.join(folder, name)  # noqa: PTH118 - as above
            if os.path.isfile(place) and not os.path.islink(place):  # noqa: PTH113, PTH114 - as above
                shown = os.path.normpath(os.path.join(path, name))  # noqa: PTH118 - as above
                yield Target(shown, root, os.path.relpath(place, root))


def _kept_by_git(folder: str) -> list[str] | None:
    """Tracked files and new ones that are not ignored; None where git can not tell."""
    listed = ask.run(folder, ("ls-files", "-co", "--exclude-standard", "-z"), _GIT_SECONDS)
    return None if listed is None else sorted({os.fsdecode(name) for name in listed.split(b"\0") if name})


def _walked(folder: str) -> Iterator[str]:
    """Links are not followed: what they lead to lies somewhere else, or is found there."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NEVER)
        yield from (os.path.relpath(os.path.join(top, name), folder) for name in sorted(files))  # noqa: PTH118 - as above
