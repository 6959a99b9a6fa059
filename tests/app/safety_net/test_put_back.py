"""What is put back, what is left as it lies there, and where it goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.safety_net.copies import read_kept
from leeboard.app.safety_net.note import folder_of
from leeboard.app.safety_net.put_back import PutBack, Restored
from leeboard.errors import ConfigError
from tests.leak import live_key
from tests.netted_repository import APP, NOTES, NettedRepository


def put_back(net: NettedRepository, *names: str, to: str = "", force: bool = False) -> tuple[Restored, ...]:
    return PutBack(net.root, to=to, force=force).put_back(names, net.root, gone=False)


def test_a_file_comes_back_with_its_mode(net: NettedRepository) -> None:
    (net.path / "notes.md").chmod(0o640)
    net.note()
    net.run("rm notes.md")
    assert [one.ending for one in put_back(net, "notes.md")] == ["restored"]
    assert net.read("notes.md") == NOTES.encode()
    assert (net.path / "notes.md").stat().st_mode & 0o777 == 0o640


def test_a_folder_comes_back_with_all_that_was_in_it(net: NettedRepository) -> None:
    net.note()
    net.run("rm -r drafts")
    assert {one.name for one in put_back(net, "drafts")} == {"drafts/one.md", "drafts/two.md"}
    assert net.read("drafts/two.md") == b"another draft\n"


def test_what_is_named_from_a_folder_inside_is_found_from_the_top_too(net: NettedRepository) -> None:
    net.note()
    net.run("rm notes.md")
    done = PutBack(net.root).put_back(("notes.md",), f"{net.root}/src", gone=False)
    assert [one.ending for one in done] == ["restored"]


def test_something_different_is_not_written_over_without_a_word_and_is_kept_first(net: NettedRepository) -> None:
    net.note()
    net.git.write("notes.md", "quite another text\n")
    assert [one.ending for one in put_back(net, "notes.md")] == ["refused"]
    assert net.read("notes.md") == b"quite another text\n"
    assert [one.ending for one in put_back(net, "notes.md", force=True)] == ["restored"]
    assert net.read("notes.md") == NOTES.encode()
    newest = max((one for one in read_kept(net.root).copies if one.name == "notes.md"), key=lambda one: one.time)
    assert [one.ending for one in put_back(net, newest.id)] == ["restored"]
    assert net.read("notes.md") == b"quite another text\n"


def test_what_git_has_and_what_is_empty_may_go(net: NettedRepository) -> None:
    net.note()
    net.run("git checkout -q src/app.py && : > notes.md")
    assert [one.ending for one in put_back(net, "src/app.py", "notes.md")] == ["restored", "restored"]
    assert net.read("src/app.py") == APP.encode()
    assert [one.ending for one in put_back(net, "src/app.py")] == ["unchanged"]


def test_into_another_folder(net: NettedRepository, tmp_path: Path) -> None:
    net.note()
    assert [one.ending for one in put_back(net, "drafts/one.md", to=str(tmp_path / "out"))] == ["restored"]
    assert (tmp_path / "out" / "drafts" / "one.md").read_bytes() == b"one draft\n"


def test_a_link_on_the_way_is_not_followed(net: NettedRepository, tmp_path: Path) -> None:
    net.note()
    (tmp_path / "elsewhere").mkdir()
    net.run("rm -r drafts notes.md")
    (net.path / "drafts").symlink_to(tmp_path / "elsewhere")
    (net.path / "notes.md").symlink_to(tmp_path / "elsewhere" / "target")
    assert [one.ending for one in put_back(net, "drafts/one.md")] == ["failed"]
    assert [one.ending for one in put_back(net, "notes.md")] == ["refused"]
    assert [one.ending for one in put_back(net, "notes.md", force=True)] == ["restored"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_holds_a_secret_is_not_written_over(net: NettedRepository) -> None:
    net.note()
    net.git.write("notes.md", f'api_key = "{live_key(1)}"\n')
    (done,) = put_back(net, "notes.md", force=True)
    assert done.ending == "refused"
    assert "--to" in done.text


def test_a_name_that_nobody_can_type_has_an_id(net: NettedRepository) -> None:
    name = "two\nlines\udce9.md"
    place = Path(os.fsdecode(os.fsencode(net.root) + b"/" + os.fsencode(name)))
    place.write_bytes(b"mine\n")
    net.note()
    place.unlink()
    (copy,) = (one for one in read_kept(net.root).copies if one.name == name)
    assert [one.ending for one in put_back(net, copy.id)] == ["restored"]
    assert place.read_bytes() == b"mine\n"


def test_what_is_not_kept_is_said(net: NettedRepository) -> None:
    with pytest.raises(ConfigError, match="--list"):
        put_back(net, "never.md")


def test_a_damaged_copy_is_not_put_back(net: NettedRepository) -> None:
    net.note()
    net.run("rm notes.md")
    for copy in Path(folder_of(net.root), "copies").iterdir():
        copy.write_bytes(b"garbage")
    assert [one.ending for one in put_back(net, "notes.md")] == ["failed"]
    assert net.read("notes.md") is None
