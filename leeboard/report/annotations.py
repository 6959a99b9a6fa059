"""Findings as workflow commands of GitHub Actions: each becomes an annotation at its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leeboard.model.task import Drifted, DriftReport
from leeboard.model.text import shown
from leeboard.model.verdict import Disposition, Finding, PlacedFinding, Severity
from leeboard.rule import code_of
from leeboard.secrets.redaction import redact_shaped

_LEVELS: dict[Disposition, str] = {"FIRE": "error", "QUEUE": "warning", "LOG": "notice"}
_COMMANDS: dict[Severity, str] = {"info": "notice", "warn": "warning", "error": "error"}


def render_annotations(report: DriftReport) -> Iterator[str]:
    """One line for each finding."""
    for kind in report.findings:
        for finding in kind.findings:
            yield _line(kind, finding)


def annotate_placed(found: Iterable[PlacedFinding]) -> Iterator[str]:
    """The same for findings in files. Paths are told from the top of the work tree, where a build looks for them."""
    for one in found:
        yield _annotation(_LEVELS[one.disposition], one.rule, (one.name or one.path, one.line, one.rule), one.message)


def _line(kind: Drifted, finding: Finding) -> str:
    place = (finding.path, finding.line, kind.kind)
    return _annotation(_COMMANDS[finding.severity], finding.rule, place, finding.message or kind.summary)


def _annotation(level: str, rule: str, place: tuple[str, int, str], message: str) -> str:
    path, line, about = redact_shaped(place[0]), place[1], place[2]
    told = {"file": path, "line": str(line) if line else "", "title": f"leeboard {about} {code_of(rule)}".rstrip()}
    properties = ",".join(f"{name}={_property(value)}" for name, value in told.items() if value)
    return f"::{level} {properties}::{_data(redact_shaped(message))}"


def _data(text: str) -> str:
    """Line ends would end the command, and let a path or message write another one; whoever shows the log obeys the
    other control characters.
    """
    text = text.encode("utf-8", "replace").decode()
    return shown(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
