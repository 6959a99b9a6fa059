"""What is finished is found again by what made it, and by nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from leeboard.app.backtest.finished import (
    finished_folder,
    forget_old,
    judge_digest,
    keep_finished,
    read_finished,
    result_key,
)
from leeboard.app.backtest.heard import Heard
from leeboard.model.policy import Policy
from leeboard.settings.settings import Settings

HEARD = Heard(session="s", file="a", ended=1.0, turns=2, scored=3, skipped_lines=0, judged_by="the defaults")


def kept_files() -> list[Path]:
    return sorted(Path(finished_folder()).iterdir())


def test_a_result_is_found_again() -> None:
    assert read_finished("k1") is None
    assert keep_finished("k1", HEARD) == ""
    assert read_finished("k1") == HEARD
    (file,) = kept_files()
    assert file.stat().st_mode & 0o777 == 0o600


def test_half_a_result_is_none() -> None:
    keep_finished("k1", HEARD)
    (file,) = kept_files()
    for broken in (b"", file.read_bytes()[:-5], b"\x00\xff", b"[]", b'{"x":' + b"[" * 200_000):
        file.write_bytes(broken)
        assert read_finished("k1") is None
    assert keep_finished("k1", HEARD) == ""
    assert read_finished("k1") == HEARD


def test_a_key_changes_with_whatever_made_the_result() -> None:
    bare, other = Settings(), Settings(policy=Policy(profile="enforce"))
    keys = [
        result_key([b"file"], "a", bare, "judge"),
        result_key([b"filf"], "a", bare, "judge"),
        result_key([b"file", b""], "a", bare, "judge"),
        result_key([b"fil", b"e"], "a", bare, "judge"),
        result_key([b"file"], "b", bare, "judge"),
        result_key([b"file"], "a", other, "judge"),
        result_key([b"file"], "a", bare, "other judge"),
    ]
    assert len({*keys}) == len(keys)
    assert result_key([b"file"], "a", Settings(), "judge") == keys[0]


def test_the_judge_is_this_code_and_this_user(user: Path) -> None:
    before = judge_digest()
    assert judge_digest() == before
    (user / "state" / "secret.key").unlink()
    assert judge_digest() != before


def test_where_nothing_can_be_written_it_is_said(user: Path) -> None:
    user.mkdir(exist_ok=True)
    (user / "cache").write_text("a file where a folder should be")
    assert "backtest" in keep_finished("k1", HEARD)
    assert read_finished("k1") is None
    forget_old()


def test_what_nobody_asks_for_is_forgotten() -> None:
    keep_finished("old", HEARD)
    keep_finished("new", HEARD)
    old, new = Path(finished_folder(), "old.json"), Path(finished_folder(), "new.json")
    for file in (old, new):
        os.utime(file, (1_000, 1_000))
    read_finished("new")
    forget_old()
    assert kept_files() == [new]
