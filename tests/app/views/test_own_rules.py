"""A rule to start from, and what samples show."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.views.own_rules import new_rule, test_rules
from leeboard.app.views.rules import rule_page
from leeboard.errors import ConfigError

test_rules.__test__ = False  # type: ignore[attr-defined]  # its name is not meant for pytest


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))


def test_what_is_written_runs(tmp_path: Path) -> None:
    assert new_rule(str(tmp_path), "use-the-logger") == ".leeboard/rules/use-the-logger.yml"
    run = test_rules(str(tmp_path))
    assert (run.rules, len(run.samples), run.failed, run.untested, run.problems) == (1, 3, 0, (), ())


def test_a_name_that_is_none_or_taken_is_refused(tmp_path: Path) -> None:
    new_rule(str(tmp_path), "a-rule")
    for name in ("a-rule", "../up", "A B", ""):
        with pytest.raises(ConfigError):
            new_rule(str(tmp_path), name)


def test_a_sample_that_does_not_hold_is_named(tmp_path: Path) -> None:
    place = tmp_path / new_rule(str(tmp_path), "use-the-logger")
    place.write_text(place.read_text().replace('code: print("hello")', "code: pass", 1))
    run = test_rules(str(tmp_path))
    assert [(one.place, one.holds) for one in run.samples if not one.holds] == [
        (".leeboard/rules/use-the-logger.yml:13", False)
    ]


def test_explain_knows_it(tmp_path: Path) -> None:
    new_rule(str(tmp_path), "use-the-logger")
    page = rule_page("use-the-logger", str(tmp_path))
    assert (page.id, page.code, page.summary) == ("use-the-logger", "LB-S041", "use the logger, not print")
    assert ".leeboard/rules/use-the-logger.yml" in page.page
