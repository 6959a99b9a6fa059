"""What is known is given out without being read again, and whatever a person changes is read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.plan.disk import page_cache as _known
from leeboard.plan.disk.page_cache import KnownPages, KnownTrees

LATER = 10_000_000_000
"""Nanoseconds: by then everything that was written here has settled."""


def later() -> int:
    return time.time_ns() + LATER


class Desk:
    """A folder of pages, and how often one of them was read."""

    def __init__(self, top: Path, clock: Callable[[], int] = later) -> None:
        self.top = top
        self.top.mkdir(exist_ok=True)
        self.known = KnownPages(clock)
        self.reads: list[str] = []

    def texts(self) -> dict[str, str]:
        return dict(self.given())

    def given(self) -> Mapping[str, str]:
        folder = os.open(self.top, os.O_RDONLY)
        try:
            return self.known.texts(str(self.top), folder, sorted(path.name for path in self.top.iterdir()), self._read)
        finally:
            os.close(folder)

    def _read(self, name: str) -> str | None:
        self.reads.append(name)
        try:
            return (self.top / name).read_text()
        except FileNotFoundError:
            return None


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path / "units")
    for name in ("a.md", "b.md", "c.md"):
        (made.top / name).write_text(name)
    return made


def test_what_is_as_it_was_is_the_same_object(desk: Desk) -> None:
    first = desk.given()
    assert desk.given() is first
    assert desk.reads == ["a.md", "b.md", "c.md"]


def _in_place(file: Path) -> None:
    file.write_text("A.md")


def _with_its_old_time(file: Path) -> None:
    seen = file.stat()
    file.write_text("A.md")
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def _moved_over(file: Path) -> None:
    seen = file.stat()
    other = file.with_name("spare")
    other.write_text("A.md")
    os.utime(other, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    other.replace(file)


@pytest.mark.parametrize("change", [_in_place, _with_its_old_time, _moved_over])
def test_a_change_of_the_same_length_is_seen_and_nothing_else_is_read(
    desk: Desk, change: Callable[[Path], None]
) -> None:
    before = desk.texts()
    desk.reads.clear()
    change(desk.top / "a.md")
    assert desk.texts() == before | {"a.md": "A.md"}
    assert desk.reads == ["a.md"]


def test_what_comes_and_goes_is_seen(desk: Desk) -> None:
    desk.texts()
    (desk.top / "b.md").unlink()
    (desk.top / "d.md").write_text("d.md")
    desk.reads.clear()
    assert list(desk.texts()) == ["a.md", "c.md", "d.md"]
    assert desk.reads == ["d.md"]


def test_two_files_that_change_places_are_seen(desk: Desk) -> None:
    desk.texts()
    (desk.top / "a.md").rename(desk.top / "spare")
    (desk.top / "b.md").rename(desk.top / "a.md")
    (desk.top / "spare").rename(desk.top / "b.md")
    assert desk.texts() == {"a.md": "b.md", "b.md": "a.md", "c.md": "c.md"}


def test_what_changed_a_moment_ago_is_read_again(tmp_path: Path) -> None:
    """Another change in that moment could look the same."""
    desk = Desk(tmp_path / "units", time.time_ns)
    (desk.top / "a.md").write_text("a")
    desk.texts()
    desk.texts()
    assert desk.reads == ["a.md", "a.md"]


def test_nothing_is_known_once_the_clock_was_set_back(tmp_path: Path) -> None:
    hours = iter((0, -1, -1))
    desk = Desk(tmp_path / "units", lambda: later() + next(hours) * 3600 * 10**9)
    (desk.top / "a.md").write_text("a")
    desk.texts()
    desk.texts()
    assert desk.reads == ["a.md", "a.md"]


def test_a_file_system_with_another_clock_is_not_believed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_known, "LOCAL", frozenset())
    desk.texts()
    desk.texts()
    assert desk.reads == ["a.md", "b.md", "c.md"] * 2


def test_a_file_that_goes_while_it_is_read_is_left_out(desk: Desk) -> None:
    (desk.top / "gone.md").symlink_to("nowhere")
    assert list(desk.texts()) == ["a.md", "b.md", "c.md"]
    (desk.top / "gone.md").unlink()
    (desk.top / "gone.md").write_text("here")
    assert desk.texts()["gone.md"] == "here"


def test_a_name_that_is_no_text(desk: Desk) -> None:
    name = os.fsdecode(b"\xff.md")
    (desk.top / name).write_text("odd")
    assert desk.texts()[name] == "odd"
    assert desk.given() is desk.given()


def test_no_more_is_kept_than_there_is_room_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_known, "MOST_KEPT", 2)
    other = Desk(desk.top.parent / "other")
    other.known = desk.known
    (other.top / "x.md").write_text("x")
    for number in range(4):
        place = Desk(desk.top.parent / f"more-{number}")
        place.known = desk.known
        (place.top / "y.md").write_text("y")
        assert place.texts() == desk.known.made(str(place.top), place.texts(), dict) == {"y.md": "y"}
    assert desk.texts() == {"a.md": "a.md", "b.md": "b.md", "c.md": "c.md"}
    assert other.texts() == {"x.md": "x"}


def test_what_is_made_of_texts_is_made_once(desk: Desk) -> None:
    made: list[int] = []

    def make(texts: Mapping[str, str]) -> int:
        made.append(len(texts))
        return len(made)

    def ask() -> int:
        return desk.known.made("here", desk.given(), make)

    assert [ask(), ask()] == [1, 1]
    (desk.top / "d.md").write_text("d")
    assert [ask(), ask()] == [2, 2]
    assert made == [3, 4]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["write", "remove", "swap", "look"]), st.sampled_from("xy")),
        max_size=12,
    )
)
def test_whatever_happens_the_texts_are_those_on_the_disk(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("units"))
    for name, what, text in steps:
        file = desk.top / name
        if what == "write":
            file.write_text(text)
        elif what == "remove":
            file.unlink(missing_ok=True)
        elif what == "swap" and file.exists():
            file.rename(desk.top / text)
        on_disk = {path.name: path.read_text() for path in desk.top.iterdir()}
        assert desk.texts() == on_disk


class Tree:
    def __init__(self, top: Path, clock: Callable[[], int] = later) -> None:
        self.top = top
        (top / "one/two").mkdir(parents=True)
        (top / "one/two/page.md").write_text("page")
        self.known = KnownTrees(clock)

    def made(self) -> object:
        return self.known.made(str(self.top), object)


def _page(top: Path) -> None:
    (top / "one/two/page.md").write_text("PAGE")


def _new_folder(top: Path) -> None:
    (top / "one/three").mkdir()


def _gone(top: Path) -> None:
    (top / "one/two/page.md").unlink()


def _linked(top: Path) -> None:
    (top / "one").rename(top.parent / "aside")
    (top / "one").symlink_to(top.parent / "aside")


@pytest.mark.parametrize("change", [_page, _new_folder, _gone, _linked])
def test_a_tree_is_made_anew_when_anything_in_it_changed(tmp_path: Path, change: Callable[[Path], None]) -> None:
    tree = Tree(tmp_path / "studios")
    first = tree.made()
    assert tree.made() is first
    change(tree.top)
    assert tree.made() is not first
    assert tree.made() is tree.made()


def test_a_tree_that_changed_a_moment_ago_or_is_too_large_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    young = Tree(tmp_path / "young", time.time_ns)
    assert young.made() is not young.made()
    monkeypatch.setattr(_known, "MOST_IN_TREE", 2)
    large = Tree(tmp_path / "large")
    assert large.made() is not large.made()


def test_a_tree_that_is_not_there_is_made_anew(tmp_path: Path) -> None:
    known = KnownTrees(later)
    assert known.made(str(tmp_path / "none"), object) is not known.made(str(tmp_path / "none"), object)
