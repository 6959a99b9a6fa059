"""People read of findings and corrections. What formats call them stands in formats and in the report's own section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.surfaces.cli.leaking import leak

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

OF_FORMATS = re.compile(
    r"\b(?:FIRE|QUEUE|LOG|INJECT|ASK|DENY|ALLOW|HALT|NUDGE|INTERVENE|CLASS-[A-DV]|[A-D][1-3]|V[1-6])\b"
    r"|\b(?:[Ii]nterrupts?|fired|ToolProposed|ToolFinished|PromptGiven|Stopped)\b"
)
SECTION = "SCAFFOLD-WATCH SESSION REPORT"


def test_no_command_shows_people_the_names_of_formats(drifted: Desk) -> None:
    leak(drifted)
    (report,) = drifted.ok("report", "--json").objects
    whys = [drifted.ok("why", one["id"]).out for one in report["said"]]
    signals = [drifted.ok("why", one["id"]).out for one in report["detections"]["interrupts_fired"]]
    lines = ("status", "watch --once", "watch --once --all", "report", "report --markdown", "statusline", "demo")
    shown = [drifted.ok(*line.split()).out.partition(SECTION)[0] for line in lines]
    assert len(whys) == len(report["said"]) >= 2
    assert [line for out in (*shown, *whys, *signals) for line in out.splitlines() if OF_FORMATS.search(line)] == []


def test_one_counter_counts_all_that_was_said(drifted: Desk) -> None:
    """A refusal without a score beside a correction with one."""
    leak(drifted)
    (report,) = drifted.ok("report", "--json").objects
    said = len(report["said"])
    refused = sum(one["how"] == "refused" for one in report["said"])
    status = " ".join(drifted.ok("status").out.split())
    assert f"{said} corrections said, {refused} of them refused a call" in status
    assert f"{said} said, {refused} refused" in drifted.ok("statusline").out
    assert f"{said} corrections: {refused} refused" in " ".join(drifted.ok("report").out.split())
