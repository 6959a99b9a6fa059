from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from leeboard.errors import EffectError, LeeboardError, StateError
from leeboard.plan.disk.folder import MOST_BYTES, PlanFolder
from leeboard.plan.disk.page_cache import KnownPages


@pytest.fixture
def folder(tmp_path: Path) -> PlanFolder:
    (tmp_path / "home").mkdir()
    return PlanFolder(str(tmp_path / "home"))


def test_what_is_written_is_read(folder: PlanFolder) -> None:
    folder.write("intents/x/intent.md", b"one")
    folder.write("intents/x/intent.md", b"two \xff")
    assert folder.read("intents/x/intent.md") == b"two \xff"
    assert folder.text("intents/x/intent.md") == "two \udcff"
    assert folder.names("intents/x") == ("intent.md",)
    assert folder.names("tmp") == ()


def test_what_is_not_there_is_none(folder: PlanFolder) -> None:
    assert folder.read("intents/x/intent.md") is None
    assert folder.names("intents") == ()
    assert folder.tail("a/b", 10) == b""
    folder.remove("a/b")


@pytest.mark.parametrize(
    "linked", [".haiku", ".haiku/intents", ".haiku/intents/x", ".haiku/intents/x/intent.md", ".haiku/tmp"]
)
def test_no_link_is_followed(folder: PlanFolder, tmp_path: Path, linked: str) -> None:
    """Neither read nor written, and what it leads to stays as it is."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").mkdir()
    (outside / "intent.md").write_text("theirs")
    (outside / "x" / "intent.md").write_text("theirs")
    place = Path(folder.home) / linked
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside / "intent.md" if linked.endswith(".md") else outside)
    with pytest.raises(StateError, match=r"symbolic link|no ordinary file"):
        folder.write("intents/x/intent.md", b"ours")
    if not linked.endswith("tmp"):
        with pytest.raises(StateError, match="symbolic link"):
            folder.read("intents/x/intent.md")
    assert (outside / "intent.md").read_text() == "theirs"
    assert sorted(path.name for path in outside.rglob("*")) == ["intent.md", "intent.md", "x"]


def test_a_link_that_is_swapped_in_while_writing_leads_nowhere(folder: PlanFolder, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", Path(folder.home, ".haiku/intents/x")
    outside.mkdir()
    folder.write("intents/x/a", b"0")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            try:
                inside.rename(inside.with_name("aside"))
                inside.symlink_to(outside)
                inside.unlink()
                inside.with_name("aside").rename(inside)
            except OSError:
                continue

    swapper = threading.Thread(target=swap)
    swapper.start()
    for number in range(300):
        try:
            folder.write("intents/x/a", str(number).encode())
        except LeeboardError:
            continue
    stop.set()
    swapper.join()
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("path", ["../a", "intents/../../a", "intents/a\0b"])
def test_nothing_leads_out(folder: PlanFolder, path: str) -> None:
    with pytest.raises(StateError):
        folder.write(path, b"x")
    with pytest.raises(StateError):
        folder.read(f"{path}/b")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_a_disk_that_refuses_leaves_the_old_file(
    folder: PlanFolder, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    folder.write("intents/x/a", b"old")

    def refuse(_file: int, _data: bytes) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refuse)
        with pytest.raises(EffectError, match="intents/x/a") as raised:
            folder.write("intents/x/a", b"new")
        with pytest.raises(EffectError):
            folder.append("intents/x/lines", b"new")
    assert str(raised.value).endswith(("call again.", "was before."))
    assert folder.read("intents/x/a") == b"old"
    assert folder.names("tmp") == ()


def test_a_file_that_is_no_plan_is_refused(folder: PlanFolder) -> None:
    folder.make("intents/x")
    os.mkfifo(folder.spelled("intents/x/pipe"))
    Path(folder.spelled("intents/x/large")).write_bytes(b"x" * (MOST_BYTES + 1))
    folder.make("intents/x/folder")
    for name in ("pipe", "large", "folder"):
        with pytest.raises(StateError, match=name):
            folder.read(f"intents/x/{name}")


def test_all_pages_of_a_folder_are_read_at_once(folder: PlanFolder) -> None:
    assert folder.texts("intents/x/units", ".md") == {}
    for name, data in {"b.md": b"two", "a.md": b"\xff", "c.txt": b"no page", "d.md": b""}.items():
        folder.write(f"intents/x/units/{name}", data)
    assert folder.texts("intents/x/units", ".md") == {"a.md": "\udcff", "b.md": "two", "d.md": ""}


@pytest.mark.parametrize("linked", ["intents/x/units", "intents/x/units/a.md"])
def test_no_page_is_read_over_a_link(folder: PlanFolder, tmp_path: Path, linked: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.md").write_text("theirs")
    place = Path(folder.spelled(linked))
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / ("outside/a.md" if linked.endswith(".md") else "outside"))
    with pytest.raises(StateError, match=linked):
        folder.texts("intents/x/units", ".md")


@pytest.mark.parametrize("texts", [(b"1\n", b"22\n"), (b"long\n", b"s\n"), (b"a\n", b"x" * 5000, b"b\n")])
def test_a_note_is_what_was_noted_last(folder: PlanFolder, texts: tuple[bytes, ...]) -> None:
    for text in texts:
        folder.note("intents/x/n.json", text)
        assert (folder.read("intents/x/n.json") or b"").rstrip() == text.rstrip()
    assert folder.names("tmp") == ()


def test_a_note_is_no_way_out(folder: PlanFolder, tmp_path: Path) -> None:
    """Neither a link nor something that is no file is written to."""
    folder.make("intents/x")
    (tmp_path / "outside").write_text("theirs")
    Path(folder.spelled("intents/x/n.json")).symlink_to(tmp_path / "outside")
    os.mkfifo(folder.spelled("intents/x/pipe"))
    for name in ("n.json", "pipe"):
        with pytest.raises(StateError):
            folder.note(f"intents/x/{name}", b"mine")
    assert (tmp_path / "outside").read_text() == "theirs"


def test_a_half_line_is_ended_by_the_next(folder: PlanFolder) -> None:
    folder.append("a/lines", b"one")
    with Path(folder.spelled("a/lines")).open("ab") as file:
        file.write(b"ha")
    folder.append("a/lines", b"two")
    assert folder.read("a/lines") == b"one\nha\ntwo\n"
    assert folder.tail("a/lines", 6) == b"two\n"
    assert folder.tail("a/lines", 100) == b"one\nha\ntwo\n"


def test_a_folder_moves_once(folder: PlanFolder) -> None:
    folder.write("tmp/new/intent.md", b"x")
    folder.move_folder("tmp/new", "intents/x")
    folder.write("tmp/new/intent.md", b"y")
    with pytest.raises(FileExistsError):
        folder.move_folder("tmp/new", "intents/x")
    assert folder.read("intents/x/intent.md") == b"x"


def test_larger_files_are_read_where_somebody_says_so(folder: PlanFolder) -> None:
    folder.write("large", b"x" * (MOST_BYTES + 1))
    with pytest.raises(StateError):
        folder.read("large")
    assert len(folder.read("large", MOST_BYTES + 1) or b"") == MOST_BYTES + 1


def test_a_folder_by_its_descriptor(folder: PlanFolder) -> None:
    """Errors are those of the system; no link is followed, and nothing is made unless it is asked for."""
    with folder.opened("a/b", make=True) as inside:
        assert os.fstat(inside).st_ino == Path(folder.spelled("a/b")).stat().st_ino
    with pytest.raises(FileNotFoundError), folder.opened("a/c"):
        pass
    Path(folder.spelled("a/link")).symlink_to("b")
    with pytest.raises(NotADirectoryError), folder.opened("a/link"):
        pass


def test_folders_of_a_folder_are_listed_at_once(folder: PlanFolder, tmp_path: Path) -> None:
    folder.write("stages/a/state.json", b"{}")
    folder.write("stages/a/units/x.md", b"x")
    folder.write("stages/c/x", b"x")
    known = KnownPages()
    assert folder.listings("stages", ["a", "b", "../a"], known) == {"a": "state.json/units"}
    assert folder.listings("none", ["a"], known) == {}
    Path(folder.spelled("stages/b")).symlink_to(tmp_path)
    with pytest.raises(StateError, match="symbolic link"):
        folder.listings("stages", ["a", "b"], known)


def test_what_is_no_file_is_refused_before_it_is_opened(folder: PlanFolder, tmp_path: Path) -> None:
    folder.refuse_link("locks/x.lock")
    folder.refuse_link("locks/x.lock", make=True)
    assert folder.names("locks") == ()
    Path(folder.spelled("locks/x.lock")).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError, match="no ordinary file"):
        folder.refuse_link("locks/x.lock")
