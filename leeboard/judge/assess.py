"""What the findings about one action amount to."""

from __future__ import annotations

from leeboard.judge.escalation import level_now
from leeboard.judge.score import score_of
from leeboard.model.contract import Allowance
from leeboard.model.glob import matches
from leeboard.model.session import AgentState, Session
from leeboard.model.signal_class import subclass_of
from leeboard.model.verdict import Assessment, Confidence, Finding, type_of


def confidence_in(session: Session, agent: AgentState) -> Confidence:
    """Low while nothing is known of where the work lies, or what led to it may lie before our time."""
    named = bool(session.goals) and bool(session.goals[-1].scope)
    return "high" if (named or agent.edits) and agent.remembers else "low"


def standing(findings: tuple[Finding, ...], allowances: tuple[Allowance, ...]) -> tuple[Finding, ...]:
    """The findings that no person allowed."""
    return tuple(finding for finding in findings if not is_allowed(finding, allowances))


def is_allowed(finding: Finding, allowances: tuple[Allowance, ...]) -> bool:
    return any(_covers(allowance, finding) for allowance in allowances)


def _covers(allowance: Allowance, finding: Finding) -> bool:
    if allowance.fingerprint:
        return allowance.fingerprint == finding.fingerprint
    if finding.signal is not None and subclass_of(finding.signal.subclass).passes_by_value:
        return False  # a secret is let pass by its digest, never by the place it stands in
    about_rule = not allowance.rule or allowance.rule == finding.rule
    place = finding.path or finding.subject
    return about_rule and (not allowance.path or matches(place, (allowance.path, f"**/{allowance.path}")))


def assess(findings: tuple[Finding, ...], session: Session, agent: AgentState) -> Assessment:
    """Score, type, level, diagnostic and the way back. Low confidence never gets louder than a nudge, but for a cap."""
    confidence = confidence_in(session, agent)
    score = score_of(findings, confidence)
    level = level_now(score, session, unheard=agent.unheard)
    capped = any(finding.cap < 10 for finding in findings)
    if confidence == "low" and not capped and level != "none":
        level = "nudge"
    costly = [finding for finding in findings if finding.delta]
    ordered = sorted(costly, key=lambda finding: (finding.delta, finding.rule, finding.subject))
    return Assessment(
        score=score,
        type=type_of(score),
        level=level,
        confidence="high" if capped else confidence,
        findings=findings,
        diagnostic="; ".join(f"{finding.rule}: {finding.evidence[0].text}" for finding in ordered[:3]),
        recovery=_recovery(ordered, session, agent) if score <= 7 else (),
    )


def _recovery(findings: list[Finding], session: Session, agent: AgentState) -> tuple[str, ...]:
    steps = [finding.remedy for finding in findings if finding.remedy]
    back = agent.last_good or next(iter(session.contract.scope), "")
    steps.append(f"return to the goal in {back}" if back else "return to the goal")
    return tuple(dict.fromkeys(steps))[:3]
