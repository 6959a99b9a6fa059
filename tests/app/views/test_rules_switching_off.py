from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.rules import switching_off
from leeboard.rule import LoadedRule, discover

RULE_PAGES = Path(__file__).resolve().parents[3] / "docs" / "rules"


@pytest.mark.parametrize("rule", discover(), ids=lambda rule: rule.id)
def test_the_written_page_says_the_same(rule: LoadedRule) -> None:
    page = (RULE_PAGES / f"{rule.id}.md").read_text(encoding="utf-8")
    assert page.endswith(f"\n\n{switching_off(rule)}\n")


def test_a_secret_is_let_pass_by_its_id_alone() -> None:
    by_id = {rule.id: switching_off(rule) for rule in discover()}
    assert "leeboard allow ID --reason WHY" in by_id["credential"]
    assert "--path" not in by_id["credential"]
    assert "leeboard allow injection --path GLOB" in by_id["injection"]
