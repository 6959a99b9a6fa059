"""The content rules over files as if somebody had just written them: the rules themselves, on a made-up event."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec

from leeboard.analysis.patch import compare
from leeboard.app.handle import EventFacts, RunSetting, load_rules, world_of
from leeboard.app.scan.kept import KeptScans, KeptText, text_key
from leeboard.io.file import read_start
from leeboard.io.git.tree_files import LARGEST, DiskFiles
from leeboard.io.places import secret_key
from leeboard.judge.score import detect, is_allowed
from leeboard.judge.urgency import QUEUE_FROM, Weighed, shown, weigh, whole_file
from leeboard.model.contract import Allowance
from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.lookup import Around, Files, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Evidence, Finding, FindingState, PlacedFinding, Signal, subclass_of
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule, with_code
from leeboard.secrets.redaction import redact
from leeboard.settings.decisions import ALLOWED, BASELINE
from leeboard.source.index.symbols import open_symbols
from leeboard.store.memory import MemoryStore
from leeboard.text.language import is_env_file, is_sample, language_of, was_generated

if TYPE_CHECKING:
    from leeboard.app.scan.target import Target
    from leeboard.settings.decisions.suppression import Suppression

MARK_WORD = "leeboard:"
_SHORT = 4
"""Hexadecimal digits of a secret's digest that may be committed."""
_AT_ONCE = 20
"""A rule tells no more than this of one change: where it does, it is asked again for each half."""
_WORTH_A_POOL = 48
_IN_A_BATCH = 24
_NAMED = 3
_AHEAD = 8


class FileScan(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    found: tuple[PlacedFinding, ...] = ()
    """What nobody has decided about."""
    decided: tuple[PlacedFinding, ...] = ()
    """What a person has let stand."""
    remarks: tuple[str, ...] = ()
    """What is wrong with the decisions that stand in the file."""
    problem: str = ""
    """Why it was not analysed, or not by every rule."""
    unread: str = ""
    """Why only a part of it was understood."""
    unfollowed: str = ""
    """Its kind, where no value is followed through such files."""


class Terms(msgspec.Struct, frozen=True):
    """What holds in one work tree."""

    disabled: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    indexed: bool = False
    """Copies are looked for: there is a complete index."""
    stamp: bytes = b""
    """Of the rules as they are, where what they find is kept."""


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a change did to a file, where only that is asked for."""

    text: str
    """As it was; empty for a new file."""
    after: str | None = None
    """As it is now, where that is not what lies on the disk."""
    reviewed: bool = False
    """A person has reviewed what the change decides, so that new comments count."""


Work = tuple["Target", Terms, Before | None]


class _Judged(msgspec.Struct, frozen=True):
    """One file, and what the next scan need not find out again: under no key where it can not rely on it."""

    scan: FileScan
    key: bytes = b""
    kept: KeptText = KeptText()


class _Place(msgspec.Struct, frozen=True):
    """The work tree a file belongs to, and a session in which nothing happened."""

    root: str
    around: Around
    indexed: bool
    key: bytes


def content_rules(disabled: tuple[str, ...] = (), *, indexed: bool = False) -> tuple[LoadedRule, ...]:
    """The rules that need nothing but a text; `indexed`: and those that need an index beside it."""
    wanted = {"text", "copies"} if indexed else {"text"}
    listening = (rule for rule in load_rules(disabled) if "ToolFinished" in rule.listens)
    return tuple(rule for rule in listening if subclass_of(rule.traits.subclass).scan in wanted)


def scan(
    targets: tuple[Target, ...],
    terms: Mapping[str, Terms],
    jobs: int = 0,
    before: Mapping[Target, Before] | None = None,
    kept: Mapping[str, KeptScans] | None = None,
) -> Iterator[FileScan]:
    """In the order of the targets. `terms` by root; `jobs` 0: as many processes as cores where there are many files.
    `before`: only what came since then is told. `kept`: by root, what the files held that are still the same.
    """
    pairs: set[tuple[str, ...]] = set()
    then = before or {}
    work = [(target, terms.get(target.root, Terms()), then.get(target)) for target in targets]
    for one in _scan_changed(work, jobs, kept or {}):
        found = tuple(item for item in one.found if not _is_copy(item.subclass) or _is_new_pair(item, pairs))
        yield one if len(found) == len(one.found) else msgspec.structs.replace(one, found=found)


def _is_new_pair(found: PlacedFinding, pairs: set[tuple[str, ...]]) -> bool:
    """The copy that is met first is told: each is a copy of the other."""
    pair = tuple(sorted(found.fingerprint.partition(":")[2].split("~")))
    known = pair in pairs
    pairs.add(pair)
    return not known


def _scan_changed(work: list[Work], jobs: int, kept: Mapping[str, KeptScans]) -> Iterator[FileScan]:
    """All of them; those are judged that nothing is kept of."""
    known = [_known(one, kept.get(one[0].root)) for one in work]
    rest = _scan_all([one for one, scan in zip(work, known, strict=True) if scan is None], jobs)
    for (target, _terms, _before), scan in zip(work, known, strict=True):
        if scan is not None:
            yield scan
            continue
        judged = next(rest)
        if judged.key and target.root in kept:
            kept[target.root].add(judged.key, judged.kept)
        yield judged.scan


def _known(work: Work, kept: KeptScans | None) -> FileScan | None:
    target, terms, _before = work
    if kept is None or not _may_be_kept(work):
        return None
    text = DiskFiles(target.root).text(target.name)
    found = kept.find(text_key(terms.stamp, target.name, text)) if text is not None else None
    return told_of(text, work, found, scan_key()) if text is not None and found is not None else None


def _may_be_kept(work: Work) -> bool:
    """Where the text alone decides: of an environment file it counts whether git ignores it, of copies the index."""
    target, terms, before = work
    return bool(terms.stamp) and before is None and not terms.indexed and not is_env_file(target.name)


def _scan_all(work: list[Work], jobs: int) -> Iterator[_Judged]:
    processes = jobs or (1 if len(work) < _WORTH_A_POOL else os.cpu_count() or 1)
    if processes == 1 or not work:
        yield from map(_scan_one, work)
        return
    # What these load and compile, the processes find ready.
    yield from map(_scan_one, work[:_AHEAD])
    rest = work[_AHEAD:]
    with ProcessPoolExecutor(max_workers=processes) as pool:
        yield from pool.map(_scan_one, rest, chunksize=min(_IN_A_BATCH, 1 + len(rest) // processes))


def _scan_one(work: Work) -> _Judged:
    target, terms, before = work
    files = DiskFiles(target.root)
    text = before.after if before is not None and before.after is not None else files.text(target.name)
    if text is None:
        return _Judged(FileScan(path=target.shown, problem=unreadable(target)))
    # Opened for each file: a connection must not be carried into another process.
    symbols = open_symbols(target.root) if terms.indexed else None
    kept = judged_text(text, work, Tree(files, lambda: symbols), scan_key())
    sound = all(finding.signal is not None for finding in kept.findings)
    key = text_key(terms.stamp, target.name, text) if sound and _may_be_kept(work) else b""
    return _Judged(told_of(text, work, kept, scan_key()), key, kept)


def judged_text(text: str, work: Work, tree: Tree, key: bytes) -> KeptText:
    """What the rules say of a text; nothing is read but through the tree."""
    target, terms, before = work
    place = _Place(target.root, Around(MemoryStore(), "scan", tree), tree.symbols() is not None, key)
    findings = _all_of(_diff(target, text, before), place, terms.disabled)
    if "credential" not in terms.disabled and before is None:
        findings += env_findings(target.name, text, tree.files, key)
    return KeptText(tuple(findings), _unread(target.name, text))


def told_of(text: str, work: Work, judged: KeptText, key: bytes) -> FileScan:
    """What was found in a text, with what people have decided about it."""
    target, terms, before = work
    broken = sorted(finding.subject for finding in judged.findings if finding.signal is None)
    comments = _comments(target, text, before)
    seen = _Seen(target, text, terms.allowances, tuple(one for one in comments if not one.problem), key)
    found = sorted({seen.finding(one) for one in judged.findings if one.signal is not None}, key=_place)
    return FileScan(
        path=target.shown,
        found=tuple(one for one in found if one.state == "open"),
        decided=tuple(one for one in found if one.state != "open"),
        remarks=tuple(_remarks(comments, judged, work)),
        problem=f"{', '.join(broken)} failed on it" if broken else "",
        unread=judged.unread,
        unfollowed="" if judged.unread else unfollowed_kind(target.name, text, before.text if before else None),
    )


def _remarks(comments: tuple[Suppression, ...], judged: KeptText, work: Work) -> Iterator[str]:
    """What is wrong with each comment. Where only a change was judged, nobody knows what the others let stand."""
    target, terms, before = work
    for one in comments:
        told = one.problem or (idle_reason(one, judged, terms) if before is None else "")
        if told:
            yield f"{target.shown}:{one.line}: {told}"


def idle_reason(comment: Suppression, judged: KeptText, terms: Terms) -> str:
    """Why a comment lets nothing stand, though it says all it has to; empty where it does, or nobody can tell."""
    asked = {rule.id for rule in _rules(terms.disabled, terms.indexed)}
    meant = [finding for finding in judged.findings if finding.rule in comment.rules]
    if judged.unread or not asked.issuperset(comment.rules) or any(one.line in comment.covers for one in meant):
        return ""
    lines = sorted({one.line for one in meant})[:_NAMED]
    if lines == [0]:
        return f"{with_code(meant[0].rule)} is told of the file as a whole, which no comment in it lets stand"
    found = f" (as line {' or '.join(map(str, lines))})" if lines else ""
    rules = " or ".join(map(with_code, comment.rules))
    there = f"there is no {rules} on line {comment.covers[-1]}"
    return f"{there}; it has to stand on a finding's line or right above it{found}"


def idle_at(root: str, name: str, line: int, text: str) -> str:
    """Why the comment on this line of a whole file lets nothing stand; empty where it lets something."""
    from leeboard.app.scan.target import Target  # noqa: PLC0415 - for a comment that somebody just wrote
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - as above

    judged = judged_text(text, (Target(name, root, name), Terms(), None), Tree(DiskFiles(root)), scan_key())
    meant = next((one for one in suppressions_in(text, name) if one.line == line and not one.problem), None)
    return idle_reason(meant, judged, Terms()) if meant is not None else ""


def unfollowed_kind(name: str, text: str, before: str | None = None) -> str:
    """What kind of file it is, where nobody follows a value through it: `.sh`, `Makefile`, `generated`; else empty."""
    from leeboard.security.taint.table_file import LANGUAGES  # noqa: PLC0415 - as below
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - as below

    if not text.strip() or name in {ALLOWED, BASELINE}:
        return ""
    if was_generated(name, text, before):
        return "generated"
    if template_of(name) or language_of(name, text) in LANGUAGES:
        return ""
    base = name.rpartition("/")[2]
    stem, _, ending = base.rpartition(".")
    return f".{ending.lower()}" if stem and ending else base


def _unread(name: str, text: str) -> str:
    """A file in which nothing can flow was not parsed, and nothing is missed by that."""
    from leeboard.report.capture import why_not_analysed  # noqa: PLC0415 - as are the next two, for each process
    from leeboard.security.taint.table_file import may_flow  # noqa: PLC0415 - as above
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - as above

    language = language_of(name, text[:200])
    if template_of(name) or (language and not may_flow(text, language)):
        return ""
    return why_not_analysed(name, text)


def _diff(target: Target, text: str, before: Before | None) -> Diff:
    if before is None:
        return whole_file(target.name, text)
    added, removed = compare(before.text, text)
    return Diff(path=target.name, after=text, before=before.text, added=added, removed=removed)


def _comments(target: Target, text: str, before: Before | None) -> tuple[Suppression, ...]:
    """What a change itself lets stand, nobody has let stand: of its comments those count that were there before it."""
    if MARK_WORD not in text:
        return ()
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - hardly a file has one

    found = suppressions_in(text, target.name)
    if before is None or before.reviewed:
        return found
    left = Counter(one.said for one in suppressions_in(before.text, target.name))
    return tuple(one for one in found if one.problem or _taken(left, one.said))


def _taken(left: Counter[tuple[tuple[str, ...], str]], said: tuple[tuple[str, ...], str]) -> bool:
    left[said] -= 1
    return left[said] >= 0


class _Seen:
    """The findings of one file as they are told, with what people have decided about them."""

    def __init__(
        self,
        target: Target,
        text: str,
        allowances: tuple[Allowance, ...],
        comments: tuple[Suppression, ...],
        key: bytes,
    ) -> None:
        self._target, self._text, self._key = target, text, key
        self._allowances, self._comments = allowances, comments

    def finding(self, finding: Finding) -> PlacedFinding:
        weighed = weigh(finding)
        state, reason = self._decision(finding)
        note = _why_logged(weighed)
        return PlacedFinding(
            rule=finding.rule,
            subclass=finding.signal.subclass if finding.signal else "",
            path=self._target.shown,
            line=finding.line,
            confidence=finding.confidence,
            disposition=weighed.disposition,
            message=finding.message.removesuffix(f" Only logged: {note}.") if note else finding.message,
            note=note,
            fingerprint=finding.fingerprint,
            name=self._target.name,
            what=self._what(finding),
            steps=finding.signal.steps if finding.signal else (),
            text=self._lines[finding.line - 1].strip() if 0 < finding.line <= len(self._lines) else "",
            at_rest=finding.signal.at_rest if finding.signal else "",
            state=state,
            reason=reason,
        )

    def _decision(self, finding: Finding) -> tuple[FindingState, str]:
        for one in self._comments:
            if finding.line in one.covers and finding.rule in one.rules:
                return "suppressed", one.reason
        allowance = next((one for one in self._allowances if is_allowed(finding, (one,))), None)
        return ("allowed", allowance.reason) if allowance is not None else ("open", "")

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    def _what(self, finding: Finding) -> str:
        said = finding.subject.removeprefix(f"{self._target.name}:")
        by_value = finding.signal is not None and subclass_of(finding.signal.subclass).passes_by_value
        return self._secrets.get(said, said) if by_value else said

    @cached_property
    def _secrets(self) -> dict[str, str]:
        """What is said of each secret, by its digest under this machine's key: its kind, its name, and so little of a
        digest without a key that nobody can try values against it.
        """
        from leeboard.secrets.detection import keyed_digest  # noqa: PLC0415 - only where one was found
        from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - as above

        return {
            keyed_digest(one.value, self._key): " ".join(
                filter(None, (one.kind, redact(one.name)[:60], f"~{keyed_digest(one.value, b'')[:_SHORT]}"))
            )
            for one in find_secrets(self._text, self._target.name)
        }


def _all_of(diff: Diff, place: _Place, disabled: tuple[str, ...]) -> list[Finding]:
    found: list[Finding] = []
    if diff.path in {ALLOWED, BASELINE}:
        return found  # they tell of findings by what these are about
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
    found = detect(_world(diff, place), (rule,), facts.give, scored=False)
    parts = _halves(diff.added) if len(found) >= _AT_ONCE else ()
    rest = (_of_rule(rule, msgspec.structs.replace(diff, added=part), place) for part in parts)
    told = {finding.subject for finding in found}  # of a part it may be judged otherwise: the first may stand outside
    return (*found, *(finding for part in rest for finding in part if finding.subject not in told))


def _halves(added: tuple[tuple[int, int], ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The lines of a change in two parts; none where there is but one line."""
    if len(added) > 1:
        middle = len(added) // 2
        return added[:middle], added[middle:]
    first, last = added[0] if added else (0, 0)
    middle = (first + last) // 2
    return (((first, middle),), ((middle + 1, last),)) if first < last else ()


def _world(diff: Diff, place: _Place) -> World:
    call = ToolCall(id="scan", tool="Write", action="write", paths=(diff.path,), edits=(TextEdit("", diff.after),))
    event = ToolFinished(session="scan", call=call, outcome="done")
    setting = RunSetting(workspace=Workspace(place.root), policy=Policy(), secret_key=place.key)
    return world_of(Analysis(event=event), Session(id="scan"), setting)


@lru_cache(maxsize=1)
def scan_key() -> bytes:
    return secret_key()


def _why_logged(weighed: Weighed) -> str:
    """`placeholder`, `test fixture`, `confidence 0.3 below 0.5`, ...; empty for what is more than logged."""
    if weighed.disposition != "LOG":
        return ""
    told = weighed.trace[-1].removeprefix("LOG: ")
    if told not in weighed.trace:
        return told
    return f"urgency {shown(weighed.urgency)} below {QUEUE_FROM:g}"


def _place(found: PlacedFinding) -> tuple[int, str, str, str]:
    return found.line, found.rule, found.fingerprint, found.message


def unreadable(target: Target) -> str:
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
