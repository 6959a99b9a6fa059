from __future__ import annotations

from leeboard.model.contract import Contract, ContractProblem
from tests.tree_rules import changed, found, held, tree_event

PROBLEM = ContractProblem(key="mode", text="mode is 'CORE'; did you mean 'core'?", line=2)


def test_each_slip_is_named_with_its_line() -> None:
    """SP-11."""
    event = tree_event(changed("a"))
    findings = found(
        "invalid_contract", held(Contract(), PROBLEM, ContractProblem(text="not valid TOML")), event, {}, {}
    )
    assert [(one.subject, one.message, one.severity) for one in findings] == [
        ("contract", "the contract: not valid TOML.", "error"),
        ("mode", "line 2 of the contract: mode is 'CORE'; did you mean 'core'?", "error"),
    ]


def test_it_is_milder_while_nobody_works_on_it() -> None:
    findings = found("invalid_contract", held(Contract(), PROBLEM, active=False), tree_event(changed("a")), {}, {})
    assert [one.severity for one in findings] == ["warn"]
