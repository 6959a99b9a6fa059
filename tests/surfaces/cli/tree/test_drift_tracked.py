from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.tracked import TrackedNews
from leeboard.io.places import secret_key
from leeboard.model.truth import ABSENT, TrackedChange, TrackedFile
from leeboard.surfaces.cli.tree.drift import difference_of, drift_page, tracked_view
from leeboard.truth.state import state_of
from tests.hooked_agent import run

BEFORE, AFTER = "one\ntwo\n", "one\nTWO\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    place = tmp_path / "repo"
    place.mkdir()
    (place / "a.md").write_text(BEFORE)
    run(place, "git init -q -b main . && git add -A && git commit -qm begin")
    (place / "a.md").write_text(AFTER)
    return place


def changed(repo: Path, text: str = BEFORE, *, head: bool = True) -> TrackedChange:
    state = state_of(text, secret_key())
    before = TrackedFile(
        path="a.md",
        sha256=sha256(text.encode()).hexdigest(),
        size=8,
        is_binary=False,
        lines=state.lines,
        count=state.count,
        head=run(repo, "git rev-parse HEAD").stdout.decode().strip() if head else "",
    )
    return TrackedChange(path="a.md", before=before, sha256=sha256(AFTER.encode()).hexdigest())


def test_a_whole_diff_where_git_has_what_was_accepted(repo: Path) -> None:
    assert difference_of(changed(repo), str(repo)) == (
        "--- a.md",
        "+++ a.md",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "+TWO",
    )


def test_a_whole_diff_where_it_was_accepted_first_and_committed_later(repo: Path) -> None:
    (repo / "a.md").write_text("one\nzwei\n")
    change = changed(repo, "one\nzwei\n")
    run(repo, "git commit -qam accepted && git commit -q --allow-empty -m 'nothing of it'")
    (repo / "a.md").write_text(AFTER)
    assert difference_of(change, str(repo))[-3:] == (" one", "-zwei", "+TWO")
    never_there = replace(change, before=replace(change.before, head="")) if change.before else change
    assert difference_of(never_there, str(repo))[-2:] == ("-zwei", "+TWO")


@pytest.mark.parametrize(("text", "head"), [("one\nzwei\n", False), ("one\nzwei\n", True)])
def test_else_the_lines_that_are_new(repo: Path, text: str, *, head: bool) -> None:
    found = difference_of(changed(repo, text, head=head), str(repo))
    assert found == ("- 1 line gone behind line 1", "+ 2: TWO")


def test_new_gone_and_what_is_no_text(repo: Path) -> None:
    change = changed(repo)
    assert difference_of(replace(change, before=None), str(repo))[:2] == ("--- /dev/null", "+++ a.md")
    assert difference_of(replace(change, sha256=ABSENT), str(repo))[:2] == ("--- a.md", "+++ /dev/null")
    assert difference_of(replace(change, is_binary=True), str(repo)) == ("no text",)


def test_where_no_lines_were_remembered_it_says_so(repo: Path) -> None:
    change = changed(repo, "one\nzwei\n")
    assert change.before is not None
    bare = replace(change, before=replace(change.before, lines=b""))
    assert "not known" in difference_of(bare, str(repo))[0]


KEY = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


@pytest.mark.parametrize("kind", ["in git", "new", "by its lines"])
def test_no_secret_is_shown(repo: Path, kind: str) -> None:
    (repo / "a.md").write_text(f"one\ntwo\nkey = {KEY}\n")
    change = changed(repo, BEFORE if kind == "in git" else "one\nzwei\n")
    found = difference_of(replace(change, before=None) if kind == "new" else change, str(repo))
    assert any("key = [redacted]" in line for line in found)
    assert KEY not in "".join(found)


def test_where_only_a_secret_changed_it_says_that_something_did(repo: Path) -> None:
    (repo / "a.md").write_text(f"key = {KEY}\n")
    run(repo, "git commit -qam key")
    change = changed(repo, f"key = {KEY}\n")
    (repo / "a.md").write_text(f"key = {KEY[:-1]}d\n")
    (line,) = difference_of(change, str(repo))
    assert "secrets" in line


def test_what_a_program_is_told(repo: Path) -> None:
    told = tracked_view(TrackedNews(change=changed(repo), author="git", words="git: it is as in commit x"))
    assert (told.kind, told.change, told.by) == ("tracked_change", "modified", "git: it is as in commit x")
    gone = replace(changed(repo), sha256=ABSENT)
    assert tracked_view(TrackedNews(change=gone, author="git", words="x")).after_sha256 is None


def test_where_nothing_is_tracked_no_store_is_made(repo: Path, tmp_path: Path) -> None:
    page = drift_page(str(repo))
    assert (page.tracks, page.status.tracked, page.changed, page.unread) == (False, 0, (), ())
    assert not (tmp_path / "state" / "leeboard.db").exists()
