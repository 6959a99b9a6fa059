from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.table import KEYS, contract_of
from leeboard.model.contract import MODES, Contract


def test_every_field_of_the_seed_is_read() -> None:
    """SP-10 to SP-19."""
    contract, problems = contract_of(
        {
            "schema": 1,
            "mode": "perf",
            "objective": "faster",
            "non_goals": ["no new API"],
            "touch": ["src/**"],
            "acceptance": ["make test"],
            "max_files": 25,
            "max_loc": 800,
            "pit_stop_after": 4,
            "auto_followups": False,
        }
    )
    assert problems == ()
    assert contract == Contract(
        objective="faster",
        mode="perf",
        non_goals=("no new API",),
        touch=("src/**",),
        acceptance=("make test",),
        max_files=25,
        max_loc=800,
        pit_stop_after=4,
        auto_followups=False,
    )


def test_what_is_not_written_has_its_default() -> None:
    contract, problems = contract_of({}, "the title")
    assert problems == ()
    assert contract == Contract(objective="the title", pit_stop_after=3, auto_followups=True)


@pytest.mark.parametrize("mode", MODES)
def test_the_four_modes(mode: str) -> None:
    contract, problems = contract_of({"mode": mode})
    assert (contract.mode, problems) == (mode, ())


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"schema": 99}, "schema is 99; this version reads 1"),
        ({"schema": True}, "schema is true"),
        ({"mode": "CORE"}, "mode is 'CORE'; did you mean 'core'?"),
        ({"mode": "hardn"}, "did you mean 'harden'?"),
        ({"mode": "zzz"}, "valid are core, harden, perf, explore"),
        ({"mode": 3}, "mode is 3"),
        ({"objective": ["a"]}, "objective must be a text, not a list"),
        ({"touch": "src/**"}, "touch must be a list of texts, not 'src/**': write touch = ['src/**']"),
        ({"touch": ["src/**", 3]}, "touch must be a list of texts; 3 is not one"),
        ({"touch": ["/etc/**"]}, "leads out of the repository"),
        ({"touch": ["a/../../b"]}, "leads out of the repository"),
        ({"max_files": "x"}, "max_files must be a whole number, 0 or more, not 'x'"),
        ({"max_files": "25"}, "write 25"),
        ({"max_loc": -1}, "max_loc must be a whole number"),
        ({"max_loc": True}, "max_loc must be a whole number"),
        ({"auto_followups": "no"}, "auto_followups must be true or false"),
        ({"touchs": ["src/**"]}, "touchs is not a key of a contract; did you mean 'touch'?"),
    ],
)
def test_a_slip_is_named_with_the_nearest_valid(table: dict[str, object], said: str) -> None:
    """SP-11: never silence."""
    _, problems = contract_of(table)
    assert [said in problem.text for problem in problems] == [True]
    assert problems[0].key in table


def test_a_slip_leaves_the_rest_standing() -> None:
    contract, problems = contract_of({"mode": "coer", "touch": ["src/**"], "max_files": "x", "max_loc": 10})
    assert len(problems) == 2
    assert (contract.mode, contract.touch, contract.max_files, contract.max_loc) == ("core", ("src/**",), None, 10)


@pytest.mark.parametrize("key", ["owner", "x-team", "allowed_paths", "verify"])
def test_keys_of_others_are_left_alone(key: str) -> None:
    assert contract_of({key: ["a"]})[1] == ()


def test_names_other_tools_use_are_understood() -> None:
    contract, _ = contract_of({"allowed_paths": ["src/**"], "verify": "make test"})
    assert (contract.touch, contract.acceptance) == (("src/**",), ("make test",))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=12), _JSON, max_size=6))
def test_no_table_is_too_odd(table: dict[str, object]) -> None:
    contract, problems = contract_of(table, "t")
    assert contract.mode in MODES
    assert all(problem.text for problem in problems)
