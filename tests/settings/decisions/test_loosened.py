from __future__ import annotations

import json

import pytest

from leeboard.model.contract import Allowance
from leeboard.settings.decisions import allowed, baseline
from leeboard.settings.decisions.baseline import AcceptedFinding
from leeboard.settings.decisions.loosened import is_decision, loosened

ONE, TWO = AcceptedFinding("a.py", "injection", "f:sql:run"), AcceptedFinding("b.py", "injection", "f:sql:run")
FIRST = Allowance(id="a", rule="weak_crypto", reason="why")
LONGER = Allowance(id="a", rule="weak_crypto", reason="why", path="**")
COMMENT = "x = 1  # leeboard: allow LB-B201 why not\n"


def _graph(contract: str, *, block: bool = True, **fields: str) -> str:
    fenced = f"```wg-contract\n{contract}\n```\n" if block else ""
    return json.dumps({"kind": "task", "id": "t1", "title": "Task", "status": "open", "description": fenced} | fields)


OFF = "[rules.injection]\nenabled = false\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "keys"),
    [
        (baseline.FILE, baseline.render([ONE]), baseline.render([ONE, TWO]), ["b.py: injection LB-B201"]),
        (baseline.FILE, baseline.render([ONE, TWO]), baseline.render([ONE]), []),
        (baseline.FILE, "", baseline.render([ONE]), ["a.py: injection LB-B201"]),
        (allowed.FILE, allowed.render([FIRST]), allowed.render([LONGER]), ["weak_crypto"]),
        (allowed.FILE, allowed.render([FIRST]), None, []),
        ("leeboard.toml", "", OFF, ["rules.injection"]),
        ("leeboard.toml", OFF, "", []),
        ("leeboard.toml", '[contract]\ntouch = ["a"]\n', None, ["contract.touch"]),
        ("leeboard.toml", "", '[contract]\ntouch = ["a"]\n', []),
        (".leeboard/rules/a.yml", "rules: []", None, ["a rule"]),
        (".leeboard/rules/a.yml", "", "rules: []", []),
        (".wg/graph.jsonl", _graph('touch = ["a"]'), _graph('touch = ["**"]'), ["contract.touch"]),
        (".wg/graph.jsonl", _graph('touch = ["a"]'), _graph("", block=False), ["contract.touch"]),
        (".wg/graph.jsonl", _graph("", block=False), _graph('touch = ["a"]'), []),
        (".wg/graph.jsonl", _graph('touch = ["a"]'), _graph('touch = ["a"]', title="Other"), []),
        (".wg/graph.jsonl", _graph('touch = ["a"]', status="done"), _graph('touch = ["**"]'), []),
        (".workgraph/graph.jsonl", _graph('touch = ["a"]'), "", []),
        (".wg/graph.jsonl", _graph('touch = ["a"]'), "{torn", []),
        ("src/a.py", "y = 2\n", COMMENT, ["line 1"]),
        ("src/a.py", COMMENT, f"y = 2\n{COMMENT}", []),
        ("src/a.py", COMMENT, f"{COMMENT}{COMMENT}", ["line 2"]),
        ("src/a.py", "", "x = 1  # leeboard: allow LB-B201\n", []),
    ],
)
def test_what_lets_more_pass_than_before(path: str, before: str, after: str | None, keys: list[str]) -> None:
    assert [one.key for one in loosened(path, before, after)] == keys


def test_which_files_decide_by_their_name() -> None:
    assert is_decision(".leeboard/rules/a.yml")
    assert is_decision(baseline.FILE)
    assert not is_decision("src/leeboard.toml")
