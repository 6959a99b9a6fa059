from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from leeboard.plan.disk.truth.surface import read_surface
from leeboard.plan.surface import spelled
from tests.truth_project import SLUG, TruthProject


def test_the_folders_of_the_seed(project: TruthProject) -> None:
    """FD-14 to FD-18: each with its class; what is managed by the engine is not among them (FD-20, FD-21)."""
    for place in ("artifacts/a", "outputs/o", "knowledge/k", "discovery/d", "units/u.md", "feedback/f.md", "other/x"):
        project.write(f"stages/shape/{place}", place)
    project.write("knowledge/deep/er.md", "x")
    project.write("knowledge/intent.md", "not the plan's")
    surface = read_surface(project.folder, SLUG, ("", "shape"))
    found = {path: (file.place, file.tracking_class) for path, file in surface.files("shape").items()}
    top = "stages/shape"
    assert found == {
        f"{top}/artifacts/a": (f"{top}/artifacts/a", "stage-output"),
        f"{top}/artifacts/o": (f"{top}/outputs/o", "stage-output"),
        f"{top}/knowledge/k": (f"{top}/knowledge/k", "knowledge"),
        f"{top}/discovery/d": (f"{top}/discovery/d", "knowledge"),
    }
    assert set(surface.files("")) == {"knowledge/old.md", "knowledge/deep/er.md", "knowledge/intent.md"}
    assert {file.stage for file in surface.files("").values()} == {None}
    assert surface.size == 7
    assert surface.shas("")["knowledge/old.md"] == sha256(b"old\n").hexdigest()


def test_nothing_is_shadowed_by_the_alias(project: TruthProject) -> None:
    """FD-15: where both have a file of one name, the second keeps its own."""
    project.write("stages/shape/artifacts/a", "one")
    project.write("stages/shape/outputs/a", "two")
    files = read_surface(project.folder, SLUG, ("shape",)).files("shape")
    assert {path: file.bytes for path, file in files.items()} == {
        "stages/shape/artifacts/a": 3,
        "stages/shape/outputs/a": 3,
    }
    assert files["stages/shape/outputs/a"].sha256 == sha256(b"two").hexdigest()


def test_what_is_ignored(project: TruthProject) -> None:
    for name in (".DS_Store", "a~", ".#a", "a.swp", "4913", ".gitkeep", ".hwm-tmp-1", "a.log", "tmp/x", "kept"):
        project.write(f"knowledge/{name}", "x")
    surface = read_surface(project.folder, SLUG, ("",), ("*.log", "knowledge/tmp/**"))
    assert set(surface.files("")) == {"knowledge/old.md", "knowledge/kept"}
    assert not surface.is_gone("knowledge/tmp/y"), "it is none of ours"


def test_links_are_their_own_text(project: TruthProject) -> None:
    """Never followed: neither to a file, nor to a folder, nor in the place of the whole surface."""
    (project.top / "knowledge/link").symlink_to("/etc/passwd")
    (project.top / "knowledge/folder").symlink_to("/etc")
    project.write("elsewhere/x", "x")
    (project.top / "stages/shape/knowledge").symlink_to(project.top / "elsewhere")
    surface = read_surface(project.folder, SLUG, ("", "shape"))
    assert surface.shas("")["knowledge/link"] == sha256(b"/etc/passwd").hexdigest()
    assert surface.shas("")["knowledge/folder"] == sha256(b"/etc").hexdigest()
    assert list(surface.files("shape")) == ["stages/shape/knowledge"]


def test_names_that_are_no_text(project: TruthProject) -> None:
    name = os.fsdecode(b"knowledge/caf\xe9.md")
    project.write(name, "x")
    files = read_surface(project.folder, SLUG, ("",)).files("")
    assert spelled(name) in files
    assert files[spelled(name)].sha256 == project.sha(name)


def test_what_can_not_be_read_is_not_gone(project: TruthProject) -> None:
    """A pipe is no file: what was one in its place is."""
    deep = f"knowledge/{'/'.join(['d'] * 205)}/file"
    project.write(deep, "too deep\n")
    os.mkfifo(project.top / "knowledge/pipe")
    surface = read_surface(project.folder, SLUG, ("",))
    assert "knowledge/pipe" in surface.unread
    assert surface.is_gone("knowledge/pipe")
    assert not surface.is_gone(deep)
    assert surface.is_gone("knowledge/never")
    assert not surface.ran_out


def test_digests_of_what_the_truth_is_kept_in(project: TruthProject) -> None:
    """They are no part of the surface."""
    surface = read_surface(project.folder, SLUG, ("",), kept=("baseline.json", "none.json"))
    assert surface.kept == {"baseline.json": project.sha("baseline.json")}
    assert surface.size == 1
    (project.top / "baseline.json").unlink()
    os.mkfifo(project.top / "baseline.json")
    assert read_surface(project.folder, SLUG, ("",), kept=("baseline.json",)).kept == {"baseline.json": ""}


@pytest.mark.parametrize("content", [b"new\n", b"old\n"])
def test_the_fingerprint_is_that_of_the_contents(project: TruthProject, content: bytes) -> None:
    """FD-06, FD-57: restored times hide nothing; touched files are the same."""
    path: Path = project.top / "knowledge/old.md"
    before, times = read_surface(project.folder, SLUG, ("",)).fingerprint(""), path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    path.chmod(0o600)
    after = read_surface(project.folder, SLUG, ("",)).fingerprint("")
    assert (before == after) is (content == b"old\n")
