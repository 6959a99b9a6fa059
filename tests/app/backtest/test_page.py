"""What is told of a run."""

from __future__ import annotations

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.page import PAGE_SIZE, BacktestPage, Selection, page_objects, page_of
from leeboard.app.backtest.run import JudgedFile
from leeboard.app.backtest.tally import own_opinions
from leeboard.app.session_files import SessionSource


def judged(name: str, said: int, *, finished: bool = False, notes: tuple[str, ...] = ()) -> JudgedFile:
    remarks = tuple(
        Remark(
            id=f"m{name}{number}",
            session=f"id-{name}",
            file=name,
            turn=number,
            tool_use_id="",
            action="INJECT",
            rules=("circling",) if number % 2 else ("credential",),
            score=0,
            level="none",
            paths=(),
            goal="",
            message="m",
        )
        for number in range(said)
    )
    heard = Heard(
        session=f"id-{name}",
        file=name,
        ended=0.0,
        turns=9,
        scored=9,
        skipped_lines=0,
        judged_by="the defaults",
        remarks=remarks,
    )
    return JudgedFile(source=SessionSource(f"/{name}.jsonl"), heard=heard, was_finished=finished, notes=notes)


FILES = (
    judged("a", 12, finished=True, notes=("x", "y")),
    judged("b", 11, notes=("x",)),
    JudgedFile(source=SessionSource("/c.jsonl", named=True), problem="no record"),
    JudgedFile(source=SessionSource("/d.jsonl"), is_old=True),
)


def page(selection: Selection | None = None) -> BacktestPage:
    return page_of(FILES, own_opinions({"ma0": "yes"}), selection or Selection())


def test_pages_hold_all_messages_once() -> None:
    found = page()
    assert found.pages == 3
    assert [len(found.part(number)) for number in (1, 2, 3, 4)] == [PAGE_SIZE, PAGE_SIZE, 3, 0]
    assert [one for number in (1, 2, 3) for one in found.part(number)] == list(found.remarks)


def test_a_selection_narrows_what_is_shown_and_not_the_figures() -> None:
    assert {one.file for one in page(Selection(session="b")).remarks} == {"b"}
    assert {one.file for one in page(Selection(session="id-a")).remarks} == {"a"}
    assert {one.file for one in page(Selection(session="b.jsonl")).remarks} == {"b"}
    assert len(page(Selection(rule="circling", session="a")).remarks) == 6
    assert page(Selection(rule="circling")).tally == page().tally
    assert page(Selection(session="nobody")).pages == 1


def test_what_was_not_judged_is_told() -> None:
    found = page()
    assert (found.old, found.finished, found.notes) == (1, 1, ("x", "y"))
    assert [(one.path, one.problem, one.named) for one in found.passed_over] == [("/c.jsonl", "no record", True)]


def test_objects_for_programs_end_with_the_totals() -> None:
    objects = list(page_objects(page()))
    kinds = [one["kind"] for one in objects]
    assert kinds == ["message"] * 23 + ["session"] * 2 + ["passed_over"] + ["rule"] * 2 + ["totals"]
    assert objects[0]["opinion"] == "yes"
    assert objects[1]["codes"] == ["LB-S004"]
    totals = objects[-1]
    assert (totals["sessions"], totals["spoken_to"], totals["said"], totals["yes"]) == (2, 2, 23, 1)
    assert totals["precision"] == 1.0


def test_the_name_of_a_file_goes_before_an_id_that_begins_like_it() -> None:
    def heard(file: str, session: str) -> Heard:
        return Heard(session=session, file=file, ended=0, turns=1, scored=1, skipped_lines=0, judged_by="x")

    all_of_them = (heard("00", "4f"), heard("01", "00aa"), heard("02", "01bb"), heard("", "5"))
    meant = [[one.file for one in Selection(session=name).sessions(all_of_them)] for name in ("00", "01b", "")]
    assert meant == [["00"], ["02"], ["00", "01", "02", ""]]
