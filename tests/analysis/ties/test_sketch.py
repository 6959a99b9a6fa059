"""Names in texts, kept as marks."""

from __future__ import annotations

from leeboard.analysis.analyse import analyse
from leeboard.analysis.ties.sketch import SHOWN_READ, mark, marks, sketch_entries, unpacked
from leeboard.model.event import Outcome, TextEdit, ToolCall, ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.workspace import Workspace


def rows(call: ToolCall, output: str = "", outcome: Outcome = "done") -> list[Entry]:
    event = ToolFinished(session="s", cwd="/repo", call=call, outcome=outcome, output=output)
    return list(sketch_entries(event, analyse(event, Workspace("/repo")), 3, Workspace("/repo")))


EDIT = ToolCall(
    id="t", tool="Edit", action="edit", paths=("/repo/a.py",), edits=(TextEdit("basket_total", "basket_discount"),)
)


def test_what_was_packed_is_known_again() -> None:
    (row,) = rows(EDIT)
    assert (row.kind, row.key, row.path) == ("sketch", "wrote", "a.py")
    assert unpacked(row.data) == marks(("basket_total", "basket_discount"))
    assert unpacked(row.text) == {mark("basket_discount")}


def test_a_read_is_of_its_file_and_other_results_of_none() -> None:
    read = ToolCall(id="t", tool="Read", action="read", paths=("/repo/a.py",))
    grep = ToolCall(id="t", tool="Grep", action="read", query="x")
    assert [(row.key, row.path) for row in rows(read, "basket_total")] == [("read", "a.py")]
    assert [(row.key, row.path) for row in rows(grep, "src/b.py: basket_total")] == [("shown", "")]


def test_the_beginning_of_a_result_says_what_it_is_about() -> None:
    read = ToolCall(id="t", tool="Read", action="read", paths=("/repo/a.py",))
    (row,) = rows(read, "x" * SHOWN_READ + " basket_total")
    assert mark("basket_total") not in unpacked(row.data)


def test_what_was_denied_or_failed_wrote_nothing() -> None:
    assert rows(EDIT, outcome="denied") == []
    assert all(row.key != "wrote" for row in rows(EDIT, outcome="failed"))
