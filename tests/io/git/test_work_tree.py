from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.errors import ConfigError, EffectError
from leeboard.io.git.work_tree import base_for, collect, head_of
from leeboard.model.touch import FileChange, Hunk, TreeChange
from tests.git_repository import GitRepository

HOSTILE = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "color.ui": "always",
    "color.diff": "always",
    "diff.external": "/bin/false",
    "diff.renames": "false",
    "diff.renameLimit": "1",
    "diff.orderFile": "order",
    "diff.submodule": "log",
    "diff.interHunkContext": "50",
    "diff.context": "9",
    "diff.suppressBlankEmpty": "true",
    "diff.ignoreSubmodules": "all",
    "diff.relative": "true",
    "diff.algorithm": "patience",
    "diff.indentHeuristic": "true",
    "diff.wsErrorHighlight": "all",
    "diff.colorMoved": "zebra",
    "diff.autoRefreshIndex": "false",
    "diff.words.textconv": "rev",
    "diff.words.xfuncname": ".*",
    "core.quotePath": "true",
    "core.abbrev": "5",
    "core.pager": "false",
    "core.fsmonitor": "/bin/false",
    "core.safecrlf": "true",
    "core.autocrlf": "input",
    "status.showUntrackedFiles": "no",
    "status.relativePaths": "true",
    "log.showSignature": "true",
}


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """Three committed files."""
    made = GitRepository(tmp_path / "repo")
    made.write("a.txt", "one\ntwo\nthree\n")
    made.write("src/b.py", "".join(f"line {number}\n" for number in range(20)))
    made.write("pic.bin", b"\0\1\2")
    made.commit(at="2026-01-01T00:00:00Z")
    return made


def by_path(change: TreeChange) -> dict[str, FileChange]:
    return {one.path: one for one in change.files}


def only(change: TreeChange) -> FileChange:
    (one,) = change.files
    return one


def test_a_clean_tree_has_no_change(repository: GitRepository) -> None:
    change = collect(repository.root)
    assert change.files == ()
    assert change.base == change.head == repository.head
    assert change.root == repository.root
    assert change.notes == ()


def test_one_file_in_each_state(repository: GitRepository) -> None:
    """SP-22."""
    base = repository.head
    repository.write("committed.txt", "c\n")
    repository.commit()
    repository.write("staged.txt", "s\n")
    repository.run("add", "staged.txt")
    repository.write("a.txt", "one\nTWO\nthree\n")
    repository.write("new.txt", "n\n" * 500)
    change = collect(repository.root, base)
    found = by_path(change)
    assert {path: one.states for path, one in found.items()} == {
        "committed.txt": ("committed",),
        "staged.txt": ("staged",),
        "a.txt": ("unstaged",),
        "new.txt": ("untracked",),
    }
    assert found["new.txt"].added == 500
    assert found["a.txt"].hunks == (Hunk(2, ("TWO",), ("two",)),)
    assert (change.base, change.head, change.commits) == (base, repository.head, 1)


def test_a_file_that_is_committed_staged_and_changed_again_is_counted_once(repository: GitRepository) -> None:
    base = repository.head
    for text, command in (("1\n", "commit"), ("1\n2\n", "add"), ("1\n2\n3\n", "")):
        repository.write("a.txt", text)
        if command == "commit":
            repository.commit()
        elif command:
            repository.run("add", "a.txt")
    one = only(collect(repository.root, base))
    assert one.states == ("committed", "staged", "unstaged")
    assert (one.added, one.deleted) == (3, 3)


def test_what_was_done_and_undone_is_no_change(repository: GitRepository) -> None:
    base = repository.head
    repository.write("a.txt", "other\n")
    repository.commit()
    repository.write("a.txt", "one\ntwo\nthree\n")
    assert collect(repository.root, base).files == ()


def test_a_touched_file_is_no_change(repository: GitRepository) -> None:
    os.utime(repository.path / "a.txt", (1, 1))
    assert collect(repository.root).files == ()


def test_a_touched_committed_file_is_not_unstaged(repository: GitRepository) -> None:
    base = repository.head
    repository.write("a.txt", "other\n")
    repository.commit()
    os.utime(repository.path / "a.txt", (1, 1))
    assert only(collect(repository.root, base)).states == ("committed",)


def test_a_rename_keeps_both_names(repository: GitRepository) -> None:
    repository.run("mv", "src/b.py", "lib.py")
    change = collect(repository.root)
    one = only(change)
    assert (one.kind, one.old_path, one.path, one.loc, one.states) == ("renamed", "src/b.py", "lib.py", 0, ("staged",))
    assert change.paths == ("src/b.py", "lib.py")


def test_what_is_no_text_is_a_file_without_lines(repository: GitRepository) -> None:
    repository.write("pic.bin", b"\0\3")
    repository.write("new.bin", b"\0" * 99)
    found = by_path(collect(repository.root))
    assert all((one.binary, one.loc, one.hunks) == (True, 0, ()) for one in found.values())
    assert found["pic.bin"].kind == "modified"
    assert found["new.bin"].kind == "added"


def test_deleted_retyped_and_mode_only(repository: GitRepository) -> None:
    repository.remove("src/b.py")
    repository.remove("a.txt")
    (repository.path / "a.txt").symlink_to("/etc/passwd")
    (repository.path / "pic.bin").chmod(0o755)
    found = by_path(collect(repository.root))
    assert (found["src/b.py"].kind, found["src/b.py"].deleted) == ("deleted", 20)
    assert (found["a.txt"].kind, found["a.txt"].added, found["a.txt"].deleted) == ("retyped", 1, 3)
    assert found["a.txt"].hunks[-1].added == ("/etc/passwd",)
    assert (found["pic.bin"].kind, found["pic.bin"].loc) == ("modified", 0)


def test_intent_to_add_is_not_staged(repository: GitRepository) -> None:
    repository.write("new.txt", "n\n")
    before = collect(repository.root)
    repository.run("add", "--intent-to-add", "new.txt")
    after = collect(repository.root)
    assert (only(after).states, only(after).added) == (("unstaged",), 1)
    assert before.digest == after.digest


def test_unmerged_files_are_named(repository: GitRepository) -> None:
    repository.run("checkout", "-q", "-b", "other")
    repository.write("a.txt", "other\n")
    repository.commit()
    repository.run("checkout", "-q", "main")
    repository.write("a.txt", "mine\n")
    repository.commit()
    with pytest.raises(AssertionError, match="git"):
        repository.run("merge", "other")
    change = collect(repository.root)
    assert only(change).kind == "unmerged"
    assert change.notes == ("not merged yet: a.txt",)
    staged = collect(repository.root, staged_only=True)
    assert staged.notes == ("not merged yet: a.txt",)


def test_names_may_hold_anything(repository: GitRepository) -> None:
    names = ["-dash", "new\nline", "tab\tin", 'quo"te', "café", "\udcff\udcfe", "b\\s", " space ", "x/diff --git a"]
    for name in names:
        repository.write(name, "1\n")
    repository.commit()
    for name in names:
        repository.write(name, "1\n2\n")
        repository.write(f"{name}2", "3\n")
    found = by_path(collect(repository.root))
    assert {path: one.hunks for path, one in found.items()} == {
        **{name: (Hunk(2, ("2",)),) for name in names},
        **{f"{name}2": (Hunk(1, ("3",)),) for name in names},
    }


def test_without_a_commit_everything_is_new(tmp_path: Path) -> None:
    empty = GitRepository(tmp_path)
    assert collect(empty.root).files == ()
    assert head_of(empty.root) == ""
    empty.write("a", "1\n")
    empty.run("add", "a")
    empty.write("a", "1\n2\n")
    empty.write("b", "1\n")
    change = collect(empty.root)
    assert (change.base, change.head, change.commits) == ("", "", 0)
    assert {path: (one.states, one.added) for path, one in by_path(change).items()} == {
        "a": (("staged", "unstaged"), 2),
        "b": (("untracked",), 1),
    }
    assert only(collect(empty.root, staged_only=True)).added == 1


def test_a_branch_without_a_commit_compares_with_the_given_one(repository: GitRepository) -> None:
    base = repository.head
    repository.run("checkout", "-q", "--orphan", "other")
    repository.write("a.txt", "other\n")
    change = collect(repository.root, base)
    assert (only(change).path, change.head, change.commits) == ("a.txt", "", 0)


def test_folders_of_tools_and_given_globs_are_left_out(repository: GitRepository) -> None:
    """SP-23."""
    for path in (".workgraph/graph.jsonl", ".wg/x", ".leeboard/y", "docs/.wg/kept", "build/out.o", "note.md"):
        repository.write(path, "x\n")
    paths = collect(repository.root, exclude=("build/", "*.md")).paths
    assert paths == ("docs/.wg/kept",)
    repository.commit()
    tracked = repository.head
    repository.write(".workgraph/graph.jsonl", "y\n")
    assert collect(repository.root, tracked).files == ()


def test_a_rename_out_of_sight_is_the_half_that_is_seen(repository: GitRepository) -> None:
    repository.write("build/made.py", "".join(f"made {number}\n" for number in range(9)))
    repository.commit()
    (repository.path / "build").mkdir(exist_ok=True)
    repository.run("mv", "src/b.py", "build/b.py")
    repository.run("mv", "build/made.py", "kept.py")
    found = by_path(collect(repository.root, exclude=("build/",)))
    assert {path: (one.kind, one.old_path, one.added, one.deleted) for path, one in found.items()} == {
        "src/b.py": ("deleted", "", 0, 20),
        "kept.py": ("added", "", 9, 0),
    }


def test_generated_files_are_seen_and_their_lines_are_nobodys(repository: GitRepository) -> None:
    repository.write("hand.py", "1\n")
    repository.write("made.py", "# Code generated by a tool. DO NOT EDIT.\nx = 1\n")
    repository.write("edited.py", "# Code generated by a tool. DO NOT EDIT.\n" + "x\n" * 30)
    repository.write("plain.py", "x\n" * 30)
    base = repository.commit()
    repository.write("edited.py", "# Code generated by a tool. DO NOT EDIT.\n" + "x\n" * 29 + "y\n")
    repository.write("plain.py", "x\n" * 29 + "y\n")
    repository.write("package-lock.json", "{}\n")
    repository.remove("made.py")
    found = by_path(collect(repository.root, base))
    assert {path for path, one in found.items() if one.generated} == {"edited.py", "package-lock.json", "made.py"}
    assert (found["edited.py"].loc, found["edited.py"].added) == (0, 1)


def test_attributes_declare_what_is_generated_or_vendored(repository: GitRepository) -> None:
    repository.write(
        ".gitattributes", "api/** linguist-generated\next/* linguist-vendored=true\nown/* -linguist-vendored\n"
    )
    repository.commit()
    for path in ("api/x/y.py", "ext/z.py", "own/w.py", "new\nline.py"):
        repository.write(path, "1\n")
    found = by_path(collect(repository.root))
    assert {path for path, one in found.items() if one.generated} == {"api/x/y.py", "ext/z.py"}


def hidden_by_attributes(repository: GitRepository) -> None:
    repository.write(".gitattributes", "*.txt -diff\n*.py diff=words\n")
    repository.commit()


@pytest.mark.parametrize("text", ["one\ntwo\nthree\nfour\n", ""])
def test_attributes_hide_no_lines(repository: GitRepository, text: str) -> None:
    hidden_by_attributes(repository)
    repository.write("a.txt", text) if text else repository.remove("a.txt")
    one = only(collect(repository.root))
    assert (one.binary, one.added, one.deleted) == (False, 1 if text else 0, 0 if text else 3)
    assert one.hunks


def test_settings_of_people_change_nothing(repository: GitRepository) -> None:
    repository.write("word.words", "forward\n")
    repository.write(".gitattributes", "*.words diff=words\n")
    repository.write("crlf.txt", "one\ntwo\n")
    base = repository.commit()
    repository.run("mv", "src/b.py", "src/c.py")
    repository.write("src/c.py", "".join(f"line {number}\n" for number in range(21)))
    repository.write("a.txt", "one\n\nthree\n+more\n")
    repository.write("word.words", "backward\n")
    repository.write("order", "word.words\n")
    repository.write("café.txt", "1\n")
    sub = GitRepository(repository.path / "sub")
    sub.write("x", "1\n")
    sub.commit()
    repository.run("add", "sub")
    sub.write("x", "2\n")
    plain = collect(repository.root, base)
    for name, value in HOSTILE.items():
        repository.run("config", name, value)
    assert collect(repository.root, base) == plain
    assert {one.path for one in plain.files} == {"src/c.py", "a.txt", "word.words", "order", "café.txt", "sub"}
    assert by_path(plain)["word.words"].hunks == (Hunk(1, ("backward",), ("forward",)),)


@pytest.mark.parametrize("ignore", ["none", "dirty", "all"])
def test_a_submodule_is_flagged_whatever_is_wrong_with_it(tmp_path: Path, ignore: str) -> None:
    inner = GitRepository(tmp_path / "inner")
    inner.write("x", "1\n")
    inner.commit()
    outer = GitRepository(tmp_path / "outer")
    outer.run("submodule", "--quiet", "add", inner.root, "sub")
    outer.run("config", "-f", ".gitmodules", "submodule.sub.ignore", ignore)
    base = outer.commit()
    assert collect(outer.root, base).files == ()
    sub = GitRepository(outer.path / "sub")
    sub.write("x", "2\n")
    dirty = collect(outer.root, base)
    assert (only(dirty).submodule, only(dirty).loc, only(dirty).states) == (True, 0, ("unstaged",))
    assert "sub" in dirty.notes[0]
    sub.commit()
    moved = collect(outer.root, base)
    assert (only(moved).submodule, only(moved).loc, moved.notes) == (True, 0, ())
    assert len({dirty.digest, moved.digest}) == 2
    outer.commit()
    assert only(collect(outer.root, base)).states == ("committed",)
    assert collect(outer.root, base).digest == moved.digest


def test_a_repository_inside_is_flagged_like_a_submodule(repository: GitRepository) -> None:
    inner = GitRepository(repository.path / "inner")
    inner.write("x", "1\n")
    inner.commit()
    change = collect(repository.root)
    assert (only(change).path, only(change).submodule, only(change).loc) == ("inner", True, 0)
    base = repository.head
    repository.commit()
    assert collect(repository.root, base).digest == change.digest


def test_taken_out_of_the_index_but_still_there(repository: GitRepository) -> None:
    before = collect(repository.root)
    repository.run("rm", "-q", "--cached", "a.txt")
    assert collect(repository.root).files == ()
    assert collect(repository.root).digest == before.digest
    repository.write("a.txt", "one\nTWO\nthree\n")
    one = only(collect(repository.root))
    assert (one.kind, one.states, one.hunks) == ("modified", ("staged", "untracked"), (Hunk(2, ("TWO",), ("two",)),))


def changes(repository: GitRepository) -> None:
    repository.write("a.txt", "changed\n")
    repository.write("new.txt", "n\n")
    repository.write("pic.bin", b"\0changed")
    repository.write("other.bin", b"\0new")
    repository.write("caf\udcff", "x")
    repository.write("run.sh", "x\n").chmod(0o755)
    (repository.path / "link").symlink_to("nowhere")
    (repository.path / "src" / "b.py").rename(repository.path / "moved.py")


def test_the_digest_is_of_content_not_of_states(repository: GitRepository) -> None:
    base = repository.head
    changes(repository)
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: repository.run("add", "-N", "new.txt"),
        lambda: repository.run("add", "a.txt", "link"),
        lambda: repository.run("add", "--all"),
        repository.commit,
        lambda: repository.run("reset", "-q", "--soft", base),
        lambda: repository.run("reset", "-q", base),
    ]
    digests = set()
    for step in steps:
        step()
        digests.add(collect(repository.root, base).digest)
    assert len(digests) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.write("a.txt", "changed!\n"),
        lambda one: one.write("pic.bin", b"\0changed!"),
        lambda one: one.write("other.bin", b"\0new!"),
        lambda one: one.write("new.txt", "n"),
        lambda one: one.write("more", ""),
        lambda one: one.remove("new.txt"),
        lambda one: (one.path / "new.txt").chmod(0o755),
        lambda one: (one.path / "moved.py").rename(one.path / "moved2.py"),
    ],
)
def test_any_other_content_has_another_digest(
    repository: GitRepository, change: Callable[[GitRepository], object]
) -> None:
    changes(repository)
    before = collect(repository.root).digest
    change(repository)
    assert collect(repository.root).digest != before


@pytest.mark.parametrize("settings", [("core.autocrlf", "input"), ("core.autocrlf", "true"), ()])
def test_the_digest_goes_by_what_git_would_store(repository: GitRepository, settings: tuple[str, ...]) -> None:
    repository.write(".gitattributes", "*.eol text eol=crlf\n")
    base = repository.commit()
    if settings:
        repository.run("config", *settings)
    repository.write("new.txt", "a\r\nb\r\n")
    repository.write("new.eol", "a\r\n")
    before = collect(repository.root, base)
    assert by_path(before)["new.txt"].hunks == (Hunk(1, ("a", "b")),)
    repository.commit()
    assert collect(repository.root, base).digest == before.digest


def test_staged_only_compares_the_index(repository: GitRepository) -> None:
    repository.write("a.txt", "staged\n")
    repository.run("add", "a.txt")
    repository.write("a.txt", "not staged\n")
    repository.write("src/b.py", "not staged\n")
    repository.write("new", "untracked\n")
    one = only(collect(repository.root, staged_only=True))
    assert (one.path, one.states) == ("a.txt", ("staged",))
    assert one.hunks == (Hunk(1, ("staged",), ("one", "two", "three")),)


@pytest.mark.parametrize("arguments", [("-a",), ("a.txt",), ()])
def test_a_pre_commit_hook_sees_what_is_being_committed(repository: GitRepository, arguments: tuple[str, ...]) -> None:
    script = "from leeboard.io.git.work_tree import collect; print(collect('.', staged_only=True).paths)"
    project = Path(__file__).resolve().parents[3]
    hook = repository.write(
        ".git/hooks/pre-commit", f'#!/bin/sh\nPYTHONPATH={project} {sys.executable} -c "{script}" >seen\n'
    )
    hook.chmod(0o755)
    repository.write("a.txt", "new\n")
    repository.write("src/b.py", "staged\n")
    repository.run("add", "src/b.py")
    repository.run("commit", "-q", "-m", "x", *arguments)
    wanted = {("-a",): "('a.txt', 'src/b.py')", ("a.txt",): "('a.txt',)", (): "('src/b.py',)"}[arguments]
    assert (repository.path / "seen").read_text().strip() == wanted


def test_an_index_of_another_repository_is_not_looked_at(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GitRepository(tmp_path / "other")
    other.write("x", "1\n")
    other.run("add", "x")
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git" / "index"))
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    assert collect(repository.root, staged_only=True).files == ()
    assert collect(repository.root).files == ()


def test_a_linked_work_tree_and_a_detached_head(repository: GitRepository, tmp_path: Path) -> None:
    base = repository.head
    repository.run("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = GitRepository(tmp_path / "side")
    side.write("a.txt", "side\n")
    side.commit()
    side.write("new", "1\n")
    assert head_of(side.root) == side.head != base
    assert collect(side.root, base).paths == ("a.txt", "new")
    side.run("checkout", "-q", "--detach")
    assert collect(side.root).paths == ("new",)
    assert head_of(repository.root) == base


def test_work_trees_of_the_same_repository_are_no_content(repository: GitRepository) -> None:
    repository.run("worktree", "add", "-q", "-b", "side", "trees/side")
    GitRepository(repository.path / "trees" / "other")
    assert collect(repository.root).paths == ("trees/other",)


def test_everything_since_the_beginning(repository: GitRepository) -> None:
    change = collect(repository.root, base_for(repository.root, "", "2020-01-01T00:00:00Z"))
    assert change.paths == ("a.txt", "pic.bin", "src/b.py")
    assert {one.states for one in change.files} == {("committed",)}
    assert change.commits == 1


def test_a_relative_root(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.path / "src")
    repository.write("a.txt", "changed\n")
    assert collect("..").paths == ("a.txt",)
    assert collect(".").root == repository.root


def test_digests_may_be_long(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    GitRepository(tmp_path / "plain").run("init", "-q", "--object-format=sha256", str(tmp_path / "long"))
    long = GitRepository(tmp_path / "long")
    long.write("a", "1\n")
    empty = collect(long.root)
    assert empty.paths == ("a",)
    base = long.commit()
    long.write("a", "2\n")
    long.write("b", "3\n")
    before = collect(long.root, base)
    long.commit()
    assert collect(long.root, base).digest == before.digest != empty.digest


def test_a_folder_below_the_top_means_the_whole_tree(repository: GitRepository) -> None:
    repository.write("a.txt", "changed\n")
    change = collect(str(repository.path / "src"))
    assert (change.paths, change.root) == (("a.txt",), repository.root)


def test_what_git_does_not_look_at_is_noted(repository: GitRepository) -> None:
    repository.run("update-index", "--assume-unchanged", "a.txt")
    repository.run("update-index", "--skip-worktree", "src/b.py", "pic.bin")
    repository.write("a.txt", "hidden\n")
    repository.remove("pic.bin")
    change = collect(repository.root)
    assert change.files == ()
    assert change.notes == (
        "marked assume-unchanged, so that git does not look at them: a.txt",
        "marked skip-worktree, so that git does not look at them: src/b.py",
        "a sparse checkout: 1 files are not in the work tree",
    )


def test_a_base_that_head_left_behind_is_noted(repository: GitRepository) -> None:
    repository.write("a.txt", "gone\n")
    base = repository.commit()
    repository.run("reset", "-q", "--hard", "HEAD~1")
    change = collect(repository.root, base)
    assert change.paths == ("a.txt",)
    assert base[:12] in change.notes[0]


@pytest.mark.parametrize("base", ["HEAD~1", "main~1", "v1"])
def test_a_base_may_be_named(repository: GitRepository, base: str) -> None:
    repository.run("tag", "v1")
    first = repository.head
    repository.write("a.txt", "second\n")
    repository.commit()
    assert collect(repository.root, base).base == first


def test_not_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EffectError, match=r"not a git repository.*git init"):
        collect(str(tmp_path))
    with pytest.raises(EffectError, match="does not exist"):
        collect(str(tmp_path / "absent"))


def test_a_bare_repository_is_an_error(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare")], check=True)
    with pytest.raises(EffectError, match="bare repository"):
        collect(str(tmp_path / "bare"))


def test_a_base_that_is_not_here_is_an_error(repository: GitRepository, tmp_path: Path) -> None:
    base = repository.head
    repository.write("a.txt", "2\n")
    repository.commit()
    repository.run("clone", "-q", "--depth", "1", f"file://{repository.root}", str(tmp_path / "shallow"))
    shallow = str(tmp_path / "shallow")
    assert collect(shallow).files == ()
    with pytest.raises(EffectError, match=r"bad object.*--unshallow"):
        collect(shallow, base)
    with pytest.raises(ConfigError, match=r"shallow.*--unshallow"):
        base_for(shallow, "main~1")


def test_a_damaged_index_is_an_error(repository: GitRepository) -> None:
    repository.write(".git/index", "nonsense")
    with pytest.raises(EffectError, match="index"):
        collect(repository.root)


def test_without_git_it_is_an_error(repository: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EffectError, match="PATH"):
        collect(repository.root)


def test_past_the_time_limit_it_is_an_error(
    repository: GitRepository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    with pytest.raises(EffectError, match=r"within 0\.2 seconds"):
        collect(repository.root, seconds=0.2)


PATHS = st.sampled_from(["a", "b", "src/c", "src/d d", "-e", "né", "n\nl"])
TEXTS = st.lists(st.sampled_from(["x", "y", "z", "diff --git a/a b/a"]), max_size=5).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), PATHS, TEXTS),
        st.tuples(st.just("remove"), PATHS, st.just("")),
        st.tuples(st.sampled_from(["add", "commit", "unstage"]), st.just(""), st.just("")),
    ),
    max_size=8,
)


def apply(repository: GitRepository, step: tuple[str, str, str]) -> None:
    kind, path, text = step
    if kind == "write":
        repository.write(path, text)
    elif kind == "remove":
        (repository.path / path).unlink(missing_ok=True)
    elif kind == "commit":
        repository.commit()
    else:
        repository.run(*{"add": ("add", "--all"), "unstage": ("reset", "-q")}[kind])


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    return GitRepository(tmp_path_factory.mktemp("tree") / "repo")


def contents(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(root)): path.read_text() for path in files}


@given(start=st.dictionaries(PATHS, TEXTS, max_size=5), steps=STEPS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_exactly_the_files_that_differ_are_named(
    scratch: GitRepository, start: dict[str, str], steps: list[tuple[str, str, str]]
) -> None:
    """Against a comparison of the two trees that does not know git."""
    for path in contents(scratch.path):
        scratch.remove(path)
    for path, text in start.items():
        scratch.write(path, text)
    base, before = scratch.commit(), contents(scratch.path)
    for step in steps:
        apply(scratch, step)
    after = contents(scratch.path)
    change = collect(scratch.root, base)
    assert set(change.paths) == {path for path in before | after if before.get(path) != after.get(path)}
    for one in change.files:
        old, new = before.get(one.old_path or one.path, ""), after.get(one.path, "")
        assert one.added - one.deleted == new.count("\n") - old.count("\n")
        assert one.states
    scratch.commit()
    assert collect(scratch.root, base).digest == change.digest
