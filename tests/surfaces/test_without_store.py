from __future__ import annotations

from leeboard.rule import discover
from leeboard.surfaces.without_store import NAMED_FEW

KEPT_FOR_A_WORKFLOW = {loaded.id for loaded in discover() if loaded.guards}


def test_every_rule_that_refuses_by_itself_does_so_without_the_store() -> None:
    """But for those that guard a workflow: they need its files bound to a session."""
    denying = {loaded.id for loaded in discover() if loaded.rule.denies} - KEPT_FOR_A_WORKFLOW
    certain = {loaded.id for loaded in discover() if loaded.rule.subclass in {"B1", "B2"}}
    assert denying | certain <= NAMED_FEW
