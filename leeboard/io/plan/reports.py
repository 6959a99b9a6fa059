"""What review agents said of a stage: `stages/{stage}/reviews/visit-{n}/{agent}.md`, with a line in `reports.jsonl`.

The text is for people. The line is the proof that the report was recorded, for this visit, before the phase moved.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan._folder import Folder
from leeboard.io.plan._signed_lines import append_signed, read_signed
from leeboard.model.effect import RecordReport
from leeboard.model.plan import ReviewReport


def write_report(folder: Folder, slug: str, effect: RecordReport, visit: int, now: str) -> None:
    """The text first: a line never speaks of one that is not there. The newest line of an agent counts."""
    body = effect.body.encode("utf-8", "surrogateescape")
    folder.write(f"{_folder(slug, effect.stage)}/visit-{visit}/{effect.agent}.md", body)
    line = {
        "agent": effect.agent,
        "verdict": effect.verdict,
        "findings": effect.findings,
        "digest": sha256(body).hexdigest(),
        "recorded_at": now,
        "visit": visit,
    }
    append_signed(folder, f"{_folder(slug, effect.stage)}/reports.jsonl", line)


def read_reports(folder: Folder, slug: str, stage: str, visit: int) -> tuple[tuple[ReviewReport, ...], int]:
    """Of this visit, one for each agent, and how many lines somebody else wrote."""
    lines, bad = read_signed(folder, f"{_folder(slug, stage)}/reports.jsonl")
    found: dict[str, ReviewReport] = {}
    for line in lines:
        if line.pop("visit", 0) == visit:
            try:
                report = msgspec.convert(line, ReviewReport)
            except msgspec.ValidationError:
                bad += 1
            else:
                found[report.agent] = report
    return tuple(found.values()), bad


def _folder(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/reviews"
