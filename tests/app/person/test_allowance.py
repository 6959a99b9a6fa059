"""What a person lets stand, by rule, by id and by path: the same for every surface."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leeboard.app.allowances import scope_rules
from leeboard.app.person.allowance import allowances_for, widenings_for
from leeboard.errors import ConfigError
from leeboard.store.sqlite import SqliteStore, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(open_store(str(tmp_path / "l.db"))) as made:
        yield made


def test_a_rule_and_a_finding(store: SqliteStore, tmp_path: Path) -> None:
    (rule,) = allowances_for(store, str(tmp_path), "tangent", {"reason": "so it is", "until": "2h"})
    assert (rule.rule, rule.fingerprint, rule.reason) == ("tangent", "", "so it is")
    assert rule.until
    (exact,) = allowances_for(store, str(tmp_path), "LB-S002:src/a.py", {"reason": "so it is"})
    assert (exact.rule, exact.fingerprint) == ("", "tangent:src/a.py")


@pytest.mark.parametrize("what", ["nobody", "v0000", "s0000", "credential"])
def test_what_is_unknown_or_a_secret_is_refused(store: SqliteStore, tmp_path: Path, what: str) -> None:
    with pytest.raises(ConfigError):
        allowances_for(store, str(tmp_path), what, {"reason": "why not"})


def test_a_path_is_let_in_for_every_rule_about_places(tmp_path: Path) -> None:
    made = widenings_for(str(tmp_path), (str(tmp_path / "docs"),), "docs ride along", "")
    assert {one.rule for one in made} == {*scope_rules()}
    assert {one.path for one in made} == {"docs"}
    with pytest.raises(ConfigError):
        widenings_for(str(tmp_path), ("/etc",), "no", "")


@pytest.mark.parametrize(
    ("what", "glob"),
    [
        ("self_allowance", ""),
        ("LB-S006", "**"),
        ("self_allowance", ".claude/*"),
        ("self_allowance", "leeboard pause"),
        ("self_allowance:leeboard pause", ""),
    ],
)
def test_the_guard_of_the_guard_is_let_pass_for_one_file_alone(
    store: SqliteStore, tmp_path: Path, what: str, glob: str
) -> None:
    with pytest.raises(ConfigError, match=r"your own terminal; `leeboard pause"):
        allowances_for(store, str(tmp_path), what, {"reason": "x", "glob": glob and str(tmp_path / glob)})
    terms = {"reason": "x", "glob": str(tmp_path / "leeboard.toml")}
    (made,) = allowances_for(store, str(tmp_path), "self_allowance", terms)
    assert (made.rule, made.path) == ("self_allowance", "leeboard.toml")
