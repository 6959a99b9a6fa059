"""Figures and messages as people read them."""

from __future__ import annotations

import io

import pytest

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.page import BacktestPage, Selection, page_of
from leeboard.app.backtest.run import JudgedFile
from leeboard.app.backtest.tally import RuleTally, own_opinions
from leeboard.app.session_files import SessionSource
from leeboard.errors import ConfigError
from leeboard.surfaces.cli.session.backtest_view import markdown_of, right_of, show_messages, show_tally
from leeboard.surfaces.cli.terminal import Console


def page(*remarks: Remark) -> BacktestPage:
    heard = Heard(
        session="s",
        file="a",
        ended=0.0,
        turns=2,
        scored=3,
        skipped_lines=0,
        judged_by="the defaults",
        remarks=remarks,
    )
    judged = JudgedFile(source=SessionSource("/a.jsonl"), heard=heard)
    return page_of([judged], own_opinions({"m1": "yes"}), Selection())


def remark(message: str = "words", goal: str = "the goal") -> Remark:
    return Remark(
        id="m1",
        session="s",
        file="a",
        turn=1,
        tool_use_id="",
        action="DENY",
        rules=("credential",),
        score=0,
        level="none",
        paths=("a.py",),
        goal=goal,
        message=message,
    )


def shown(act: object, *given: object, **options: object) -> str:
    console = Console(file=io.StringIO(), width=100)
    act(*given, console, **options)  # type: ignore[operator] # any of the functions that print
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def test_a_run_in_which_nothing_was_said_has_no_table() -> None:
    out = shown(show_tally, page(), hints=True)
    assert "spoken to  0 of 1 (0.0 %)" in out
    assert "RULE" not in out
    assert "`leeboard replay` shows what is only recorded" in out


def test_rules_and_all_of_them_stand_in_one_table() -> None:
    lines = shown(show_tally, page(remark()), hints=False).splitlines()
    assert lines[-2].split()[:5] == ["credential", "LB-B101", "1", "1", "1"]
    assert lines[-1].startswith("all")


def test_a_message_can_not_drive_the_terminal() -> None:
    out = shown(show_messages, page(remark(message="\x1b[31mred", goal="[bold]x\x07")), 1)
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]x" in out
    assert "refused  yes" in out


def test_there_is_no_page_behind_the_last() -> None:
    assert "no messages, page 1 of 1" in shown(show_messages, page(), 1)
    with pytest.raises(ConfigError, match=r"no page 2: 0 messages on 1 page$"):
        shown(show_messages, page(), 2)


def test_few_opinions_prove_little() -> None:
    assert right_of(RuleTally(rule="r", said=1, refused=0, asked=0, sessions=1, yes=1)) == "100 % (21 to 100)"
    assert right_of(RuleTally(rule="r", said=1, refused=0, asked=0, sessions=1, unsure=1)) == ""


def test_the_table_in_markdown() -> None:
    lines = markdown_of(page(remark())).splitlines()
    assert lines[-2:] == [
        "| credential LB-B101 | 1 | 1 | 1 | 1 | 0 | 0 | 100 % (21 to 100) |",
        "| all | 1 | 1 | 1 | 1 | 0 | 0 | 100 % (21 to 100) |",
    ]
