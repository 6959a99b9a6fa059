"""Every kind of result that is told, held against the schema that the makers of SARIF published."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped] # it has no types
from msgspec.structs import replace

from leeboard.model.verdict import Disposition, PlacedFinding
from leeboard.report.sarif import render_sarif
from leeboard.rule import discover

_SCHEMA = Path(__file__).parents[1] / "fixtures" / "sarif" / "schema-2.1.0.json"
_PLAIN = PlacedFinding(
    rule="injection",
    subclass="B2",
    path="src/a b.py",
    line=3,
    confidence=0.92,
    disposition="FIRE",
    message="A value reaches SQL.",
    fingerprint="injection:x",
)
RESULTS = {
    "plain": _PLAIN,
    "only logged": replace(_PLAIN, disposition="LOG", note="test fixture"),
    "with its way": replace(_PLAIN, steps=(1, 2, 3), name="src/a b.py", what="f:sql:execute"),
    "without a line": replace(_PLAIN, line=0),
    "without a place": replace(_PLAIN, path="", line=0),
    "elsewhere": replace(_PLAIN, path="/srv/\udcff.py"),
    "let stand by a comment": replace(_PLAIN, state="suppressed", reason="an own table"),
    "allowed": replace(_PLAIN, state="allowed", reason=""),
    "in the baseline": replace(_PLAIN, state="baseline"),
    "gone from the baseline": replace(_PLAIN, state="absent", line=0),
    "of a rule that is not listed": replace(_PLAIN, rule="own_rule"),
}


@cache
def _validator() -> Draft7Validator:
    return Draft7Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("compared", [(), ("FIRE", "QUEUE", "LOG")], ids=["alone", "compared"])
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_log_is_what_the_schema_says(result: PlacedFinding, compared: tuple[Disposition, ...]) -> None:
    made = render_sarif((result,), discover(), "1.2.3", [("a.bin", "binary")], compared=frozenset(compared))
    assert not [error.message for error in _validator().iter_errors(json.loads(json.dumps(made)))]


def test_the_schema_is_asked() -> None:
    made = render_sarif((_PLAIN,), (), "1.2.3")
    made["runs"][0]["results"][0]["level"] = "fatal"
    assert [error.message for error in _validator().iter_errors(made)]
