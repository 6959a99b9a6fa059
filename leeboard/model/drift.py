"""The drift report: what a work tree is against what was promised for it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from leeboard.model.verdict import Finding, Severity

Score = Literal["green", "yellow", "red"]
SCORES: tuple[Score, ...] = ("green", "yellow", "red")


class Drifted(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of one kind."""

    kind: str
    severity: Severity
    summary: str
    details: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()


class Recommendation(msgspec.Struct, frozen=True, kw_only=True):
    """A countersteer: what would bring the work back."""

    priority: Literal["high", "medium"]
    action: str
    rationale: str
    commands: tuple[str, ...] = ()


class DriftReport(msgspec.Struct, frozen=True, kw_only=True):
    task_id: str
    """Empty where the contract does not come from a task."""
    task_title: str
    git_root: str
    score: Score
    contract: dict[str, Any] | None
    """As it is written, unknown keys too; `{"parse_error": ...}` where it is no TOML, None where there is none."""
    telemetry: dict[str, Any]
    findings: tuple[Drifted, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of what drifted, sorted; what is only worth knowing is no drift."""
        return tuple(sorted({one.kind for one in self.findings if one.severity != "info"}))
