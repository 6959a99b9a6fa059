from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.contract import Contract
from tests.tree_rules import changed, found, held, tree_event


def test_what_nobody_looked_at_is_no_green_tree() -> None:
    change = replace(changed("a.py"), unseen=("secret.py", "b.py"))
    findings = found("unseen_files", held(Contract(mode="explore")), tree_event(change), {}, {})
    assert [(one.subject, one.severity) for one in findings] == [("b.py", "warn"), ("secret.py", "warn")]
