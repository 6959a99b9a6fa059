"""What review agents said of a stage: `stages/{stage}/reviews/visit-{n}/{agent}.md`, with a line in `reports.jsonl`.

The text is for people. The line is the proof that the report was recorded, for this visit, before the phase moved.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan._signed_lines import SignedLines, with_line
from leeboard.io.plan.folder import Folder
from leeboard.model.effect import RecordReport
from leeboard.model.gate import ReviewReport


def write_report(folder: Folder, slug: str, effect: RecordReport, visit: int) -> None:
    """The text, before the line: that never speaks of one that is not there."""
    folder.write(f"{_folder(slug, effect.stage)}/visit-{visit}/{effect.agent}.md", _body(effect))


def with_report(text: str, slug: str, effect: RecordReport, visit: int, now: str) -> str:
    """The file of lines with one more. The newest line of an agent counts."""
    line = {
        "agent": effect.agent,
        "verdict": effect.verdict,
        "findings": list(effect.findings),
        "digest": sha256(_body(effect)).hexdigest(),
        "recorded_at": now,
        "visit": visit,
    }
    return with_line(reports_file(slug, effect.stage), text, line)


def read_reports(lines: SignedLines, visit: int) -> tuple[tuple[ReviewReport, ...], int]:
    """Of this visit, one for each agent, and how many lines somebody else wrote."""
    found: dict[str, ReviewReport] = {}
    bad = lines.bad
    for line in lines.good:
        if line.get("visit", 0) == visit:
            try:
                report = msgspec.convert(line, ReviewReport)
            except msgspec.ValidationError:
                bad += 1
            else:
                found[report.agent] = report
    return tuple(found.values()), bad


def reports_file(slug: str, stage: str) -> str:
    return f"{_folder(slug, stage)}/reports.jsonl"


def _body(effect: RecordReport) -> bytes:
    return effect.body.encode("utf-8", "surrogateescape")


def _folder(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/reviews"
