"""The goal judge is fitted from rows: the same rows give the same table, and it says what they say."""

from __future__ import annotations

import json
import random
import tomllib

import pytest

from leeboard.analysis.ties.weight import GoalTable, goal_table, judging_by
from tools.curves import Fit, edges_of, quantile
from tools.fit_goal import SIGNS, fitted, read_rows, unseen
from tools.judge_rows import DOUBTS_NOTHING, rows_of, sessions_of

GIVEN = goal_table().given


def rows(count: int = 240) -> bytes:
    """Own files that were found and lie near, strangers that were not and do not, and some of each that are unlike."""
    dice = random.Random(3)
    lines = []
    for number in range(count):
        stranger = number % 2
        like = dice.random() < 0.9
        facts = {"found": 0.6 if like != bool(stranger) else 0.0, "near": round(dice.random() / (1 + stranger), 4)}
        told = {"kind": "easy", "pair": f"p:{number}", "nth": 0} if stranger else {"at": number, "file": number}
        row = {"group": f"s{number // 12}", "repo": "r", "given": {}, "y": stranger, "facts": facts, **told}
        lines.append(json.dumps(row))
    return "\n".join(lines).encode()


def test_the_same_rows_give_the_same_bytes() -> None:
    once, twice = (fitted(rows(), GIVEN) for _ in range(2))
    assert once == twice
    assert once != fitted(rows(228), GIVEN)


def test_what_was_found_belongs_and_what_was_not_is_strange() -> None:
    table = tomllib.loads(fitted(rows(), GIVEN, speak=2.0))
    weights = table["curves"]["found"]["weights"]
    assert weights[0] > 0 > weights[-1]
    assert table["speak"] == 2.0
    assert table["given"] == GIVEN


def test_no_curve_goes_against_common_sense() -> None:
    """Rows in which strangers are the ones that were found teach nothing, since that can not be the reason."""
    told = [json.loads(line) for line in rows().splitlines()]
    upside_down = [{**row, "y": 1 - row["y"], "project": "r"} for row in told]
    assert set(Fit(upside_down, SIGNS).columns["found"].curve) == {0.0}


def test_a_fit_is_measured_on_what_it_has_not_seen() -> None:
    told = list(unseen(read_rows(rows()), GIVEN, 1.0))
    assert [line.partition(",")[0] for line in told] == [
        "half 1 of the recorded sessions",
        "half 2 of the recorded sessions",
    ]
    assert all("easy 100 % of" not in line and "easy none" not in line for line in told), "some strangers look alike"


def test_rows_do_not_depend_on_the_table_in_force() -> None:
    sessions = [one for one in sessions_of("tests/sessions") if one.repo == "tidecli"][:4]
    as_it_is = list(rows_of(sessions))
    doubts_all = GoalTable(provenance={}, bias=9.0, speak=0.1, bare=9.0, given=DOUBTS_NOTHING.given, curves={})
    with judging_by(doubts_all):
        assert list(rows_of(sessions)) == as_it_is
    assert goal_table() is not doubts_all


def test_what_a_table_is_unsure_of_is_weighed_again_at_its_next_change() -> None:
    sessions = [one for one in sessions_of("tests/sessions") if one.repo == "lintlens"][:3]
    unsure = GoalTable(provenance={}, bias=0.0, speak=2.0, bare=0.0, given=GIVEN, curves={})
    plain, unsurely = list(rows_of(sessions)), list(rows_of(sessions, 1, unsure))
    assert len([row for row in unsurely if "facts" in row]) > len([row for row in plain if "facts" in row])
    assert plain[0]["given"] == unsurely[0]["given"], "what holds of a path does not depend on what it weighs"


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0)])
def test_quantiles_lie_between_the_values(share: float, value: float) -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0], share) == value


def test_few_values_are_edges_themselves_and_of_many_some_are() -> None:
    assert edges_of([0.0, 0.5, 1.0, 0.5]) == [0.5, 1.0]
    assert 3 <= len(edges_of([number / 1000 for number in range(1000)])) <= 9
