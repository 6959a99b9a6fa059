from __future__ import annotations

import pytest

from leeboard.plan.files.files import guarding, guarding_changes, parse_settings


def lines(text: str) -> tuple[str, ...]:
    return guarding(parse_settings(text))


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("", "", []),
        ("", "studio: small\n", []),
        ("", "drift_detection: true\ndrift_ignore: []\nhuman_write_require_rationale: false\n", []),
        ("", "drift_detection: no way\n", []),
        ("", "drift_detection: false\n", ["drift_detection was switched off"]),
        ("drift_detection: false\n", "", ["drift_detection was switched on"]),
        ("drift_ignore: [a]\n", "drift_ignore: [a, b]\n", ["drift_ignore was changed"]),
        ("review_agents: {a: true, b: true}\n", "review_agents: {b: true, a: true}\n", []),
        ("review_agents: {a: true}\n", "review_agents: {a: false}\n", ["review_agents was changed"]),
        ("quality_gates: ['make test']\ngate_timeout: 9\n", "gate_timeout: 9\n", ["quality_gates was taken out"]),
        ("quality_gates: ['make test']\n", "quality_gates: [\n", ["quality_gates was taken out"]),
        ("", "drift_seconds: 0.1\ngate_timeout: 1\n", ["drift_seconds was set", "gate_timeout was set"]),
        ("human_write_require_rationale: true\n", "", ["human_write_require_rationale was taken out"]),
    ],
)
def test_what_changed_is_told(was: str, now: str, told: list[str]) -> None:
    found = guarding_changes(lines(was), lines(now))
    assert [text.split(" in .haiku/")[0] for text in found] == told


def test_nothing_is_told_where_nothing_was_noted() -> None:
    assert guarding_changes((), lines("drift_detection: false\n")) == ()
    assert guarding_changes(lines(""), ()) == ()
