"""What is noted and copied of a person's work, and what is not: hostile names, sizes, secrets, disks, two at once."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from leeboard.app.safety_net import keep
from leeboard.app.safety_net.copies import read_kept
from leeboard.app.safety_net.keep import TOO_SLOW, note_work, start_noting
from leeboard.app.safety_net.note import NotedFile, folder_of, read_note
from leeboard.io.file import Sole
from leeboard.settings.settings import KeepSettings
from tests.leak import live_key
from tests.netted_repository import NettedRepository


def noted(net: NettedRepository) -> dict[str, NotedFile]:
    note = read_note(net.root)
    assert note is not None
    return {file.name: file for file in note.files}


def test_changed_and_untracked_files_have_copies_and_what_git_ignores_has_none(net: NettedRepository) -> None:
    net.git.write("debug.log", "made by a program\n")
    net.note()
    files = noted(net)
    assert set(files) == {"notes.md", "drafts/one.md", "drafts/two.md", "src/app.py"}
    assert all(file.copied for file in files.values())
    assert (files["src/app.py"].state, files["notes.md"].state) == ("changed", "untracked")


def test_nobody_else_can_read_what_is_kept(net: NettedRepository) -> None:
    net.note()
    found = [path for path in Path(folder_of(net.root)).rglob("*") if path.is_file()]
    assert found
    assert {oct(path.stat().st_mode & 0o777) for path in found} == {"0o600"}
    assert not [path for path in net.path.iterdir() if "leeboard" in path.name], "nothing lies in the repository"


def test_a_file_with_a_secret_is_noted_and_not_copied(net: NettedRepository) -> None:
    secret = live_key(1)
    net.git.write("deploy.py", f'api_key = "{secret}"\n')
    net.git.write("config/.env.local", "NAME=x\n")
    net.note()
    files = noted(net)
    assert "secret" in files["deploy.py"].uncopied
    assert "secret" in files["config/.env.local"].uncopied
    assert not any(one.name in {"deploy.py", "config/.env.local"} for one in read_kept(net.root).copies)
    kept = b"".join(path.read_bytes() for path in Path(folder_of(net.root)).rglob("*") if path.is_file())
    assert secret.encode() not in kept


def test_links_devices_and_fifos_are_never_followed_nor_waited_for(net: NettedRepository, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("not of this tree\n")
    (net.path / "link.md").symlink_to(tmp_path / "outside.txt")
    (net.path / "elsewhere").symlink_to(tmp_path)
    os.mkfifo(net.path / "pipe")
    net.note()
    assert not any("outside" in one.name or one.size == 17 for one in read_kept(net.root).copies)
    assert not any(file.copied for name, file in noted(net).items() if name in {"link.md", "elsewhere", "pipe"})


def test_a_folder_that_became_a_link_is_not_read_through(net: NettedRepository, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "one.md").write_text("a stranger's\n")
    net.run("rm -rf drafts")
    (net.path / "drafts").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match=r"irectory|symbolic"):
        keep.read_below(net.root, b"drafts/one.md", 1000)


@pytest.mark.parametrize("name", [b"two\nlines.md", b"caf\xe9.txt", b"- a 'quoted' name", "日本語.md".encode()])
def test_a_name_may_be_anything(net: NettedRepository, name: bytes) -> None:
    place = os.fsencode(net.root) + b"/" + name
    Path(os.fsdecode(place)).write_bytes(b"mine\n")
    net.note()
    assert noted(net)[os.fsdecode(name)].copied


def test_two_hundred_megabytes_are_noted_and_not_read(net: NettedRepository) -> None:
    with (net.path / "film.mov").open("wb") as file:
        file.truncate(200 << 20)
    net.note()
    film = noted(net)["film.mov"]
    assert (film.copied, film.digest) == (0.0, "")
    assert "larger than 5 MB" in film.uncopied


def test_a_full_disk_is_a_note_and_no_failure(net: NettedRepository) -> None:
    (net.path / "noise.bin").write_bytes(os.urandom(200_000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, before[1]))
    try:
        net.note()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "could not be written" in noted(net)["noise.bin"].uncopied
    assert noted(net)["notes.md"].copied
    assert [one.name for one in net.kept().kept if one.kind == "uncopied"] == ["noise.bin"]


def test_all_copies_together_stay_below_the_bound_and_the_oldest_go(net: NettedRepository) -> None:
    net.limits = KeepSettings(total_mb=1)
    for number in range(4):
        (net.path / "noise.bin").write_bytes(os.urandom(400_000))
        os.utime(net.path / "noise.bin", (number, number))
        net.agent.prompt("Go on.")
        net.note()
    kept = [one for one in read_kept(net.root).copies if one.name == "noise.bin"]
    assert net.kept().bytes <= 1 << 20
    assert noted(net)["noise.bin"].digest in {one.digest for one in kept}, "what lies there stays"
    assert len(kept) == 2
    assert noted(net)["notes.md"].copied


def test_what_fits_nowhere_is_said(net: NettedRepository) -> None:
    net.limits = KeepSettings(total_mb=1)
    for name in ("a.bin", "b.bin"):
        (net.path / name).write_bytes(os.urandom(900_000))
    net.note()
    files = noted(net)
    assert sorted(bool(files[name].copied) for name in ("a.bin", "b.bin")) == [False, True]
    assert files["notes.md"].copied


def test_a_tree_that_takes_git_too_long_is_left_alone_and_that_is_said(
    net: NettedRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep, "GIT_SECONDS", 0.0)
    net.note()
    note = read_note(net.root)
    assert note is not None
    assert (note.trouble, note.files) == (TOO_SLOW, ())


def test_who_finds_another_one_at_it_has_it_look_once_more(net: NettedRepository) -> None:
    net.note()
    sole = Sole(f"{folder_of(net.root)}/worker")
    assert sole.take()
    assert not note_work(net.root, KeepSettings())
    sole.give_back()
    assert Path(folder_of(net.root), "again").exists()
    net.note()
    assert not Path(folder_of(net.root), "again").exists()


@pytest.mark.parametrize(
    ("limits", "env"), [(KeepSettings(enabled=False), {}), (KeepSettings(), {"LEEBOARD_KEEP": "0"})]
)
def test_it_can_be_switched_off(net: NettedRepository, limits: KeepSettings, env: dict[str, str]) -> None:
    assert not start_noting(net.root, limits, env)


def test_outside_of_a_repository_nothing_is_noted(net: NettedRepository, tmp_path: Path) -> None:
    assert not start_noting(str(tmp_path), KeepSettings(), {})
    assert note_work(str(tmp_path), net.limits)
    assert read_note(str(tmp_path)) is None


def test_a_file_that_was_committed_since_is_not_noted_any_more(net: NettedRepository) -> None:
    net.note()
    net.run("git add -A && git commit -q -m all")
    net.note()
    assert noted(net) == {}
