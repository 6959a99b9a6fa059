from __future__ import annotations

from leeboard.model.contract import Contract
from tests.tree_rules import changed, found, held, tree_event


def test_a_tree_without_a_contract_is_no_green_tree() -> None:
    """SP-21."""
    assert [one.severity for one in found("missing_contract", None, tree_event(changed("a")), {}, {})] == ["warn"]


def test_any_contract_will_do() -> None:
    assert not found("missing_contract", held(Contract()), tree_event(changed("a")), {}, {})
