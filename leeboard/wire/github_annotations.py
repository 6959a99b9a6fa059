"""Workflow commands of GitHub Actions: a finding becomes an annotation at its line. One direction only."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.drift import Drifted, DriftReport
from leeboard.model.shown import shown
from leeboard.model.verdict import Finding, Severity
from leeboard.rule import code_of

_COMMANDS: dict[Severity, str] = {"info": "notice", "warn": "warning", "error": "error"}


def render(report: DriftReport) -> Iterator[str]:
    """One line for each finding."""
    for kind in report.findings:
        for finding in kind.findings:
            yield _line(kind, finding)


def _line(kind: Drifted, finding: Finding) -> str:
    title = f"leeboard {kind.kind} {code_of(finding.rule)}".rstrip()
    place = {"file": finding.path, "line": str(finding.line) if finding.line else "", "title": title}
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items() if value)
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(finding.message or kind.summary)}"


def _data(text: str) -> str:
    """Line ends would end the command, and let a path or message write another one; whoever shows the log obeys the
    other control characters.
    """
    text = text.encode("utf-8", "replace").decode()
    return shown(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
