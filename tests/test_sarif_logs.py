"""The SARIF logs of the commands themselves: what the schema of their makers says, and what a code host takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator  # type: ignore[import-untyped] # it has no types

from leeboard.surfaces.cli.main import run
from tests.git_repository import GitRepository

_SCHEMA = Path(__file__).parent / "fixtures" / "sarif" / "schema-2.1.0.json"
_MOST_TAGS = 20
"""Of one rule, for GitHub."""
_MOST_DESCRIBED = 1024
_PING = 'import os\nfrom flask import request\ndef {name}():\n    host = request.args["host"]\n    os.system("ping " + host)\n'
_ASK = 'from flask import request\ndef ask(db):\n    a = request.args["a"]\n    db.execute("select * from t where a = " + a)\n'
_HELPED = (
    "import os\nfrom flask import request\ndef run(host):\n    os.system('ping ' + host)\n"
    "def ping():\n    host = request.args['host']\n    return run(host)\n"
)
_OLD = "import hashlib\ndef legacy(password):\n    # leeboard: allow LB-B301 the old protocol asks for it\n"
_OLD += "    return hashlib.md5(password).hexdigest()\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    """A branch with a finding in the baseline, one that a comment lets stand, a stale entry, new ones, and odd names."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = GitRepository(tmp_path / "repo")
    monkeypatch.chdir(made.path)
    made.write("leeboard.toml", '[contract]\ntouch = ["src/**"]\nacceptance = ["make test"]\n')
    made.write("src/ping.py", _PING.format(name="ping"))
    made.write("src/gone.py", _PING.format(name="gone"))
    assert run(["scan", "--write-baseline"]) == 0
    made.write("src/old.py", _OLD)
    made.commit("start")
    made.run("checkout", "-q", "-b", "work")
    made.remove("src/gone.py")
    made.write("src/trace route é#%.py", _ASK)
    made.write("elsewhere/picture.py", "x = (((\n")
    made.write("leeboard.toml", '[contract]\ntouch = ["**"]\nacceptance = ["true"]\n')
    made.commit("new")
    return made


@pytest.mark.parametrize(
    ("words", "code"),
    [(("scan",), 1), (("scan", "--diff", "main"), 1), (("check", "--base", "main", "--trust"), 3)],
    ids=["scan", "change", "check"],
)
@pytest.mark.usefixtures("repo")
def test_a_log_of_a_command_is_taken_by_a_code_host(
    words: tuple[str, ...], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    assert run([*words, "--sarif"]) == code
    made = json.loads(capfd.readouterr().out)
    validator = Draft7Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))
    assert not [error.message for error in validator.iter_errors(made)]
    (log,) = made["runs"]
    assert log["results"]
    assert not [one["message"] for one in log["results"] if len(one["locations"]) != 1]
    rules = log["tool"]["driver"]["rules"]
    assert not [rule["id"] for rule in rules if len(rule["properties"]["tags"]) > _MOST_TAGS]
    assert not [one["ruleId"] for one in log["results"] if rules[one["ruleIndex"]]["id"] != one["ruleId"]]
    assert not [rule["id"] for rule in rules if len(rule["fullDescription"]["text"]) > _MOST_DESCRIBED]
    assert not [rule["id"] for rule in rules if rule.get("name", "").lower() == rule["id"]]
    for rule in (rule for rule in rules if "security" in rule["properties"]["tags"]):
        assert 0 < float(rule["properties"]["security-severity"]) <= 10
        assert rule["helpUri"].startswith("https://")
    hashes = [one["partialFingerprints"]["primaryLocationLineHash"] for one in log["results"]]
    assert len(set(hashes)) == len(hashes)
    assert {taxon["id"] for one in log["results"] for taxon in one.get("taxa", ())} <= _taxa(log)


def test_a_flow_is_shown_from_the_source_to_the_sink(repo: GitRepository, capfd: pytest.CaptureFixture[str]) -> None:
    repo.write("src/helped.py", _HELPED)
    capfd.readouterr()
    assert run(["scan", "src/helped.py", "--sarif"]) == 1
    (result,) = json.loads(capfd.readouterr().out)["runs"][0]["results"]
    (thread,) = result["codeFlows"][0]["threadFlows"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in thread["locations"]]
    assert lines == [6, 7, 4]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 4


@pytest.mark.usefixtures("repo")
def test_what_is_right_every_third_time_is_not_called_precise(capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    run(["scan", "--sarif"])
    (log,) = json.loads(capfd.readouterr().out)["runs"]
    rules = {rule["id"]: rule["properties"].get("precision") for rule in log["tool"]["driver"]["rules"]}
    assert rules["injection"] == "low"
    assert (rules["credential"], rules["weak_crypto"], rules["contract_changed"]) == ("low", "low", None)


def test_what_can_not_stand_in_a_baseline_is_not_new(repo: GitRepository, capfd: pytest.CaptureFixture[str]) -> None:
    repo.write("src/sum.py", "import hashlib\netag = hashlib.md5(content)\n")
    repo.write("src/trace.py", _ASK)
    told = _states(capfd, "scan")
    assert (told["src/sum.py"], told["src/trace.py"], told["src/ping.py"]) == (None, "new", "unchanged")
    assert _states(capfd, "scan", "--diff", "main")["src/sum.py"] == "new"
    assert run(["scan", "--write-baseline", "--fail-on", "log"]) == 0
    assert _states(capfd, "scan")["src/sum.py"] == "unchanged"
    repo.write("src/other.py", "import hashlib\netag = hashlib.md5(content)\n")
    assert _states(capfd, "scan")["src/other.py"] == "new"


def _states(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, str | None]:
    capfd.readouterr()
    run([*words, "--sarif"])
    (log,) = json.loads(capfd.readouterr().out)["runs"]
    places = ((one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], one) for one in log["results"])
    return {uri: one.get("baselineState") for uri, one in places}


def _taxa(log: dict[str, Any]) -> set[str]:
    return {taxon["id"] for taxonomy in log["taxonomies"] for taxon in taxonomy["taxa"]}
