from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.comparison import DiffFacts, Question
from leeboard.io.git.output import Listing, Side
from leeboard.io.git.place import GitPlace
from leeboard.io.git.untracked import Untracked
from leeboard.io.git.work_tree import notes_of


def noted(facts: DiffFacts, *untracked: Untracked, root: str = "/nowhere") -> tuple[str, ...]:
    place = GitPlace(root=root, folder=root, shared=root)
    question = Question(place=place, base="b" * 40, head="c" * 40, compared="b" * 40, staged_only=False, seconds=1)
    return notes_of(question, facts, facts.patched, untracked)


def facts(listing: Listing | None = None, warnings: str = "", *, astray: bool = False) -> DiffFacts:
    return DiffFacts(
        patched=(),
        counts={},
        listing=listing or Listing(),
        untracked=(),
        staged={},
        committed={},
        tree="",
        astray=astray,
        warnings=warnings,
    )


def test_nothing_to_say() -> None:
    assert noted(facts(warnings="warning: in the working copy of 'a', CRLF will be replaced by LF")) == ()


@pytest.mark.parametrize(
    ("about", "note"),
    [
        (facts(astray=True), "HEAD no longer contains the base bbbbbbbbbbbb"),
        (facts(Listing(unmerged=frozenset("ba"))), "not merged yet: a, b"),
        (facts(Listing(unwatched=tuple("abcdefg"))), "a, b, c, d, e and 2 more"),
        (facts(Listing(unwatched=("a\nb", "\udcff"))), r"'a\nb', '\udcff'"),
        (facts(Listing(skipped=("x", "y"))), "a sparse checkout: 2 files are not in the work tree"),
        (facts(warnings="warning: could not open directory 'x/': Permission denied"), "could not open directory 'x/'"),
        (facts(warnings="warning: exhaustive rename detection was skipped due to too many files."), "renames"),
    ],
)
def test_what_git_could_not_say(about: DiffFacts, note: str) -> None:
    (said,) = noted(about)
    assert note in said


def test_a_skipped_file_that_is_there_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    (said,) = noted(facts(Listing(skipped=("x",))), root=str(tmp_path))
    assert said == "marked skip-worktree, so that git does not look at them: x"


def test_a_shallow_clone(tmp_path: Path) -> None:
    (tmp_path / "shallow").write_text("")
    (said,) = noted(facts(), root=str(tmp_path))
    assert "shallow" in said


def test_of_untracked_files() -> None:
    side = Side("100644", "1")
    files = (
        Untracked(path="long", side=side, cut=True),
        Untracked(path="locked", side=side, cut=True, note="locked can not be read"),
        Untracked(path="inner/", side=Side("160000")),
    )
    assert noted(facts(), *files) == (
        "nested repositories are not looked into: inner/",
        "too large to be kept, lines are only counted: long",
        "locked can not be read",
    )
