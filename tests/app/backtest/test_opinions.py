"""Opinions and labels: kept, taken back, and read whatever stands in their file."""

from __future__ import annotations

import json
import multiprocessing
import resource
import signal
import stat
from pathlib import Path

import pytest

from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.opinions import (
    NONE,
    Labels,
    opinions_file,
    read_labels,
    read_opinions,
    write_opinion,
)
from leeboard.errors import ConfigError, EffectError


def remark(number: int = 1, *, call: str = "toolu_1", rules: tuple[str, ...] = ("circling",)) -> Remark:
    return Remark(
        id=f"m{number}",
        session="5e551001",
        file="007",
        turn=4,
        tool_use_id=call,
        action="INJECT",
        rules=rules,
        score=7,
        level="nudge",
        paths=("a.py",),
        goal="the goal",
        message="the words",
    )


def test_the_newest_counts_and_can_be_taken_back() -> None:
    assert read_opinions() == {}
    for opinion in ("yes", "no"):
        write_opinion(remark(1), opinion)
    write_opinion(remark(2), "unsure")
    assert read_opinions() == {"m1": "no", "m2": "unsure"}
    write_opinion(remark(1), NONE)
    assert read_opinions() == {"m2": "unsure"}


def test_no_word_of_the_message_is_kept_and_nobody_else_can_read_it() -> None:
    write_opinion(remark(), "yes")
    text = Path(opinions_file()).read_text()
    assert "the words" not in text
    assert "the goal" not in text
    assert "a.py" not in text
    assert stat.S_IMODE(Path(opinions_file()).stat().st_mode) == 0o600


def test_a_broken_line_harms_no_other() -> None:
    write_opinion(remark(1), "yes")
    with Path(opinions_file()).open("ab") as file:
        file.write(b'\x00\xff{half\n{"id": 3}\n[]\n{"id": "m9", "opin')
    write_opinion(remark(2), "no")
    assert read_opinions() == {"m1": "yes", "m2": "no"}


def _write_many(start: int) -> None:
    for number in range(start, start + 25):
        write_opinion(remark(number), "yes")


def test_several_at_once_lose_nothing() -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(start,)) for start in (0, 25, 50)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert read_opinions() == {f"m{number}": "yes" for number in range(75)}


def _write_on_a_full_disk(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    with pytest.raises(EffectError, match="can not be written"):
        write_opinion(remark(2), "no")


def test_one_that_does_not_fit_on_the_disk_is_refused_and_leaves_no_half_line() -> None:
    write_opinion(remark(1), "yes")
    before = Path(opinions_file()).read_bytes()
    writer = multiprocessing.get_context("fork").Process(target=_write_on_a_full_disk, args=(len(before) + 20,))
    writer.start()
    writer.join()
    assert writer.exitcode == 0
    assert Path(opinions_file()).read_bytes() == before


def test_a_line_as_deep_as_a_well_counts_for_nothing() -> None:
    write_opinion(remark(1), "yes")
    with Path(opinions_file()).open("ab") as file:
        file.write(b'{"id": "m2", "opinion": "yes", "x": ' + b"[" * 200_000 + b"\n")
    assert read_opinions() == {"m1": "yes"}


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine\n")
    Path(opinions_file()).parent.mkdir(parents=True)
    Path(opinions_file()).symlink_to(target)
    with pytest.raises(EffectError):
        write_opinion(remark(), "yes")
    assert target.read_text() == "mine\n"


def labels(tmp_path: Path, *lines: object) -> Labels:
    file = tmp_path / "labels.jsonl"
    file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return read_labels(str(file))


def label(**changes: object) -> dict[str, object]:
    return {
        "session": "007",
        "turn": 4,
        "tool_use_id": "toolu_1",
        "rule": "circling",
        "label": "right",
        "reason": "it was",
    } | changes


def test_a_label_is_found_by_call_else_by_turn(tmp_path: Path) -> None:
    assert labels(tmp_path, label()).opinion(remark(), "circling") == "yes"
    assert labels(tmp_path, label(label="wrong", tool_use_id="")).opinion(remark(call=""), "circling") == "no"
    by_id = label(label="debatable", session="5e551001", tool_use_id=None)
    assert labels(tmp_path, "", by_id).opinion(remark(), "circling") == "unsure"
    assert labels(tmp_path, label(session="", file="007")).opinion(remark(), "circling") == "yes"


def test_a_label_is_of_one_rule_and_unused_ones_are_counted(tmp_path: Path) -> None:
    found = labels(tmp_path, label(), label(rule="tangent"), label(session="008"))
    assert found.opinion(remark(rules=("circling", "scope_drift")), "scope_drift") is None
    assert found.unused == 3
    assert found.opinion(remark(), "circling") == "yes"
    assert found.unused == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "no label"),
        (label(label="good"), "'good' is none of right"),
        ({"turn": 1}, "no label"),
        ("[]", "no label"),
        ('{"x": ' + "[" * 200_000, "no label"),
        (label(session=""), "no place"),
        (label(tool_use_id="", turn=-1), "no place"),
    ],
)
def test_what_is_no_label_is_named(tmp_path: Path, line: object, words: str) -> None:
    with pytest.raises(ConfigError, match=rf"labels\.jsonl:2: .*{words}"):
        labels(tmp_path, label(), line)


def test_a_label_file_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        read_labels(str(tmp_path / "none"))
