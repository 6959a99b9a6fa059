"""Secrets that a check finds and people have let stand: a scan of the same change is asked, so that whatever they
decided, by a comment, by the baseline or by a review of a mark, means the same for both.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from leeboard.app.scan.comments import comments_that_count
from leeboard.app.scan.decided import settled
from leeboard.app.scan.judged_text import content_rules, judged_text
from leeboard.app.scan.target import Target
from leeboard.app.scan.told import told_of
from leeboard.app.scan.work import Before, FileScan, Terms, Work
from leeboard.model.lookup import BaseFiles, Files, Tree
from leeboard.model.touch import TreeChange
from leeboard.model.verdict import Finding
from leeboard.rule import same_as
from leeboard.settings.decisions import baseline

Place = tuple[str, int]
"""A finding's fingerprint and line: of two places of one secret a comment may stand at one."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The change, with its files as they are now and as they were."""

    change: TreeChange
    files: Files
    base: BaseFiles
    key: bytes = b""
    """Under which the findings know the secrets."""
    reviewed: bool = False
    """A person has reviewed what the change decides about itself."""


def accepted_secrets(findings: Iterable[Finding], asked: Asked) -> frozenset[Place]:
    """Those among the findings that a scan would leave out."""
    mine = [finding for finding in findings if same_as(finding.rule)]
    names = dict.fromkeys(finding.path for finding in mine)
    before = {Target(name, asked.change.root, name): _before(name, asked) for name in names}
    if not before:
        return frozenset()
    targets = tuple(before)
    scanned = tuple(_scanned((target, Terms(_others(mine)), then), asked) for target, then in before.items())
    done = settled(targets, scanned, {asked.change.root: _accepted(asked)})
    let_be = {place for one in done.scanned for place in _let_be(one)}
    return frozenset(
        (finding.fingerprint, finding.line)
        for finding in mine
        if (f"{same_as(finding.rule)}:{finding.subject}", finding.line) in let_be or _by_own_comment(finding, before)
    )


def _scanned(work: Work, asked: Asked) -> FileScan:
    text = asked.files.text(work[0].name) or ""
    return told_of(text, work, judged_text(text, work, Tree(asked.files), asked.key), asked.key)


def _before(name: str, asked: Asked) -> Before:
    was = next((one.old_path or one.path for one in asked.change.files if one.path == name), name)
    return Before(text=asked.base.text(was) or "", after=asked.files.text(name) or "", reviewed=asked.reviewed)


def _others(mine: Iterable[Finding]) -> tuple[str, ...]:
    """The rules that nobody asks here."""
    asked = {same_as(finding.rule) for finding in mine}
    return tuple(rule.id for rule in content_rules() if rule.id not in asked)


def _accepted(asked: Asked) -> tuple[baseline.AcceptedFinding, ...]:
    """What the baseline accepts: of what the change adds to it only what was reviewed counts."""
    now = baseline.known_entries(asked.files.text(baseline.FILE))
    then = now if asked.reviewed else baseline.known_entries(asked.base.text(baseline.FILE))
    return tuple(one for one in now if one in then)


def _let_be(one: FileScan) -> Iterable[Place]:
    by_mark = (item for item in one.found if item.marked and item.disposition == "LOG")
    return ((item.fingerprint, item.line) for item in (*one.decided, *by_mark))


def _by_own_comment(finding: Finding, before: dict[Target, Before]) -> bool:
    """A comment may name the rule of the check as well."""
    for target, then in before.items():
        if target.name == finding.path:
            comments = comments_that_count(target, then.after or "", then)
            return any(finding.line in one.covers and finding.rule in one.rules for one in comments if not one.problem)
    return False
