from __future__ import annotations

import pytest

from leeboard.model.task import Task


@pytest.mark.parametrize(
    ("status", "active", "ended"),
    [
        ("open", False, False),
        ("in-progress", True, False),
        ("pending-eval", True, False),
        ("done", False, True),
        ("failed", False, True),
        ("abandoned", False, True),
        ("never-heard-of", False, False),
    ],
)
def test_statuses(status: str, *, active: bool, ended: bool) -> None:
    task = Task(id="t", title="T", status=status)
    assert (task.is_active, task.is_ended) == (active, ended)


def test_system_tasks_begin_with_a_dot() -> None:
    assert Task(id=".assign-t", title="").is_system
    assert not Task(id="t", title="").is_system
