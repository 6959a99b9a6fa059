from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.truth.digests import identity
from leeboard.truth.digests import scan as share
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Scan, Tops
from leeboard.truth.digests.watch import Watch

Naive = Callable[[Path], dict[str, str]]

NAMES = (b"one.md", b"two.md", b"in/three.md", b"in/deep/four.png", b"other/five", b"other/\xff\xfe.bin", b"sp ace\n")
CONTENTS = (b"", b"red", b"tan", b"\0\1\2", "größer".encode(), b"long " * 20_000)
FOLDERS = (b"in", b"in/deep", b"other")


def later() -> int:
    """A clock for which everything on the disk has come to rest."""
    return time.time_ns() + 10 * identity.WINDOW


def tops(tree: Path) -> Tops:
    return Tops(names=("top",), below=str(tree))


def scanned(tree: Path, now: Callable[[], int] = later) -> Scan:
    return scan(tops(tree), cache_place(str(tree)), now=now)


def shas(found: Scan) -> dict[str, str]:
    assert found.shas("top") == {path: digest.sha256 for path, digest in found.files.items()}
    assert len(found.files) == len(found.shas("top"))
    return found.shas("top")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "top" / "in").mkdir(parents=True)
    (tmp_path / "top" / "one.md").write_bytes(b"red")
    (tmp_path / "top" / "in" / "three.md").write_bytes(b"tan")
    return tmp_path


def tick(tree: Path) -> None:
    """Until the clock of the file system has moved on."""
    probe = tree / "probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        os.utime(probe)


def test_a_second_scan_reads_nothing(tree: Path, naive: Naive) -> None:
    first, second = scanned(tree), scanned(tree)
    assert (first.hashed, first.unchanged) == (2, False)
    assert (second.hashed, second.unchanged) == (0, True)
    assert shas(first) == shas(second) == naive(tree / "top")
    assert first.fingerprint("top") == second.fingerprint("top") != ""


def test_a_file_that_was_just_written_is_read_again(tree: Path) -> None:
    found = [scanned(tree, time.time_ns) for _ in range(3)]
    assert [(each.hashed, each.unchanged) for each in found] == [(2, False), (2, True), (2, True)]
    assert scanned(tree, later).hashed == 2
    assert scanned(tree, later).hashed == 0


def test_a_restored_time_hides_nothing(tree: Path, naive: Naive) -> None:
    """FD-06."""
    scanned(tree)
    tick(tree)
    place = tree / "top" / "one.md"
    seen = place.stat()
    place.write_bytes(b"tan")
    os.utime(place, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    found = scanned(tree)
    assert (found.hashed, found.unchanged) == (1, False)
    assert shas(found) == naive(tree / "top")


def test_a_mode_alone_is_no_change(tree: Path) -> None:
    """FD-57."""
    before = scanned(tree)
    tick(tree)
    (tree / "top" / "one.md").chmod(0o600)
    os.utime(tree / "top" / "in" / "three.md")
    after = scanned(tree)
    assert after.unchanged
    assert after.fingerprint("top") == before.fingerprint("top")


def test_a_time_in_the_future_is_never_relied_on(tree: Path) -> None:
    ahead = later() + 1_000_000_000_000
    os.utime(tree / "top" / "one.md", ns=(ahead, ahead))
    assert [scanned(tree).hashed for _ in range(3)] == [2, 1, 1]


def test_nothing_is_relied_on_after_the_clock_was_set_back(tree: Path) -> None:
    scanned(tree, lambda: later() + 3600 * 1_000_000_000)
    assert scanned(tree).hashed == 2
    assert scanned(tree).hashed == 0


def test_a_strange_file_system_is_read_each_time(tree: Path, monkeypatch: pytest.MonkeyPatch, naive: Naive) -> None:
    monkeypatch.setattr(identity.Mounts, "system", lambda _self, _path: "nfs4")
    found = [scanned(tree) for _ in range(2)]
    assert [each.hashed for each in found] == [2, 2]
    assert shas(found[1]) == naive(tree / "top")


def test_a_lost_or_broken_cache_costs_time_only(tree: Path, naive: Naive) -> None:
    scanned(tree)
    place = Path(cache_place(str(tree)))
    data = place.read_bytes()
    for broken in (b"", b"nonsense", data[:-1], data[:200] + bytes([data[200] ^ 1]) + data[201:]):
        place.write_bytes(broken)
        found = scanned(tree)
        assert (found.hashed, shas(found)) == (2, naive(tree / "top"))
    assert place.stat().st_mode & 0o777 == 0o600


def test_a_top_may_be_absent_a_link_or_a_file(tree: Path) -> None:
    (tree / "elsewhere").mkdir()
    (tree / "elsewhere" / "secret").write_text("x")
    (tree / "linked").symlink_to("elsewhere")
    (tree / "plain").write_text("x")
    asked = Tops(names=("gone", "linked", "plain", "linked/secret", "plain/below"), below=str(tree))
    found = scan(asked, cache_place("x"))
    assert {path: digest.is_link for path, digest in found.files.items()} == {"linked": True, "plain": False}
    assert set(found.unread) == {"linked/secret", "plain/below"}
    assert [found.knows(path) for path in ("gone/file", "linked/secret", "linked/other")] == [True, False, True]


def test_a_folder_swapped_for_a_link_is_a_link(tree: Path, naive: Naive) -> None:
    scanned(tree)
    tick(tree)
    (tree / "top" / "in").rename(tree / "aside")
    (tree / "top" / "in").symlink_to("../aside")
    found = scanned(tree)
    assert shas(found) == naive(tree / "top")
    assert found.files["top/in"].is_link
    assert "top/in/three.md" not in found.files
    assert found.knows("top/in/three.md")


def test_special_files_are_named_and_never_opened(tree: Path) -> None:
    os.mkfifo(tree / "top" / "pipe")
    for _ in range(2):
        found = scanned(tree)
        assert found.unread == {"top/pipe": "it is no ordinary file"}
        assert found.knows("top/pipe"), "that it is no file"


def test_what_lies_too_deep_is_unread(tree: Path) -> None:
    deep = tree / "top" / "/".join(["d"] * 205)
    deep.mkdir(parents=True)
    (deep / "file").write_text("x")
    found = scanned(tree)
    assert list(found.unread) == ["top/" + "/".join(["d"] * 201)]
    assert not found.knows(f"top/{'/'.join(['d'] * 205)}/file")


def test_ignored_names_are_not_looked_at(tree: Path) -> None:
    (tree / "top" / ".git").mkdir()
    (tree / "top" / ".git" / "HEAD").write_text("x")
    (tree / "top" / "one.md~").write_text("x")
    asked = Tops(names=("top",), below=str(tree), ignore=(".git*", "*~"))
    assert set(scan(asked, cache_place("x")).files) == {"top/one.md", "top/in/three.md"}
    assert len(scan(tops(tree), cache_place("x")).files) == 4


def test_what_the_time_ran_out_for_is_listed_and_not_gone(tree: Path) -> None:
    scanned(tree)
    found = scan(tops(tree), cache_place(str(tree)), budget=-1.0, now=later)
    assert found.ran_out
    assert (dict(found.files), found.fingerprint("top"), found.unchanged) == ({}, "", False)
    assert not any(found.knows(path) for path in ("top/one.md", "top/in/three.md"))
    after = scanned(tree)
    assert (len(after.files), after.hashed) == (2, 0)


def test_a_first_scan_without_time_is_made_up_for(tree: Path, naive: Naive) -> None:
    assert scan(tops(tree), cache_place(str(tree)), budget=-1.0).unseen == {"top"}
    assert shas(scanned(tree)) == naive(tree / "top")


def test_many_files_are_found_with_a_second_process(
    tmp_path: Path, naive: Naive, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2000):
        if number % 100 == 0:
            (tmp_path / "top" / f"f{number // 100}").mkdir(parents=True)
        (tmp_path / "top" / f"f{number // 100}" / f"{number}.txt").write_bytes(b"%d" % number)
    monkeypatch.setattr(share, "OPENED", 1.0)
    monkeypatch.setattr(share, "LOOKED_AT", 1.0)
    found = scanned(tmp_path)
    assert (found.hashed, scanned(tmp_path).hashed) == (2000, 0)
    assert shas(found) == naive(tmp_path / "top")


def place(tree: Path, name: bytes) -> Path:
    return tree / "top" / os.fsdecode(name)


def write(tree: Path, name: bytes, content: bytes) -> None:
    path = place(tree, name)
    if not path.is_dir() and not path.is_symlink():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def rewrite_in_secret(tree: Path, name: bytes, content: bytes) -> None:
    """Same size where it can be, and the same time."""
    path = place(tree, name)
    if path.is_file():
        seen = path.stat()
        path.write_bytes(content.ljust(seen.st_size, b"x")[: seen.st_size])
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def rename_over(tree: Path, name: bytes, content: bytes) -> None:
    path, new = place(tree, name), tree / "new"
    if path.parent.is_dir() and not path.is_dir():
        new.write_bytes(content)
        new.replace(path)


def link_to(tree: Path, name: bytes, content: bytes) -> None:
    path, other = place(tree, name), place(tree, NAMES[len(content) % len(NAMES)])
    if path.is_file() and not path.is_symlink() and other.parent.is_dir() and not os.path.lexists(other):
        other.hardlink_to(path)


def point_to(tree: Path, name: bytes, content: bytes) -> None:
    path = place(tree, name)
    if path.parent.is_dir() and not os.path.lexists(path):
        path.symlink_to(f"somewhere/{len(content)}")


def remove(tree: Path, name: bytes, _content: bytes) -> None:
    path = place(tree, name)
    if os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
        path.unlink()


def swap_folder(tree: Path, name: bytes, content: bytes) -> None:
    """For a link to where it went, or back."""
    path = place(tree, FOLDERS[len(name) % len(FOLDERS)])
    aside = tree / f"aside-{path.name}"
    if path.is_symlink() and aside.is_dir():
        path.unlink()
        aside.rename(path)
    elif path.is_dir() and not aside.exists():
        path.rename(aside)
        if content:
            path.symlink_to(aside)


def move_folder(tree: Path, name: bytes, content: bytes) -> None:
    path, to = place(tree, FOLDERS[len(name) % len(FOLDERS)]), place(tree, FOLDERS[len(content) % len(FOLDERS)])
    inside = str(to).startswith(f"{path}/")
    if path.is_dir() and not path.is_symlink() and not inside and to.parent.is_dir() and not os.path.lexists(to):
        path.rename(to)


def drop_folder(tree: Path, name: bytes, _content: bytes) -> None:
    path = place(tree, FOLDERS[len(name) % len(FOLDERS)])
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)


DEEDS = (write, write, rewrite_in_secret, rename_over, link_to, point_to, remove, swap_folder, move_folder, drop_folder)
deeds = st.lists(st.tuples(st.sampled_from(DEEDS), st.sampled_from(NAMES), st.sampled_from(CONTENTS)), max_size=12)
Deeds = list[tuple[Callable[[Path, bytes, bytes], None], bytes, bytes]]
quick = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def reset(tree: Path) -> None:
    for each in tree.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()
    (tree / "top").mkdir()
    for name, content in zip(NAMES[:5], CONTENTS, strict=False):
        write(tree, name, content)


@quick
@given(deeds=deeds)
def test_it_finds_what_a_plain_walk_finds(tmp_path: Path, naive: Naive, deeds: Deeds) -> None:
    """FD-06, FD-10: with everything relied on as early as can be."""
    reset(tmp_path)
    scanned(tmp_path)
    for deed, name, content in deeds:
        tick(tmp_path)
        deed(tmp_path, name, content)
        found = scanned(tmp_path)
        assert shas(found) == naive(tmp_path / "top")
        assert not found.unread


@quick
@given(deeds=deeds)
def test_changes_in_one_moment_are_told_apart(tmp_path: Path, naive: Naive, deeds: Deeds) -> None:
    """The real clock: nothing has come to rest."""
    reset(tmp_path)
    for deed, name, content in deeds:
        deed(tmp_path, name, content)
        assert shas(scanned(tmp_path, time.time_ns)) == naive(tmp_path / "top")


@quick
@given(deeds=deeds)
def test_a_watch_finds_what_a_plain_walk_finds(tmp_path: Path, naive: Naive, deeds: Deeds) -> None:
    reset(tmp_path)
    watch = Watch(tops(tmp_path))
    try:
        for deed, name, content in [(write, b"one.md", b"red"), *deeds]:
            deed(tmp_path, name, content)
            found = scan(tops(tmp_path), cache_place(str(tmp_path)), watch=watch)
            assert shas(found) == naive(tmp_path / "top")
            assert scan(tops(tmp_path), cache_place(str(tmp_path)), watch=watch).unchanged
    finally:
        watch.close()
