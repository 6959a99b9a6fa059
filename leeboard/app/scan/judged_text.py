"""The content rules over one text as if somebody had just written it: the rules themselves, on a made-up event."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from leeboard.analysis.patch import compare
from leeboard.app.handle import EventFacts, RunSetting, load_rules, world_of
from leeboard.app.scan.env_file import env_findings
from leeboard.app.scan.kept import KeptText
from leeboard.app.scan.target import Target
from leeboard.app.scan.unanalysed import unread_reason
from leeboard.app.scan.work import Before, Work
from leeboard.io.places import secret_key
from leeboard.judge.score import detect
from leeboard.judge.urgency import whole_file
from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.lookup import Around, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Finding, subclass_of
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule
from leeboard.settings.decisions import ALLOWED, BASELINE
from leeboard.store.memory import MemoryStore


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


@lru_cache(maxsize=4)
def rules_for(disabled: tuple[str, ...], indexed: bool) -> tuple[LoadedRule, ...]:  # noqa: FBT001 - part of a key
    return content_rules(disabled, indexed=indexed)


@lru_cache(maxsize=1)
def scan_key() -> bytes:
    return secret_key()


def judged_text(text: str, work: Work, tree: Tree, key: bytes) -> KeptText:
    """What the rules say of a text; nothing is read but through the tree."""
    target, terms, before = work
    place = _Place(target.root, Around(MemoryStore(), "scan", tree), tree.symbols() is not None, key)
    findings = _all_of(_diff(target, text, before), place, terms.disabled)
    if "credential" not in terms.disabled and before is None:
        findings += env_findings(target.name, text, tree.files, key)
    return KeptText(tuple(findings), unread_reason(target.name, text))


def _diff(target: Target, text: str, before: Before | None) -> Diff:
    if before is None:
        return whole_file(target.name, text)
    added, removed = compare(before.text, text)
    return Diff(path=target.name, after=text, before=before.text, added=added, removed=removed)


def _all_of(diff: Diff, place: _Place, disabled: tuple[str, ...]) -> list[Finding]:
    found: list[Finding] = []
    if diff.path in {ALLOWED, BASELINE}:
        return found  # they tell of findings by what these are about
    for rule in rules_for(disabled, place.indexed):
        facts = EventFacts(around=place.around, diffs=(diff,))
        found += filter(_is_told, detect(_world(diff, place), (rule,), facts.give, scored=False))
    return found


def _is_told(finding: Finding) -> bool:
    """What is only alike is worth a line in the report of a session; in a tree that is there it is everywhere."""
    signal = finding.signal
    return signal is None or not is_copy(signal.subclass) or not signal.log_only


def is_copy(subclass: str) -> bool:
    return subclass_of(subclass).scan == "copies"


def _world(diff: Diff, place: _Place) -> World:
    call = ToolCall(id="scan", tool="Write", action="write", paths=(diff.path,), edits=(TextEdit("", diff.after),))
    event = ToolFinished(session="scan", call=call, outcome="done")
    setting = RunSetting(workspace=Workspace(place.root), policy=Policy(), secret_key=place.key)
    return msgspec.structs.replace(world_of(Analysis(event=event), Session(id="scan"), setting), tells_all=True)
