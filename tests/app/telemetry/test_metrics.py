from __future__ import annotations

import os
from pathlib import Path

from leeboard.app.archive import opened_archive
from leeboard.app.telemetry.metrics import Meter, prometheus_text
from leeboard.surfaces import edge
from tests.hook_process import hook_payload, prompt


def test_what_hooks_have_written_down_is_counted_once(user: Path) -> None:
    where = {"cwd": str(user / "repo")}
    meter = Meter(1.0)
    edge.respond(hook_payload("SessionStart", source="startup", **where), os.environ, lambda _answer: None)
    with opened_archive() as store:
        meter.read(store.pages, 5)
    edge.respond(prompt("Fix it", **where), os.environ, lambda _answer: None)
    with opened_archive() as store:
        figures = meter.read(store.pages, 6)
    assert figures.events == {("claude_code", "SessionStart"): 1, ("claude_code", "UserPromptSubmit"): 1}
    assert figures.verdicts == {("allow", ""): 2}
    assert (sum(figures.buckets), figures.memory, figures.queues) == (2, 6, {"corrections": 0, "team": 0})
    text = prometheus_text(figures)
    assert 'leeboard_events_total{client="claude_code",event="SessionStart"} 1\n' in text
    assert 'leeboard_hook_duration_seconds_bucket{le="+Inf"} 2\n' in text
    assert text.endswith("leeboard_resident_memory_bytes 6\n")
