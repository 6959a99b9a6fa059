from __future__ import annotations

import json

import pytest

from tests.tree_rules import found_between

BASE = '[contract]\ntouch = ["src/**"]\nmax_files = 3\n'


def keys(before: str, after: str, path: str = "leeboard.toml") -> list[str]:
    return [one.subject for one in found_between("contract_changed", None, {path: before}, {path: after})]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BASE, []),
        ("# a remark\n" + BASE, []),
        (BASE.replace('"src/**"', '"**"'), ["leeboard.toml:contract.touch"]),
        (BASE.replace("3", "300"), ["leeboard.toml:contract.max_files"]),
        ("", ["leeboard.toml:contract.max_files", "leeboard.toml:contract.touch"]),
        (BASE + "[rules.file_scope]\nenabled = false\n", ["leeboard.toml:rules.file_scope"]),
        ("not toml at all [", ["leeboard.toml:contract.max_files", "leeboard.toml:contract.touch"]),
    ],
)
def test_every_changed_key_is_named(after: str, expected: list[str]) -> None:
    assert keys(BASE, after) == expected


def test_a_first_contract_is_no_change_of_one() -> None:
    assert keys("", BASE) == []


def test_other_files_are_none_of_its_business() -> None:
    assert keys(BASE, "", "sub/leeboard.toml") == []


def _graph(*globs: str) -> str:
    contract = {"touch": list(globs)}
    return json.dumps({"kind": "task", "id": "t1", "status": "open", "metadata": {"wg-contract": contract}})


def test_the_contract_of_a_task_in_a_committed_graph_is_held_against_what_it_was() -> None:
    graph = ".wg/graph.jsonl"
    assert keys(_graph("src/**"), _graph("**"), graph) == [f"{graph}:contract.touch"]
    assert keys(_graph("src/**"), _graph("src/**"), graph) == []
    assert keys(_graph("src/**"), _graph("**"), "docs/graph.jsonl") == []
