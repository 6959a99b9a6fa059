"""The drift report as JSON, and as the events in which a monitor hands reports on. Both directions.

The shape is the seed's; beside it stands `lane_report`, which is what tools that run several such checkers read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast, get_args

import msgspec

from leeboard.errors import WireError
from leeboard.model.task import SCORES, Drifted, DriftReport, Recommendation
from leeboard.model.verdict import Finding, Severity
from leeboard.rule import code_of

LANE = "speedrift"
EVENT = "drift_report"
EVENT_SCHEMA = 1
EXIT_CODES = {"green": 0, "yellow": 3, "red": 3}
_LANE_SEVERITY: dict[Severity, str] = {"info": "info", "warn": "warning", "error": "error"}
_SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class DriftEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One report as it was handed on."""

    id: str
    """The same event has the same id however often it is read."""
    timestamp: str
    report: DriftReport
    tree: str = ""
    """Digest of the tree that was looked at."""
    base: str = ""


def render(report: DriftReport) -> dict[str, Any]:
    """The report with the keys that other tools of the family read."""
    return {
        "task_id": report.task_id or None,
        "task_title": report.task_title or None,
        "git_root": report.git_root,
        "score": report.score,
        "contract": report.contract,
        "telemetry": report.telemetry,
        "findings": [_finding(one) for one in report.findings],
        "recommendations": [_recommendation(one) for one in report.recommendations],
    }


def lane_report(report: DriftReport) -> dict[str, Any]:
    """The shape that is shared by checkers of this family: one entry a place."""
    places = [_place(kind, finding) for kind in report.findings for finding in kind.findings]
    return {
        "lane": LANE,
        "findings": places,
        "exit_code": EXIT_CODES[report.score],
        "summary": summary_line(report),
    }


def summary_line(report: DriftReport) -> str:
    """One line for a task's log."""
    if report.score == "green" and not report.kinds:
        return "Speedrift: OK (no findings)"
    following = f" | next: {report.recommendations[0].action}" if report.recommendations else ""
    return f"Speedrift: {report.score} ({', '.join(report.kinds)}){following}"


def _finding(one: Drifted) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "severity": one.severity,
        "summary": one.summary,
        "details": one.details,
        "places": [_detail(finding) for finding in one.findings],
    }


def _detail(finding: Finding) -> dict[str, Any]:
    return {
        "fingerprint": finding.fingerprint,
        "code": code_of(finding.rule),
        "severity": finding.severity,
        "path": finding.path or None,
        "line": finding.line or None,
        "message": finding.message,
    }


def _recommendation(one: Recommendation) -> dict[str, Any]:
    made: dict[str, Any] = {"priority": one.priority, "action": one.action, "rationale": one.rationale}
    return made | ({"commands": list(one.commands)} if one.commands else {})


def _place(kind: Drifted, finding: Finding) -> dict[str, Any]:
    return {
        "message": finding.message or kind.summary,
        "severity": _LANE_SEVERITY[finding.severity],
        "file": finding.path or None,
        "line": finding.line or None,
        "tags": [kind.kind],
    }


def render_event(event: DriftEvent) -> bytes:
    """One line, its end included."""
    fields: dict[str, Any] = {
        "kind": EVENT,
        "schema": EVENT_SCHEMA,
        "event_id": event.id,
        "timestamp": event.timestamp,
        "tree": event.tree,
        "base_commit": event.base,
        **render(event.report),
    }
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"  # in ASCII: names need not be valid text


def parse_event(line: bytes) -> DriftEvent | None:
    """The event of one line; None for one of another kind. Raises WireError for what is no event at all."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not valid JSON: {error}") from error
    if not isinstance(fields, dict):
        raise WireError("an event must be an object")
    if fields.get("kind", EVENT) != EVENT:
        return None
    nested = fields.get("report")
    return DriftEvent(
        id=_text(fields, "event_id"),
        timestamp=_text(fields, "timestamp"),
        report=parse(nested if isinstance(nested, dict) else fields),
        tree=_text(fields, "tree"),
        base=_text(fields, "base_commit"),
    )


def parse(fields: Mapping[str, Any]) -> DriftReport:
    """A report from its JSON. Raises WireError where it lacks a score; what else is odd gets its default."""
    score = fields.get("score")
    if score not in SCORES:
        raise WireError(f"score must be one of {', '.join(SCORES)}")
    contract, telemetry = fields.get("contract"), fields.get("telemetry")
    return DriftReport(
        task_id=_text(fields, "task_id"),
        task_title=_text(fields, "task_title"),
        git_root=_text(fields, "git_root"),
        score=score,
        contract=contract if isinstance(contract, dict) else None,
        telemetry=telemetry if isinstance(telemetry, dict) else {},
        findings=tuple(_read_finding(one) for one in _objects(fields, "findings")),
        recommendations=tuple(_read_recommendation(one) for one in _objects(fields, "recommendations")),
    )


def _read_finding(fields: Mapping[str, Any]) -> Drifted:
    severity, details = fields.get("severity"), fields.get("details")
    return Drifted(
        kind=_text(fields, "kind"),
        severity=cast("Severity", severity) if severity in _SEVERITIES else "warn",
        summary=_text(fields, "summary"),
        details=details if isinstance(details, dict) else None,
    )


def _read_recommendation(fields: Mapping[str, Any]) -> Recommendation:
    commands = fields.get("commands")
    return Recommendation(
        priority="high" if fields.get("priority") == "high" else "medium",
        action=_text(fields, "action"),
        rationale=_text(fields, "rationale"),
        commands=tuple(one for one in commands if isinstance(one, str)) if isinstance(commands, list) else (),
    )


def _objects(fields: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = fields.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(fields: Mapping[str, Any], key: str) -> str:
    found = fields.get(key)
    return found if isinstance(found, str) else ""
