from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git import changes
from leeboard.io.git.changes import (
    Attributes,
    declared_made,
    filtered,
    hides_text,
    look_again,
    read_attributes,
    start_of,
)
from leeboard.io.git.comparison import Question, gather
from leeboard.io.git.output import Listing
from leeboard.io.git.place import find
from leeboard.io.git.untracked import UntrackedReader
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.write("text", "1\n")
    made.write("bin", b"\0")
    made.write(".gitattributes", "* -diff\nmade/* linguist-generated\nnot/* linguist-generated=false\n")
    made.commit()
    return made


def question_of(repository: GitRepository) -> Question:
    head = repository.head
    place = find(repository.root)
    return Question(place=place, base=head, head=head, compared=head, staged_only=False, seconds=30)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", Attributes()),
        ("*.py linguist-generated\n", Attributes(made=True)),
        ("*.lock -diff\n", Attributes(hidden=True)),
        ("*.png binary\n", Attributes(hidden=True)),
        ("* text=auto\n", Attributes(filtered=True)),
        ("*.psd filter=lfs diff=lfs\n", Attributes(filtered=True, hidden=True)),
    ],
)
def test_attributes_are_read_wherever_they_lie(repository: GitRepository, text: str, wanted: Attributes) -> None:
    repository.write(".gitattributes", "")
    repository.write("deep/.gitattributes", text)
    listing = Listing(attributes=(".gitattributes", "deep/.gitattributes", "gone/.gitattributes"))
    assert read_attributes(question_of(repository), listing) == wanted
    repository.write("deep/.gitattributes", "")
    repository.write(".git/info/attributes", text)
    assert read_attributes(question_of(repository), listing) == wanted


def test_what_attributes_declare(repository: GitRepository) -> None:
    paths = ["made/x", "made/n\nl", "made/\udcff", "not/x", "text"]
    assert declared_made(question_of(repository), paths) == set(paths[:3])


def test_text_that_attributes_hide_is_found(repository: GitRepository) -> None:
    repository.write("text", "1\n2\n")
    repository.write("bin", b"\0\1")
    question = question_of(repository)
    facts = gather(question, left_out=lambda _: False)
    hidden = [one.change.path for one in facts.patched if hides_text(question, one, Attributes(hidden=True))]
    assert hidden == ["text"]
    again = {one.change.path: one.section for one in look_again(question, ("text", "bin"))}
    assert again["text"] is not None
    assert (again["text"].added, again["text"].binary) == (1, False)
    assert again["bin"] is not None
    assert (again["bin"].hunks, again["bin"].binary) == ((), True)


def test_any_number_may_be_looked_at_again(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple(f"n{number}" for number in range(7))
    for name in names:
        repository.write(name, "1\n")
    repository.run("add", "--all")
    question = question_of(repository)
    monkeypatch.setattr(changes, "MOST_PATHS", 3)
    assert tuple(one.change.path for one in look_again(question, names)) == names
    assert look_again(question, ()) == ()
    monkeypatch.setattr(changes, "MOST_PATCH", 300)
    assert look_again(question, names[:3]) == ()


def test_digests_are_those_of_what_a_filter_of_the_user_stores(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text(
        '[filter "up"]\n\tclean = tr a-z A-Z\n[filter "broken"]\n\tclean = false\n\trequired = true\n'
    )
    repository.write(".gitattributes", "*.up filter=up\n*.broken filter=broken\n")
    names = ("x.up", "plain", "n\nl.up")
    for name in (*names, "x.broken"):
        repository.write(name, "loud\n")
    reader = UntrackedReader(repository.root, 40, 99)
    files = tuple(reader.read(name) for name in names)
    question = question_of(repository)
    assert filtered(question, files, Attributes()) == files
    stored = filtered(question, files, Attributes(filtered=True))
    repository.write("LOUD", "LOUD\n")
    assert stored[0].side.blob == repository.run("hash-object", "LOUD")
    assert stored[1:] == files[1:]
    broken = (*files, reader.read("x.broken"))
    assert filtered(question, broken, Attributes(filtered=True)) == broken


def test_only_ordinary_files_have_a_start(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("12345")
    (tmp_path / "link").symlink_to("a")
    assert start_of(str(tmp_path / "a"), 3) == b"123"
    assert start_of(str(tmp_path / "link"), 3) == b""
    assert start_of(str(tmp_path), 3) == b""
    assert start_of(str(tmp_path / "gone"), 3) == b""
