from __future__ import annotations

import pytest

from leeboard.settings.model_judge import JudgeSettings, judge_of
from leeboard.settings.toml import parse_tolerantly

GOOD = {"endpoint": "https://models.example", "model": "small"}


def test_a_model_needs_a_place_and_a_name() -> None:
    assert judge_of(GOOD) == (JudgeSettings(endpoint="https://models.example", model="small"), ())
    assert judge_of({}) == (None, ())
    judge, faults = judge_of({"model": "small"})
    assert judge is None
    assert faults == (("endpoint", "is needed, else no model is asked"),)


@pytest.mark.parametrize(
    ("key", "value"),
    [("api", "other"), ("budget", 0), ("budget", 1.5), ("seconds", True), ("seconds", 1_000), ("key_env", 7)],
)
def test_one_fault_leaves_the_rest(key: str, value: object) -> None:
    judge, faults = judge_of({**GOOD, key: value})
    assert judge == JudgeSettings(endpoint="https://models.example", model="small")
    assert [name for name, _ in faults] == [key]


def test_an_address_that_is_none_names_no_model() -> None:
    judge, faults = judge_of({**GOOD, "endpoint": "file:///etc/passwd"})
    assert judge is None
    assert "https://" in faults[0][1]


def test_the_file_names_line_and_key() -> None:
    settings, problems = parse_tolerantly(
        '[judge]\nmodle = "x"\nmodel = "m"\nendpoint = "https://e"\n', "leeboard.toml"
    )
    assert settings.judge == JudgeSettings(endpoint="https://e", model="m")
    (problem,) = problems
    assert problem.startswith("leeboard.toml:2: judge.modle is not a setting; did you mean model?")
