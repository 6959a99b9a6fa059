"""Lines of a graph: read tolerantly, changed strictly."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.workgraph import blocking, changed, has_logged, logged, new_line, parse, problems, render, tasks
from leeboard.model.task import Task

GRAPH = (
    b'{"kind":"task","id":"a","title":"A","status":"in-progress","after":["b"],"tags":["x"],"z":{"deep":[1,2.50]}}\n'
    b"# a remark\n\n"
    b'{"type":"task","id":"b","title":"B","blocked_by":["c"],"status":"never-heard-of"}\n'
    b'{"kind":"resource","id":"r"}\n'
)
NOW = "2026-01-01T00:00:00Z"


def test_tasks_are_read_from_lines_of_all_ages() -> None:
    """SP-08."""
    assert tasks(parse(GRAPH)) == (
        Task(id="a", title="A", status="in-progress", after=("b",), tags=("x",)),
        Task(id="b", title="B", status="never-heard-of", after=("c",)),
    )
    assert problems(parse(GRAPH)) == ()


def test_what_is_not_changed_stays_the_same_bytes() -> None:
    assert render(parse(GRAPH)) == GRAPH


def test_of_two_lines_with_one_id_the_last_counts() -> None:
    data = b'{"kind":"task","id":"a","title":"old"}\n{"kind":"task","id":"a","title":"new"}\n'
    assert [task.title for task in tasks(parse(data))] == ["new"]


def test_what_can_not_be_read_is_named_by_its_line() -> None:
    lines = parse(GRAPH + b"{half\n[1]\n\xff\n")
    assert [problem.partition(":")[0] for problem in problems(lines)] == ["line 6", "line 7", "line 8"]
    assert len(tasks(lines)) == 2


def test_a_change_keeps_every_key_in_its_order() -> None:
    line = changed(parse(GRAPH)[0], NOW, description="words \u00e9\n```")
    assert list(line.fields) == [
        *("kind", "id", "title", "status", "after", "tags", "z", "description", "last_interaction_at")
    ]
    assert json.loads(line.raw) == line.fields
    assert "é" in line.raw.decode()


def test_a_log_entry_is_known_again() -> None:
    line = logged(parse(GRAPH)[0], "Speedrift: OK", NOW, NOW)
    assert line.fields["log"] == [{"timestamp": NOW, "actor": "speedrift", "message": "Speedrift: OK"}]
    assert has_logged(line, "Speedrift: OK", NOW)
    assert not has_logged(line, "Speedrift: OK", "2026-01-02T00:00:00Z")


def test_edges_keep_the_name_they_have() -> None:
    old = parse(b'{"kind":"task","id":"a","title":"A","blocks":["x"]}\n')[0]
    assert blocking(old, "y", NOW).fields["blocks"] == ["x", "y"]
    assert "before" not in blocking(old, "y", NOW).fields
    assert blocking(old, "x", NOW) is old
    assert blocking(parse(GRAPH)[0], "y", NOW).fields["before"] == ["y"]


def test_a_new_task_has_what_wg_wants() -> None:
    line = new_line(Task(id="n", title="N", description="d", after=("a",), tags=("drift",)), NOW, paused=True)
    assert line.fields == {
        "kind": "task",
        "id": "n",
        "title": "N",
        "description": "d",
        "status": "open",
        "priority": 10,
        "after": ["a"],
        "tags": ["drift"],
        "created_at": NOW,
        "last_interaction_at": NOW,
        "paused": True,
    }


def test_half_a_surrogate_pair_survives() -> None:
    line = parse(b'{"kind":"task","id":"a","title":"\\ud800"}\n')[0]
    again = parse(changed(line, NOW, description="x").raw)[0]
    assert again.fields["title"] == "\ud800"


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    lines = parse(data)
    tasks(lines)
    assert render(lines).rstrip(b"\n") == data.rstrip(b"\n")
