from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.plan import MOST_PARALLEL
from leeboard.model.unit import Unit
from leeboard.plan.machine.hats import cycle, open_wave, overlaps, ready, unresolved, waves
from tests.plan.plan_world import work_unit

FIVE = [work_unit(1), work_unit(2), work_unit(3, 1), work_unit(4, 2), work_unit(5, 3, 4)]


def names(found: tuple[Unit, ...]) -> list[int]:
    return [int(unit.id.split("-")[1]) for unit in found]


def test_five_units_in_three_waves() -> None:
    """SH-29"""
    assert [names(wave) for wave in waves(FIVE)] == [[1, 2], [3, 4], [5]]


@pytest.mark.parametrize(
    ("completed", "active", "expected"),
    [
        ((), (), [1, 2]),
        ((), (1,), [2]),
        ((1,), (), [2]),
        ((1, 2), (), [3, 4]),
        ((1, 2, 3), (), [4]),
        ((1, 2, 3, 4), (), [5]),
        ((1, 2, 3, 4, 5), (), []),
    ],
)
def test_a_wave_opens_when_the_one_before_is_completed(
    completed: tuple[int, ...], active: tuple[int, ...], expected: list[int]
) -> None:
    """SH-29 SH-31: unit 3 waits for unit 2 although it does not depend on it."""
    status = {**dict.fromkeys(completed, "completed"), **dict.fromkeys(active, "active")}
    units = [
        work_unit(at + 1, *(int(name.split("-")[1]) for name in unit.depends_on), status=status.get(at + 1, "pending"))
        for at, unit in enumerate(FIVE)
    ]
    assert names(ready(units)) == expected


def test_as_many_run_at_once_as_are_allowed() -> None:
    units = [work_unit(number, status="active" if number < 4 else "pending") for number in range(1, 10)]
    assert len(ready(units)) == MOST_PARALLEL - 3
    assert ready([work_unit(number, status="active") for number in range(1, 7)]) == ()


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ([work_unit(1, 1)], ("unit-01-part", "unit-01-part")),
        ([work_unit(1, 2), work_unit(2, 1)], ("unit-01-part", "unit-02-part", "unit-01-part")),
        (
            [work_unit(1), work_unit(2, 3), work_unit(3, 2), work_unit(4, 3)],
            ("unit-02-part", "unit-03-part", "unit-02-part"),
        ),
        ([work_unit(1, 9)], ()),
        ([], ()),
        (FIVE, ()),
    ],
)
def test_cycles_are_named(units: list[Unit], expected: tuple[str, ...]) -> None:
    """SH-23"""
    assert cycle(units) == expected


def test_missing_dependencies_are_named() -> None:
    """SH-23"""
    assert unresolved([work_unit(1, 9), work_unit(2, 1)]) == (("unit-01-part", "unit-09-part"),)


@given(st.lists(st.lists(st.integers(1, 8), max_size=4), max_size=8))
def test_any_graph_is_sorted_or_has_a_cycle(wants: list[list[int]]) -> None:
    units = [work_unit(at, *each) for at, each in enumerate(wants, 1)]
    placed = [unit.id for wave in waves(units) for unit in wave]
    assert (len(placed) == len(units)) == (not cycle(units))
    known = {unit.id for unit in units}
    for unit in units:
        if unit.id in placed:
            before = placed[: placed.index(unit.id)]
            assert {*unit.depends_on} & known <= {*before}
    circle = cycle(units)
    by_id = {unit.id: unit for unit in units}
    assert all(after in by_id[name].depends_on for name, after in pairwise(circle))


def test_a_long_chain_is_no_burden() -> None:
    units = [work_unit(number, *([number - 1] if number > 1 else [])) for number in range(1, 3001)]
    assert len(waves(units)) == 3000
    assert open_wave(units) == 0


@pytest.mark.parametrize(
    ("one", "other", "files"),
    [
        ({"touch": ("src/**",)}, {"outputs": ("src/a.py",)}, ["src/a.py", "src/part1.py"]),
        ({"outputs": ("src/a.py",)}, {"outputs": ("src/a.py",)}, ["src/a.py"]),
        ({"touch": ("docs/**",)}, {"touch": ("tests/**",)}, []),
        ({"touch": ("src/**",)}, {"touch": ("src/**",)}, ["src/**", "src/part1.py", "src/part2.py"]),
    ],
)
def test_units_that_change_the_same_files(one: dict[str, Any], other: dict[str, Any], files: list[str]) -> None:
    found = overlaps([work_unit(1, **one), work_unit(2, **other)])
    expected = {"units": ["unit-01-part", "unit-02-part"]}
    assert [each["units"] for each in found] == ([expected["units"]] if files else [])
    if files:
        assert {*found[0]["files"]} <= {*files}
