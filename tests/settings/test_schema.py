"""The schema and the parser say the same of a file."""

from __future__ import annotations

import json
import tomllib

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped] # it has no types

from leeboard.contracts.table import KEYS
from leeboard.rule import discover
from leeboard.settings import toml
from leeboard.settings.model_judge import JUDGE_KEYS
from leeboard.settings.schema import settings_schema

SCHEMA = settings_schema()
VALID = [
    "",
    'profile = "observe"',
    "idle_minutes = 0.5",
    "[rules.circling]\nenabled = false",
    "[rules.LB-S004]\nenabled = true",
    "[interrupts]\nbudget = 0\nqueued = 1000",
    '[goal]\nscope = ["src/**"]\nconstraints = ["no new packages"]',
    '[truth]\ntrack = ["docs/**"]\n[protect]\nfiles = ["LICENSE", "!a"]',
    '[contract]\nschema = 1\nmode = "perf"\nmax_files = 0\nverify = "make test"\nof_another_tool = 3',
    '[judge]\nendpoint = "https://models.example/v1"\nmodel = "small"\nseconds = 1.5',
]
INVALID = [
    'profil = "observe"',
    'profile = "loud"',
    "idle_minutes = 0",
    "idle_minutes = true",
    "[rules.no_such_rule]\nenabled = false",
    '[rules.circling]\nenabled = "no"',
    "[rules.circling]\nseverity = 1",
    "[interrupts]\nbudget = 1001",
    "[interrupts]\nbudget = 1.5",
    "[interrupts]\nbudget = true",
    'goal = "all"',
    '[goal]\nscope = "src"',
    '[goal]\nscope = ["  "]',
    "[truth]\ntracks = []",
    "[protect]\nfiles = [1]",
    '[contract]\nmode = "quick"',
    "[contract]\nschema = 2",
    "[contract]\nmax_loc = -1",
    '[judge]\nmodel = "small"',
    '[judge]\nendpoint = "models.example"\nmodel = "small"',
    '[judge]\nendpoint = "https://models.example"\nmodel = "small"\nbudget = 0',
    '[judge]\nendpoint = "https://models.example"\nmodel = "small"\nseconds = 121',
]


def test_it_is_a_schema() -> None:
    Draft7Validator.check_schema(json.loads(json.dumps(SCHEMA)))


@pytest.mark.parametrize("text", [*VALID, *INVALID])
def test_what_the_parser_takes_it_takes_too_and_nothing_else(text: str) -> None:
    problems = toml.parse_tolerantly(text, "leeboard.toml")[1]
    faults = list(Draft7Validator(SCHEMA).iter_errors(tomllib.loads(text)))
    assert bool(faults) == bool(problems) == (text in INVALID), (faults, problems)


def test_every_key_and_rule_is_in_it_with_a_description() -> None:
    tables = SCHEMA["properties"]
    assert set(tables) == set(toml._KEYS)
    assert set(tables["judge"]["properties"]) == set(JUDGE_KEYS)
    assert set(tables["contract"]["properties"]) >= set(KEYS)
    assert set(tables["interrupts"]["properties"]) == set(toml.INTERRUPTS)
    assert set(tables["rules"]["properties"]) == {name for rule in discover() for name in (rule.id, rule.code)}
    keys = [key for table in tables.values() for key in (table, *table.get("properties", {}).values())]
    assert all(key["description"] for key in keys)


def test_defaults_are_those_of_an_empty_file() -> None:
    policy = toml.parse("", "leeboard.toml").policy
    tables = SCHEMA["properties"]
    assert tables["profile"]["default"] == policy.profile
    assert tables["idle_minutes"]["default"] * 60 == policy.idle_seconds
    for name, field in toml.INTERRUPTS.items():
        assert tables["interrupts"]["properties"][name]["default"] == getattr(policy, field)
