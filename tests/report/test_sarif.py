from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from leeboard.model.verdict import Disposition, PlacedFinding
from leeboard.report.sarif import render_sarif
from leeboard.rule import read_rule
from leeboard.security.taint.table import KINDS


def result(
    path: str = "src/a b.py", line: int = 3, disposition: Disposition = "FIRE", subject: str = "x"
) -> PlacedFinding:
    return PlacedFinding(
        rule="weak_crypto",
        subclass="B3",
        path=path,
        line=line,
        confidence=0.9,
        disposition=disposition,
        message="Weak.",
        fingerprint=f"weak_crypto:{subject}",
    )


def log(*results: PlacedFinding, problems: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    from leeboard.rules import weak_crypto  # noqa: PLC0415 - the rule is only data here

    made = render_sarif(results, (read_rule(weak_crypto),), "1.2.3", problems)
    return json.loads(json.dumps(made))  # type: ignore[no-any-return] # what a program would read


def check_structure(made: dict[str, Any]) -> None:
    """What SARIF 2.1.0 demands of the parts that are used."""
    assert made["version"] == "2.1.0"
    assert made["$schema"].startswith("https://")
    for run in made["runs"]:
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(set(ids)) == len(ids)
        assert all(isinstance(rule["shortDescription"]["text"], str) for rule in driver["rules"])
        assert all(
            rule["defaultConfiguration"]["level"] in {"none", "note", "warning", "error"} for rule in driver["rules"]
        )
        for one in run["results"]:
            assert one["message"]["text"]
            assert one["level"] in {"none", "note", "warning", "error"}
            assert ids[one["ruleIndex"]] == one["ruleId"]
            assert 0 <= one["rank"] <= 100
            assert all(isinstance(value, str) for value in one["partialFingerprints"].values())
            for location in one["locations"]:
                place = location["physicalLocation"]
                assert " " not in place["artifactLocation"]["uri"]
                assert place.get("region", {"startLine": 1})["startLine"] >= 1
        assert all(invocation["executionSuccessful"] for invocation in run["invocations"])


def test_structure() -> None:
    check_structure(log(result(), result(line=0), result("/tmp/é.py"), problems=(("a.bin", "binary"),)))
    check_structure(log())


def test_levels() -> None:
    found = log(result(disposition="FIRE"), result(disposition="QUEUE"), result(disposition="LOG"))
    assert [one["level"] for one in found["runs"][0]["results"]] == ["error", "warning", "note"]


def test_places() -> None:
    inside, outside, whole = log(result(), result("/tmp/é.py"), result(line=0))["runs"][0]["results"]
    place = inside["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    }
    assert outside["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///tmp/%C3%A9.py"}
    assert "region" not in whole["locations"][0]["physicalLocation"]


def test_a_fingerprint_is_of_the_subject_alone() -> None:
    known = [log(one)["runs"][0]["results"][0] for one in (result(line=3), result(line=9), result(subject="y"))]
    first, moved, other = (one["partialFingerprints"] for one in known)
    assert first == moved != other


def test_two_of_one_kind_are_two_for_a_code_host() -> None:
    first, second = log(result(line=3), result(line=9))["runs"][0]["results"]
    hashes = [one["partialFingerprints"]["primaryLocationLineHash"] for one in (first, second)]
    assert [one.partition(":")[2] for one in hashes] == ["1", "2"]
    assert first["partialFingerprints"]["leeboardFinding/v2"] == second["partialFingerprints"]["leeboardFinding/v2"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_injection_has_a_number_of_its_own(kind: str) -> None:
    injection = msgspec.structs.replace(result(), rule="injection", what=f":User.create:{kind}:run")
    (run,) = render_sarif((injection,), (), "1.2.3")["runs"]
    assert run["results"][0]["taxa"][0]["id"] not in {"", "74"}


def test_what_was_not_analysed_is_told() -> None:
    (invocation,) = log(problems=(("a.bin", "binary"),))["runs"][0]["invocations"]
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "not analysed: binary"


def test_why_it_is_only_logged_stands_in_the_text() -> None:
    noted = msgspec.structs.replace(result(disposition="LOG"), note="placeholder")
    (run,) = log(noted, result())["runs"]
    first, second = run["results"]
    assert (first["message"]["text"], first["properties"]["note"]) == (
        "Weak. (only logged: placeholder)",
        "placeholder",
    )
    assert (second["message"]["text"], "note" in second["properties"]) == ("Weak.", False)
