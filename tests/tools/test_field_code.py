"""The bench of real code, on an archive made up here."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from tools import field_code
from tools.field_code import FieldError, Found, Label, Project, Scanned

_CODE = b'from flask import request\nimport os\n\ndef ping():\n    os.system("ping " + request.args["host"])\n'


def _archive() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo("app-1.0/src/ping.py")
        member.size, member.mode = len(_CODE), 0o000
        tar.addfile(member, io.BytesIO(_CODE))
        link = tarfile.TarInfo("app-1.0/passwd")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    return packed.getvalue()


def _project(digest: str, half: field_code.Half = "looked") -> Project:
    return Project(name="@made/app", version="1.0", sha256=digest, source="npm", language="python", half=half)


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(field_code, "CACHE", tmp_path)
    (tmp_path / "archives").mkdir()
    archive = tmp_path / "archives" / "made-app-1.0"
    archive.write_bytes(_archive())
    return archive


def test_what_is_fetched_is_scanned_once_and_has_no_links(cached: Path) -> None:
    project = _project(hashlib.sha256(cached.read_bytes()).hexdigest())
    folder = field_code.fetch(project)
    assert not (folder / "app-1.0" / "passwd").exists()
    scanned = field_code.scan(project, "0" * 64, jobs=1)
    assert scanned.found == (Found("@made/app", "app-1.0/src/ping.py", 5, "injection", "FIRE"),)
    assert scanned.lines == 5
    (folder / "app-1.0" / "src" / "ping.py").write_text("")
    assert field_code.scan(project, "0" * 64, jobs=1) == scanned


def test_another_archive_than_the_pinned_one_is_refused(cached: Path) -> None:
    with pytest.raises(FieldError, match="not the pinned one"):
        field_code.fetch(_project("0" * 64))
    assert not cached.exists()


_PINNED = """
[[project]]
name = "@made/app"
version = "1.0"
sha256 = "{digest}"
source = "npm"
language = "python"
half = "looked"

[[project]]
name = "moved-on"
version = "2.0"
sha256 = "{digest}"
source = "deb"
language = "php"
half = "counted"

[[project]]
name = "@made/other"
version = "1.0"
sha256 = "{digest}"
source = "npm"
language = "go"
half = "looked"
"""


@pytest.fixture
def listed(cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of three: one is there, Debian has moved on from the second, the third has been published anew."""
    (tmp_path / "apt" / "lists").mkdir(parents=True)
    (tmp_path / "archives" / "made-other-1.0").write_bytes(b"published anew")
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "fresh.toml").write_text(_PINNED.format(digest=hashlib.sha256(cached.read_bytes()).hexdigest()))
    monkeypatch.setattr(field_code, "LABELS", labels)


@pytest.mark.usefixtures("listed")
def test_projects_that_can_no_longer_be_had_are_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert field_code.main(["fetch", "--set", "fresh"]) == field_code.EXIT_INCOMPLETE
    told = capsys.readouterr()
    assert told.out.startswith("1 of 3 projects in ")
    gone, other = told.err.splitlines()
    assert gone.startswith("field-code: left out: moved-on 2.0 (deb): apt-get failed: ")
    assert other == "field-code: left out: @made/other 1.0 (npm): the archive is not the pinned one"
    assert field_code.main(["precision", "--set", "fresh", "-j", "1"]) == field_code.EXIT_INCOMPLETE
    told = capsys.readouterr()
    assert told.out.startswith("1 of 3 projects, 1 languages, 5 lines\n")
    assert "| looked | injection | FIRE | 1 |" in told.out
    assert "moved-on 2.0" in told.err


@pytest.mark.usefixtures("listed")
def test_one_half_is_looked_at_while_the_other_stays_closed(capsys: pytest.CaptureFixture[str]) -> None:
    assert field_code.main(["fetch", "--set", "fresh", "--half", "counted"]) == field_code.EXIT_INCOMPLETE
    told = capsys.readouterr()
    assert told.out.startswith("0 of 1 projects in ")
    assert "other" not in told.err


def test_the_table_counts_by_half_and_takes_precision_from_the_labels() -> None:
    projects = [_project("1"), _project("2", "counted")]
    found = tuple(Found("@made/app", "a.py", line, "injection", "FIRE") for line in (1, 2, 3, 4))
    scans = [Scanned(100_000, found), Scanned(200_000, found[:1])]
    place = {"project": "@made/app", "path": "a.py", "rule": "injection", "disposition": "FIRE"}
    labels = [
        Label(**place, line=1, label="true", reason="a request reaches a shell"),
        Label(**place, line=2, label="debatable", reason="only an administrator can send it"),
        Label(**place, line=3, label="false", reason="escaped before"),
    ]
    rows = list(field_code.table(projects, scans, labels))
    assert any(row.startswith("| looked | all | FIRE | 4 | 4.00 | 3 | 1 | 1 | 1 | 50 % (") for row in rows)
    assert rows[-2].startswith("| counted | all | FIRE | 1 | 0.50 |")
    assert [item.line for item in field_code.unread(projects, scans, labels)] == [4]


def test_the_pinned_projects_are_enough_and_every_label_belongs_to_one() -> None:
    projects = field_code.load_projects()
    assert len(projects) >= 60
    assert len({project.language for project in projects}) >= 10
    assert sum(project.application for project in projects) >= 20
    known = {
        one.name for name in field_code.SETS for one in field_code.load_projects(field_code.LABELS / f"{name}.toml")
    }
    labels = field_code.load_labels()
    assert {label.project for label in labels} <= known
    assert len({label.place for label in labels}) == len(labels)


def test_the_lists_share_no_project() -> None:
    lists = [field_code.load_projects(field_code.LABELS / f"{name}.toml") for name in field_code.SETS]
    names = [one.name for projects in lists for one in projects]
    assert len(set(names)) == len(names)
    halves = {name: {one.half for one in projects} for name, projects in zip(field_code.SETS, lists, strict=True)}
    both = {"looked", "counted"}
    assert halves == {
        "projects": both,
        "fresh": both,
        "unseen": {"counted"},
        "later": both,
        "last": {"counted"},
        "sealed": {"counted"},
        "closing": {"counted"},
        "drawn": both,
    }


@pytest.mark.parametrize(("name", "count"), [("later", 50), ("last", 30), ("sealed", 40)])
def test_a_set_drawn_later_is_broad_and_half_of_it_is_for_the_web(name: str, count: int) -> None:
    projects = field_code.load_projects(field_code.LABELS / f"{name}.toml")
    assert len(projects) == count
    assert len({project.language for project in projects}) >= 10
    assert sum(project.application for project in projects) >= count / 2
