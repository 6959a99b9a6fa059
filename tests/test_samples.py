"""Every rule's own samples: what must fire, and what must stay silent."""

from __future__ import annotations

import pytest

from leeboard.model.event import ToolProposed
from leeboard.rule import LoadedRule, Sample, discover
from leeboard.testing.scenario import play

FIRES = [(rule, sample) for rule in discover() for sample in rule.fires]
SILENT = [(rule, sample) for rule in discover() for sample in rule.silent]


def _costs(rule: LoadedRule, sample: Sample) -> list[str]:
    """The trace lines of the sample's last action in which the rule takes something from the score."""
    verdict = play(sample.lines).proposed()[-1]
    assert isinstance(play(sample.lines).told[-3].event, ToolProposed), "the last line of a sample is an action"
    return [line for line in verdict.trace if line.startswith(f"{rule.id} -")]


@pytest.mark.parametrize(("rule", "sample"), FIRES, ids=[f"{rule.id}-{sample.name}" for rule, sample in FIRES])
def test_fires(rule: LoadedRule, sample: Sample) -> None:
    assert _costs(rule, sample)


@pytest.mark.parametrize(("rule", "sample"), SILENT, ids=[f"{rule.id}-{sample.name}" for rule, sample in SILENT])
def test_stays_silent(rule: LoadedRule, sample: Sample) -> None:
    assert not _costs(rule, sample)
