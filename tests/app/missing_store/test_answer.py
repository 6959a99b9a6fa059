from __future__ import annotations

from leeboard.model.verdict import subclass_of
from leeboard.rule import discover

KEPT_FOR_A_WORKFLOW = {loaded.id for loaded in discover() if loaded.channel == "guard"}


def test_every_rule_that_refuses_by_itself_does_so_without_the_store() -> None:
    """But for those that guard a workflow: they need its files bound to a session."""
    denying = {loaded.id for loaded in discover() if loaded.traits.denies} - KEPT_FOR_A_WORKFLOW
    certain = {loaded.id for loaded in discover() if subclass_of(loaded.traits.subclass).escalates}
    assert denying | certain <= {loaded.id for loaded in discover() if loaded.traits.needs_no_history}
