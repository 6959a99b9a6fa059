"""Git's own files, and what git could bring back of a workflow's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.guards.git_files import aliased_line, brought_back, kept_by_git, past_rules, spelled_out
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed

STATE = ".haiku/intents/login/stages/build/state.json"
PLAIN = Parsed([], [])


@pytest.mark.parametrize(
    ("place", "own"),
    [
        (".git", True),
        (".git/HEAD", True),
        (".GIT/HEAD", True),
        (".git/config", True),
        (".git/config.worktree", True),
        (".git/packed-refs", True),
        (".git/refs/heads/main", True),
        (".git/refs/", True),
        (".git/hooks", True),
        (".git/hooks/post-commit", True),
        (".git/worktrees/unit-01-form/HEAD", True),
        (".git/info/grafts", True),
        (".git/info/exclude", False),
        (".git/COMMIT_EDITMSG", False),
        (".git/index.lock", False),
        (".git/refs/heads/main.lock", False),
        (".gitignore", False),
        (".github/hooks/a", False),
        ("src/.git/config", False),
        ("", False),
    ],
)
def test_what_git_keeps(place: str, *, own: bool) -> None:
    assert bool(kept_by_git(place)) is own


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("echo x > $(git rev-parse --git-dir)/HEAD", "echo x > /repo/.git/HEAD"),
        ('echo x > "$(git rev-parse --git-common-dir)/HEAD"', 'echo x > "/repo/.git/HEAD"'),
        ("echo x > `git rev-parse --absolute-git-dir`/HEAD", "echo x > /repo/.git/HEAD"),
        ("cp a $(git rev-parse --git-path hooks/pre-push)", "cp a /repo/.git/hooks/pre-push"),
        ("cp a .git/HEA?", "cp a .git/HEAD"),
        ("cp a /repo/.git/refs/heads/ma*n", "cp a /repo/.git/refs/heads/main"),
        ("rm .git/*.lock", "rm .git/*.lock"),
        ("cat .git/HEAD", "cat .git/HEAD"),
        ("git rev-parse HEAD", "git rev-parse HEAD"),
    ],
)
def test_what_a_line_means(command: str, meant: str) -> None:
    assert spelled_out(command, "/repo/") == meant


@pytest.mark.parametrize(
    ("command", "folder", "found"),
    [
        ("checkout main~1 -- .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("checkout main~1 .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("checkout .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("checkout --theirs .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("checkout main~1 -- settings.yml", ".haiku", ".haiku/settings.yml"),
        ("checkout main~1 -- ../.haiku/settings.yml", "src", ".haiku/settings.yml"),
        ("checkout main~1 -- .haiku/studios", ".", ".haiku/studios"),
        ("checkout main~1 -- .haiku/studios/a/STUDIO.md", ".", ".haiku/studios/a/STUDIO.md"),
        ("checkout main~1 -- src .haiku/", ".", ".haiku"),
        ("checkout main~1 -- :/.haiku/settings.yml", "src", ".haiku/settings.yml"),
        ("checkout main~1 -- :(top).haiku/settings.yml", "src", ".haiku/settings.yml"),
        ("checkout main~1 -- :(icase).HAIKU/Settings.yml", ".", ".haiku/settings.yml"),
        ("checkout main~1 -- :(glob).haiku/*", ".", ".haiku/settings.yml"),
        ("checkout main~1 -- .haiku/s*", ".", ".haiku/settings.yml"),
        ("checkout main~1 -- *.yml", ".", ".haiku/settings.yml"),
        ("checkout main~1 -- .", ".", ".haiku/settings.yml"),
        (f"checkout main~1 -- :/{STATE}", ".", STATE),
        ("checkout -- .haiku/intents/login/*/state.json", ".", ".haiku/intents/one/stages/two/state.json"),
        (f"checkout main~1 -- .{'*' * 500}", ".", ".haiku/settings.yml"),
        ("restore .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("restore -s main~1 .haiku/settings.yml", ".", ".haiku/settings.yml"),
        ("restore --source=main~1 -W -S -- .haiku/studios", ".", ".haiku/studios"),
        ("restore --pathspec-from-file=list", ".", "files that a list names"),
        ("restore --staged .haiku/settings.yml", ".", ""),
        ("restore src/a.py", ".", ""),
        ("restore -s main src", ".", ""),
        ("checkout -- src", ".", ""),
        ("checkout -- .", ".", ""),
        ("checkout HEAD -- .", ".", ""),
        ("checkout main -- *.py", ".", ""),
        ("checkout -- *.md", ".", ""),
        ("checkout main -- :!.haiku src", ".", ""),
        ("checkout main -- :(exclude).haiku src", ".", ""),
        ("checkout main -- .haiku/intents/login/knowledge", ".", ""),
        ("checkout main -- .haiku/intents/login/knowledge/*", ".", ""),
        ("checkout main -- settings.yml", ".", ""),
        ("checkout main", ".", ""),
        ("checkout", ".", ""),
        ("show main:.haiku/settings.yml", ".", ""),
    ],
)
def test_what_comes_back(command: str, folder: str, found: str) -> None:
    name, *arguments = command.split()
    assert brought_back(name, arguments, folder) == found


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["core.hooksPath", "/tmp/h"], True),
        (["--global", "core.hookspath", "/tmp/h"], True),
        (["set", "include.path", "f"], True),
        (["alias.x", UNKNOWN], True),
        (["alias.x", "status"], False),
        (["--get", "core.hooksPath"], False),
        (["get", "core.hooksPath"], False),
        (["core.hooksPath"], False),
        (["--unset", "core.hooksPath", "x"], False),
        (["user.name", "kim"], False),
        (["--list"], False),
        ([], False),
    ],
)
def test_settings_that_act_later(arguments: list[str], *, told: bool) -> None:
    assert bool([*past_rules("config", arguments, PLAIN, ".")]) is told


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["alias.x", "push . a:main"], "git push . a:main"),
        (["--global", "alias.x", "!make"], "make"),
        (["set", "alias.x", "log"], "git log"),
        (["--get", "alias.x"], ""),
        (["user.name", "kim"], ""),
    ],
)
def test_what_an_alias_would_run(arguments: list[str], line: str) -> None:
    assert aliased_line("config", arguments) == line
    assert not aliased_line("commit", arguments)


@given(
    st.sampled_from(["checkout", "restore", "config", "x", ""]),
    st.lists(st.text(max_size=12) | st.sampled_from(["--", ":(", ":/", "[", "*", ".haiku/[", "set"]), max_size=5),
)
def test_no_words_break_it(name: str, arguments: list[str]) -> None:
    [*past_rules(name, arguments, PLAIN, ".")]
    aliased_line(name, arguments)


@given(st.text(max_size=60))
def test_no_line_breaks_it(text: str) -> None:
    kept_by_git(text)
    spelled_out(text, "/repo")
