from __future__ import annotations

import pytest

from leeboard.app.views.rules import find_rule, rule_page, rule_views
from leeboard.errors import ConfigError
from leeboard.rule import LoadedRule, discover


@pytest.mark.parametrize("rule", discover(), ids=lambda rule: rule.id)
def test_every_rule_is_found_however_it_is_written(rule: LoadedRule) -> None:
    assert find_rule(rule.id.upper().replace("_", "-")).id == rule.id
    assert find_rule(f" {rule.code.lower()} ").id == rule.id


def test_a_misspelt_rule_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean broken_constraint"):
        find_rule("broken_constrain")
    with pytest.raises(ConfigError, match="`leeboard rules` shows them all"):
        find_rule("zzz")


def test_a_rule_has_the_same_line_in_the_table_and_on_its_page() -> None:
    lines = {view.id: view for view in rule_views()}
    page = rule_page("secret_found")
    assert (page.code, page.refuses, page.summary) == (
        lines[page.id].code,
        lines[page.id].refuses,
        lines[page.id].summary,
    )
    assert "## Switching it off" in page.page
    assert {view.refuses for view in lines.values()} <= {"always", "certain", "enforce", "never"}
