"""Every rule's own samples: what must fire, and what must stay silent."""

from __future__ import annotations

import pytest

from leeboard.model.event import ToolProposed, TurnEnded
from leeboard.model.verdict import Finding, Verdict
from leeboard.rule import LoadedRule, Sample, discover
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import ScenarioAnswer, play

FIRES = [(rule, sample) for rule in discover() for sample in rule.fires]
SILENT = [(rule, sample) for rule in discover() for sample in rule.silent]


def _last_line(told: list[ScenarioAnswer]) -> list[Verdict]:
    """The verdicts on what the last line of a scenario brought: one message, or calls with their results."""
    start = len(told) - 1
    if isinstance(told[-1].event, TurnEnded):
        calls = len(told[-1].event.calls)
        start = len(told) - 1 - 2 * calls
        assert isinstance(told[start].event, ToolProposed)
    return [one.verdict for one in told[start:] if one.verdict is not None]


def _found(rule: LoadedRule, sample: Sample) -> list[Finding]:
    """What the rule found in the last line: what takes from the score, or has a signal that is not merely noted."""
    store = MemoryStore()
    verdicts = _last_line(play(sample.lines, store=store).told)
    found = [finding for verdict in verdicts for finding in store.findings(verdict.id) if finding.rule == rule.id]
    return [finding for finding in found if finding.delta or (finding.signal and not finding.signal.log_only)]


@pytest.mark.parametrize(("rule", "sample"), FIRES, ids=[f"{rule.id}-{sample.name}" for rule, sample in FIRES])
def test_fires(rule: LoadedRule, sample: Sample) -> None:
    assert _found(rule, sample)


@pytest.mark.parametrize(("rule", "sample"), SILENT, ids=[f"{rule.id}-{sample.name}" for rule, sample in SILENT])
def test_stays_silent(rule: LoadedRule, sample: Sample) -> None:
    assert not _found(rule, sample)
