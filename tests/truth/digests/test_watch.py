from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from leeboard.truth.digests import identity
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Scan, Tops
from leeboard.truth.digests.watch import CHECKED, Watch


@pytest.fixture
def below(tmp_path: Path) -> Path:
    (tmp_path / "top" / "in").mkdir(parents=True)
    (tmp_path / "top" / "in" / "file").write_text("x")
    (tmp_path / "kept.json").write_text("{}")
    return tmp_path


@pytest.fixture
def watch(below: Path) -> Iterator[Watch]:
    watch = Watch(Tops(names=("top", "kept.json", "later"), below=str(below), ignore=("*~",)))
    yield watch
    watch.close()


def scanned(watch: Watch) -> Scan:
    return scan(watch.tops, cache_place(watch.tops.below), watch=watch)


def test_it_is_not_sure_until_it_watches(watch: Watch) -> None:
    assert watch.changed() is None
    assert watch.renew()
    assert watch.changed() == set()


def test_it_names_what_changed(watch: Watch, below: Path) -> None:
    watch.renew()
    (below / "top" / "in" / "file").write_text("y")
    (below / "top" / "new").mkdir()
    (below / "top" / "in" / "file~").write_text("y")
    assert watch.changed() == {"top/in/file", "top/new"}
    (below / "top" / "new" / "more").write_text("y")
    assert watch.changed() == {"top/new/more"}
    (below / "top" / "new").rename(below / "away")
    assert watch.changed() == {"top/new"}
    (below / "away" / "more").write_text("z")
    assert watch.changed() == set()
    (below / "away").rename(below / "top" / "in" / "back")
    (below / "top" / "in" / "back" / "more").write_text("a")
    assert watch.changed() == {"top/in/back", "top/in/back/more"} or watch.changed() == set()


@pytest.mark.parametrize("deed", ["replaced", "gone", "came"])
def test_it_is_not_sure_when_a_top_is_another(watch: Watch, below: Path, deed: str) -> None:
    watch.renew()
    if deed == "came":
        (below / "later").mkdir()
    else:
        (below / "top").rename(below / "old")
    if deed == "replaced":
        (below / "top").mkdir()
    assert watch.changed() is None
    assert scanned(watch).files.keys() == {"kept.json"} | ({"top/in/file"} if deed == "came" else set())


def test_it_is_not_sure_when_too_much_happened(watch: Watch, below: Path) -> None:
    watch.renew()
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    for number in range(most // 2 + 10):
        os.utime(below / "top" / "in" / "file")
        os.utime(below / "top" / "in", ns=(number, number))
    assert watch.changed() is None
    assert watch.renew()
    assert watch.changed() == set()


@pytest.mark.parametrize("system", ["nfs4", "overlay", ""])
def test_it_is_never_sure_where_not_everything_is_told(
    watch: Watch, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(identity.Mounts, "system", lambda _self, _path: system)
    assert not watch.renew()
    assert watch.changed() is None
    assert len(scanned(watch).files) == 2
    monkeypatch.undo()
    assert not watch.renew(), "it is not tried again at once"


def test_a_scan_looks_only_at_what_changed(watch: Watch, below: Path) -> None:
    assert scanned(watch).hashed == 2
    again = [scanned(watch) for _ in range(2)]
    assert [(each.hashed, each.unchanged) for each in again] == [(0, True), (0, True)]
    (below / "top" / "in" / "file").write_text("y")
    found = scanned(watch)
    # The file beside the folders was written a moment ago, so it is read once more when all is looked at.
    assert (found.hashed, found.unchanged, found.files["top/in/file"].bytes) == (2, False, 1)


def test_a_file_beside_that_was_just_written_is_heard_of(watch: Watch, below: Path) -> None:
    """Its times do not tell one moment from the next, but the folder it lies in is watched."""
    kept, texts = below / "kept.json", [f"{number:02}" for number in range(50)]
    seen = []
    for text in texts:
        with kept.open("r+") as file:
            file.write(text)
        os.utime(kept, ns=(1, 1))
        seen.append(scanned(watch).files["kept.json"].sha256)
        assert scanned(watch).hashed == 0
    assert seen == [sha256(text.encode()).hexdigest() for text in texts]


def test_files_around_one_beside_are_nothing_to_it(watch: Watch, below: Path) -> None:
    scanned(watch)
    (below / "other").write_text("x")
    (below / "away").mkdir()
    assert watch.changed() == set()
    (below / "kept.json").write_text("[]")
    (below / "later").write_text("x")
    assert watch.changed() == {"kept.json", "later"}


@pytest.mark.parametrize("deed", ["replaced", "gone", "came"])
def test_it_is_not_sure_when_the_folder_of_a_file_beside_is_another(tmp_path: Path, deed: str) -> None:
    (tmp_path / "a").mkdir()
    if deed != "came":
        (tmp_path / "a/b").mkdir()
        (tmp_path / "a/b/kept.json").write_text("{}")
    watch = Watch(Tops(names=("a/b/kept.json",), below=str(tmp_path)))
    assert len(scanned(watch).files) == int(deed != "came")
    if deed != "came":
        (tmp_path / "a/b").rename(tmp_path / "a/old")
        assert watch.changed() is None
    if deed != "gone":
        (tmp_path / "a/b").mkdir()
        (tmp_path / "a/b/kept.json").write_text("[]")
    for _ in range(2):
        wanted = {} if deed == "gone" else {"a/b/kept.json": sha256(b"[]").hexdigest()}
        assert {path: each.sha256 for path, each in scanned(watch).files.items()} == wanted
    if deed != "gone":
        (tmp_path / "a/b/kept.json").write_text("()")
        assert scanned(watch).files["a/b/kept.json"].sha256 == sha256(b"()").hexdigest()
    watch.close()


def test_a_file_beside_with_a_second_name_is_read_until_it_rests(watch: Watch, below: Path) -> None:
    """What is written through the other name is not heard of."""
    os.link(below / "kept.json", below / "top" / "name")
    os.link(below / "kept.json", below.parent / f"{below.name}.json")
    scanned(watch)
    (below.parent / f"{below.name}.json").write_text("[]")
    assert scanned(watch).files["kept.json"].sha256 == sha256(b"[]").hexdigest()
    assert watch.memory is not None
    assert watch.memory.alone != watch.alone_now()


def test_a_file_beside_is_looked_at_each_time(watch: Watch, below: Path) -> None:
    """Whatever is heard of it."""
    scanned(watch)
    memory = watch.memory
    (below / "new").write_text("longer")
    (below / "new").replace(below / "kept.json")
    assert scanned(watch).files["kept.json"].bytes == 6
    (below / "kept.json").unlink()
    assert "kept.json" not in scanned(watch).files
    (below / "later").write_text("x")
    assert "later" in scanned(watch).files
    assert watch.memory is not None
    assert memory is not None
    assert watch.memory.checked == memory.checked, "not everything was looked at again"


def test_a_second_name_is_seen_through(watch: Watch, below: Path) -> None:
    (below / "outside").write_text("x")
    os.link(below / "outside", below / "top" / "in" / "inside")
    scanned(watch)
    (below / "outside").write_text("more")
    assert watch.changed() == set()
    assert scanned(watch).files["top/in/inside"].bytes == 4


def test_a_whole_scan_is_due_every_so_often(watch: Watch) -> None:
    scanned(watch)
    memory = watch.memory
    assert memory is not None
    memory.checked -= CHECKED + 1
    assert memory.is_due
    scanned(watch)
    assert watch.memory is not None
    assert (watch.memory is memory, watch.memory.is_due) == (False, False)


def test_other_tops_are_followed(watch: Watch, below: Path) -> None:
    scanned(watch)
    watch.follow(Tops(names=("top/in",), below=str(below)))
    assert watch.changed() is None
    assert list(scanned(watch).files) == ["top/in/file"]
