"""The figures of a judge: what counts as silence, and what as noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.splice_figures import load, measure, report

HOST = """@ round the cart total in src/cart/total.ts
edit src/cart/total.ts
  - a
  + b
edit src/cart/lines.ts
  - a
  + b
"""
DONOR = """@ style the theme
edit src/styles/theme.css
  - a
  + b
edit src/styles/button.css
  - a
  + b
edit src/styles/form.css
  - a
  + b
"""


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    for folder in ("shop", "_holdout/depot"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "cart.txt").write_text(HOST, encoding="utf-8")
        (tmp_path / folder / "theme.txt").write_text(DONOR, encoding="utf-8")
    return str(tmp_path)


def deaf(_data: bytes) -> list[dict[str, Any]]:
    return []


def alarmed(data: bytes) -> list[dict[str, Any]]:
    """Speaks at the first spliced edit, and at every session that has none."""
    spliced = b"toolu_spliced_1" in data
    return [{"kind": "verdict", "tool_use_id": "toolu_spliced_1" if spliced else "x", "action": "INJECT", "rules": []}]


def test_silence_is_neither_noisy_nor_noticing(corpus: str) -> None:
    found = measure(corpus, deaf)
    assert (found.sessions, found.noisy, found.alarms) == (2, 0, ())
    assert {rate.kind: rate.heard for rate in found.rates} == {"foreign-folder": 0, "same-folder": 0}
    assert found.rates[0].misses


def test_speech_is_noise_in_peace_and_noticing_in_drift(corpus: str) -> None:
    found = measure(corpus, alarmed)
    assert found.noisy == 2
    assert found.rates[0].heard == found.rates[0].total > 0


def test_spliced_edits_may_come_without_the_reads_of_the_session(corpus: str) -> None:
    seen: list[bytes] = []

    def watching(data: bytes) -> list[dict[str, Any]]:
        seen.append(data)
        return []

    measure(corpus, watching, with_reads=True, spliced_reads=False)
    spliced = [data for data in seen if b"toolu_spliced_1" in data]
    assert spliced
    assert all(b"toolu_spliced_1_read" not in data for data in spliced)
    assert all(b'"Read"' in data for data in spliced)
    seen.clear()
    measure(corpus, watching, with_reads=True)
    assert any(b"toolu_spliced_1_read" in data for data in seen)


def test_the_held_out_half_is_apart(corpus: str) -> None:
    assert [one.name for one in load(corpus, held_out=False)] == ["shop/cart", "shop/theme"]
    assert [one.name for one in load(corpus, held_out=True)] == ["depot/cart", "depot/theme"]


def test_the_report_begins_with_what_is_to_be_noticed(corpus: str) -> None:
    headings = [line for line in report(corpus, deaf).splitlines() if line.startswith("== ")]
    assert headings[0] == "== tuning, reads, spliced edits without: 2 sessions"
    assert len(headings) == 6
