from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leeboard.errors import ConfigError
from leeboard.rule import HEADINGS, LoadedRule, discover
from leeboard.surfaces.cli.session.explain import find_rule

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_page_is_shown_whole(desk: Desk) -> None:
    out = desk.ok("explain", "scope-drift").out
    for heading in HEADINGS:
        assert f"## {heading}" in out
    assert "[rules.scope_drift] enabled = false" in out.partition("## Switching it off")[2]
    (found,) = desk.ok("explain", "scope_drift", "--json").objects
    assert found["page"] in out


def test_on_a_terminal_it_is_laid_out(desk: Desk) -> None:
    out = desk.ok("explain", "scope_drift", env={"FORCE_COLOR": "1"}).out
    assert "## " not in out
    assert "What it catches" in out


@pytest.mark.parametrize("rule", discover(), ids=lambda rule: rule.id)
def test_every_rule_is_found_however_it_is_written(rule: LoadedRule) -> None:
    assert find_rule(rule.id.upper().replace("_", "-")).id == rule.id
    assert find_rule(f" {rule.code.lower()} ").id == rule.id


def test_a_misspelt_rule_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean broken_constraint"):
        find_rule("broken_constrain")
    with pytest.raises(ConfigError, match="there are "):
        find_rule("zzz")
