"""A project's own rule, as it is kept."""

from __future__ import annotations

import msgspec

from leeboard.model.own_rule import OwnRule, OwnRules, RuleProblem


def test_what_is_compiled_reads_back_the_same() -> None:
    rule = OwnRule(id="a", file="f.yml", message="m", matcher={"rule": {"all": [{"pattern": "x"}]}}, paths=("src/**",))
    kept = OwnRules(rules=(rule,), problems=(RuleProblem(file="f", line=2, key="id", text="t"),))
    assert msgspec.json.decode(msgspec.json.encode(kept), type=OwnRules) == kept


def test_a_problem_reads_as_place_key_and_words() -> None:
    assert str(RuleProblem(file="f.yml", line=2, key="then", text="is wrong")) == "f.yml:2: then: is wrong"
    assert str(RuleProblem(file="f.yml", line=2, key="", text="is wrong")) == "f.yml:2: is wrong"
