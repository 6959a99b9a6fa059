"""`leeboard restore` on a real repository, and what other commands know of the copies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import run
from tests.netted_repository import NOTES, NettedRepository, use_state


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NettedRepository:
    use_state(tmp_path, monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path))
    made = NettedRepository(tmp_path / "work")
    made.make()
    monkeypatch.chdir(made.path)
    return made


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(list(arguments))
    return code, capsys.readouterr().out


def test_from_the_first_list_to_what_is_put_back(net: NettedRepository, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "restore") == (0, "nothing is kept here yet: it begins with an agent's next session\n")
    net.begin()
    net.does("make wipe")
    code, text = output(capsys, "restore", "--list")
    assert code == 0
    assert "3 gone" in text
    assert "notes.md" in text
    assert "make wipe" in text
    page, *kept = map(json.loads, output(capsys, "restore", "--json")[1].splitlines())
    assert (page["kind"], page["gone"], len(kept)) == ("kept", 3, 4)
    code, text = output(capsys, "restore", "notes.md", "--json")
    assert (code, json.loads(text)["ending"]) == (0, "restored")
    assert net.read("notes.md") == NOTES.encode()
    net.git.write("drafts/one.md", "something of today\n")
    code, text = output(capsys, "restore", "--gone")
    assert code == 1
    assert "refused  drafts/one.md" in text
    assert net.read("drafts/two.md") == b"another draft\n"
    assert output(capsys, "restore", "none.md")[0] == 2


def test_without_a_repository_it_says_that_it_needs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_state(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    code, text = output(capsys, "restore")
    assert (code, "in no repository" in text) == (0, True)


def test_status_export_and_purge_know_the_copies(net: NettedRepository, capsys: pytest.CaptureFixture[str]) -> None:
    net.begin()
    net.does("make wipe")
    assert "3 gone: `leeboard restore --gone`" in " ".join(output(capsys, "status")[1].split())
    told = json.loads(output(capsys, "status", "--json")[1])
    assert (told["kept"]["copies"], told["kept"]["gone"]) == (4, 3)
    copies = [one for one in map(json.loads, output(capsys, "export")[1].splitlines()) if one["kind"] == "copy"]
    assert {one["path"]: one["content"] for one in copies}["notes.md"] == NOTES
    code, text = output(capsys, "purge", "--project")
    assert code == 0, text
    assert "nothing is kept" in output(capsys, "restore")[1]
