from __future__ import annotations

from leeboard.model.contract import Contract
from tests.tree_rules import changed, found, found_between, held, tree_event


def test_one_rule_over_one_change() -> None:
    promise = held(Contract(touch=("src/**",), max_files=0))
    assert [one.rule for one in found("file_scope", promise, tree_event(changed("a", "src/b")), {}, {})] == [
        "file_scope"
    ]
    assert [one.subject for one in found_between("file_scope", promise, {"a": "1"}, {"a": "2"})] == ["a"]
