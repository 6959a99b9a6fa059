"""What the rules find in one event, each on its own: which of them are asked, and how what they found is kept."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import Event
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import LoadedRule, listening
from leeboard.secrets.redaction import redact, redact_shaped

if TYPE_CHECKING:
    from leeboard.judge.signals import Give


def detect(world: World, rules: tuple[LoadedRule, ...], give: Give, *, scored: bool) -> tuple[Finding, ...]:
    """What every listening rule finds. A rule that crashes is itself a finding; the others still count."""
    found: list[Finding] = []
    event = world.analysis.event
    for loaded in _asked(rules, type(event), scored=scored, guarded=bool(world.plan_root)):
        try:
            found += map(_without_secrets, loaded.detect(event, world, *map(give, loaded.wants)))
        except Exception as crash:  # noqa: BLE001 - one broken rule must not silence the others
            text = f"{loaded.id} crashed: {type(crash).__name__}"
            found.append(Finding(rule="detector_crash", subject=loaded.id, evidence=(Evidence(text),)))
    return tuple(sorted(found, key=_class_by_class)) if found else ()


@lru_cache(maxsize=64)
def _asked(rules: tuple[LoadedRule, ...], event: type[Event], *, scored: bool, guarded: bool) -> tuple[LoadedRule, ...]:
    """The rules that judge such an event: what takes from the score speaks of actions only, guards of a workflow."""
    return tuple(
        loaded
        for loaded in listening(rules, event)
        if (guarded if loaded.channel == "guard" else scored or loaded.channel != "score")
    )


def _without_secrets(finding: Finding) -> Finding:
    """Rules see raw text; what they say of it is kept. A finding about a secret names its digest, never itself."""
    if finding.signal is None and not finding.message:
        return _named_bare(finding)
    return replace(
        finding,
        # What has no signal is about a path or a key, by which sessions, trees and allowances know it again: of those
        # only what is a secret by its own signs goes, the same wherever it is met.
        subject=redact(finding.subject) if finding.signal else redact_shaped(finding.subject),
        path=redact_shaped(finding.path),
        evidence=tuple(Evidence(redact(item.text), item.delta) for item in finding.evidence),
        message=redact(finding.message),
        remedy=redact(finding.remedy),
    )


def _named_bare(finding: Finding) -> Finding:
    subject, path = redact_shaped(finding.subject), redact_shaped(finding.path)
    same = subject == finding.subject and path == finding.path
    return finding if same else replace(finding, subject=subject, path=path)


def _class_by_class(finding: Finding) -> tuple[str, str, str]:
    """What takes from the score, then A, B, C, D."""
    return finding.signal.subclass if finding.signal else "", finding.rule, finding.subject
