"""What is said in recordings, held against labels."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tools.precision import LABELS, Label, Place, main, read_labels, report, rows, said_in
from tools.scripted import transcript

LINE = '{"session": "007", "turn": 3, "tool_use_id": "", "rule": "circling", "label": "%s", "reason": "r"}'


def place(session: str, turn: int = 3, rule: str = "circling") -> Place:
    return Place(session=session, turn=turn, rule=rule)


def labelled(session: str, label: str, turn: int = 3) -> Label:
    told = {"session": session, "turn": turn, "tool_use_id": "", "rule": "circling", "label": label, "reason": "r"}
    return msgspec.convert(told, Label)


def test_our_own_labels_can_be_read() -> None:
    labels = read_labels(LABELS)
    assert len({(label.place, label.tool_use_id) for label in labels}) == len(labels)
    assert all(label.reason for label in labels)


@pytest.mark.parametrize("line", [LINE % "perhaps", '{"session": "7"}', "{}", (LINE % "right")[:-1] + ', "text": "x"}'])
def test_what_is_no_label_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(msgspec.ValidationError):
        read_labels(path)


@pytest.mark.parametrize(("session", "half"), [("007", "odd"), ("008", "even"), ("000", "even"), ("mine", "odd")])
def test_halves(session: str, half: str) -> None:
    assert place(session).half == half


def test_precision_leaves_out_what_is_debatable() -> None:
    said = [place("001"), place("003"), place("003", 9), place("005"), place("002"), place("002")]
    labels = [labelled("001", "right"), labelled("003", "wrong"), labelled("003", "debatable", 9)]
    odd, even = sorted(rows(said, labels), key=lambda row: row.half, reverse=True)
    assert (odd.messages, odd.sessions, odd.right, odd.wrong, odd.debatable, odd.unlabelled) == (4, 3, 1, 1, 1, 1)
    assert (odd.precision, even.precision, even.messages) == ("0.50", "-", 1)


def test_the_report_names_what_is_to_be_read_and_what_was_lost() -> None:
    lines = list(report([place("001")], [labelled("003", "right")], 4))
    assert lines[0] == "4 recordings, 1 spoken to: 25.0 %"
    assert lines[-2:] == ["without a label: 001 turn 3 circling", "right, and said no longer: 003 turn 3 circling"]


ROUND = """@ fix the retries in src/net.py
edit src/net.py
  - retry = 3
  + retry = 5
edit src/net.py
  - retry = 5
  + retry = 3
edit src/net.py
  - retry = 3
  + retry = 5
@ thanks
"""


def test_recordings_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "001.jsonl").write_bytes(transcript(ROUND, session="one", repo="shop"))
    (tmp_path / "002.jsonl").write_bytes(b'{"type": "nothing we know"}\n')
    assert [found.rule for found in said_in(tmp_path / "001.jsonl")] == ["circling"]
    assert said_in(tmp_path / "002.jsonl") == ()
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("2 recordings, 1 spoken to: 50.0 %")
    assert main([]) == 2
