from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from leeboard.app.missing_store import fallback_files
from leeboard.io import places


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path


def test_what_is_written_is_read_and_private(world: Path) -> None:
    assert fallback_files.read("x") == b""
    assert fallback_files.write("x", b"one")
    assert fallback_files.write("x", b"two")
    assert fallback_files.read("x") == b"two"
    assert [path.name for path in (world / "state" / "spare").iterdir()] == ["x"]
    assert (world / "state" / "spare" / "x").stat().st_mode & 0o777 == 0o600


def test_where_the_state_can_not_be_written_it_lies_beside_the_socket(world: Path) -> None:
    (world / "state").write_text("in the way", encoding="utf-8")
    assert fallback_files.write("x", b"one")
    assert fallback_files.append("y", b"line")
    assert fallback_files.mark("z")
    assert (fallback_files.read("x"), fallback_files.lines("y"), fallback_files.mark("z")) == (b"one", [b"line"], False)
    assert str(world / "r") in fallback_files.find("x")[0]


def test_a_folder_that_others_can_write_to_is_none(world: Path) -> None:
    (world / "r").mkdir(mode=0o700)
    (world / "r").chmod(0o777)
    assert len(places.spare_dirs()) == 1


def test_where_nothing_can_be_written_nothing_is_kept(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (world / "state").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", "/dev/null/r")
    assert (fallback_files.write("x", b"one"), fallback_files.append("x", b"one"), fallback_files.mark("x")) == (
        False,
        False,
        None,
    )
    fallback_files.touch("x")
    fallback_files.remove("x")
    fallback_files.prune(".x", 1, 1)
    assert fallback_files.age("x") is None


def test_lines_are_taken_once(world: Path) -> None:
    fallback_files.append("log", b"one")
    fallback_files.append("log", b"two")
    (taken,) = fallback_files.take("log")
    assert fallback_files.lines("log") == []
    assert fallback_files.taken_lines(taken) == [b"one", b"two"]
    assert fallback_files.take("log") == []
    os.utime(taken, (1, 1))  # whoever took it is long gone
    assert fallback_files.take("log") == [taken]
    fallback_files.discard(taken)
    assert fallback_files.taken_lines(taken) == []
    assert list((world / "state" / "spare").iterdir()) == []


def test_what_was_taken_while_somebody_added_to_it_is_not_taken_over(world: Path) -> None:
    """A resident takes again and again under one number: what it could not read yet waits beside what it takes next."""
    late = world / "state" / "spare" / "log"
    fallback_files.append("log", b"one")
    with late.open("ab") as adding:
        fcntl.flock(adding, fcntl.LOCK_SH)
        (first,) = fallback_files.take("log")
        assert fallback_files.taken_lines(first) is None
        fallback_files.append("log", b"three")
        (second,) = fallback_files.take("log")
        adding.write(b"two\n")
    assert (fallback_files.taken_lines(first), fallback_files.taken_lines(second)) == ([b"one", b"two"], [b"three"])


def test_what_somebody_has_just_taken_is_left_to_them(world: Path) -> None:
    fallback_files.append("log", b"one")
    os.utime(world / "state" / "spare" / "log", (1, 1))
    assert len(fallback_files.take("log")) == 1
    assert fallback_files.take("log") == []


@pytest.mark.parametrize("meanwhile", [(), (b"three",)])
def test_what_could_not_be_used_is_given_back(meanwhile: tuple[bytes, ...]) -> None:
    fallback_files.append("log", b"one")
    (taken,) = fallback_files.take("log")
    for line in meanwhile:
        fallback_files.append("log", line)
    fallback_files.give_back("log", taken)
    assert fallback_files.lines("log") == [*meanwhile, b"one"]
    assert not Path(taken).exists()


def test_links_are_not_followed(world: Path) -> None:
    (world / "state" / "spare").mkdir(parents=True)
    (world / "target").write_bytes(b"mine")
    (world / "state" / "spare" / "log").symlink_to(world / "target")
    fallback_files.append("log", b"one")
    assert (world / "target").read_bytes() == b"mine"
    assert fallback_files.lines("log") == [b"one"]


def test_the_newest_are_kept(world: Path) -> None:
    for number in range(5):
        fallback_files.write(f"{number}.session", b"x")
        os.utime(world / "state" / "spare" / f"{number}.session", (10**9 + number, 10**9 + number))
    fallback_files.write("other", b"x")
    fallback_files.prune(".session", 2, 10**10)
    assert sorted(path.name for path in (world / "state" / "spare").iterdir()) == ["3.session", "4.session", "other"]
