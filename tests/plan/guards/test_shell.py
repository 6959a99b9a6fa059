"""Shell lines that would take a workflow's work away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.plan.guards.shell import Ground, harms
from leeboard.shell.patch import PatchDisk, patches_of
from leeboard.shell.understand import understand

TREE = "/repo/.haiku/worktrees/login/unit-01-form"
PRIMARY = Ground(top="/repo", here="/repo", hub="haiku/login/main", branch="haiku/login/main")
INSIDE = replace(PRIMARY, here=TREE, unit=("login", "unit-01-form"))


def harmed(command: str, ground: Ground) -> list[str]:
    blind = patches_of(command, ground.here, PatchDisk(ground.top, lambda _path: None))
    return [harm.subject for harm in harms(understand(command, ground.here), ground, blind)]


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf .haiku/worktrees/login/unit-01-form",
        "rm -rf .haiku/worktrees/login/unit-01-form/",
        "rm -r .haiku/worktrees",
        "rm -rf .haiku",
        "rm -rf /repo",
        "rm -rf .",
        "rm -rf .git",
        "rm -rf .haiku/worktrees/*",
        "rm -rf .haiku/worktrees/login/*",
        "cd .haiku/worktrees && rm -rf login",
        "mv .haiku/worktrees/login/unit-01-form /tmp/x",
        "find .haiku/worktrees -delete",
        "find .haiku/intents/login -name '*.json' -delete",
        "cd .haiku/intents/login && find . -maxdepth 1 -type f ! -name '*.md' -delete",
        "rm .haiku/intents/login/*.json",
        "rm -f .haiku/intents/*/.drift_checksum .haiku/intents/login/.*",
        "cd .haiku/intents/login/stages/build && rm -f *",
        "find .haiku -type f -exec rm {} +",
        "python3 -c \"import shutil; shutil.rmtree('.haiku/worktrees/login')\"",
        "bash -c 'rm -rf .haiku/worktrees/login/unit-01-form'",
        "git worktree remove .haiku/worktrees/login/unit-01-form",
        "git worktree remove --force .haiku/worktrees/login/unit-01-form",
        "git -C . worktree remove -f /repo/.haiku/worktrees/login/unit-01-form",
        "git worktree move .haiku/worktrees/login/unit-01-form /tmp/x",
        "git branch -D haiku/login/unit-01-form",
        "git branch --delete --force haiku/login/main",
        "git branch -m haiku/login/main old",
        "git branch -f haiku/login/main main",
        "git update-ref -d refs/heads/haiku/login/main",
        "git branch --list 'haiku/*' | xargs git branch -D",
        "git reset --hard",
        "git reset --hard HEAD~1",
        "git reset HEAD~2",
        "git reset --soft HEAD^",
        "cd src && git reset -q --hard",
        "git checkout main",
        "git checkout -b other",
        "git checkout -",
        "git checkout .",
        "git checkout -- .",
        "git checkout HEAD -- .",
        "git switch main",
        "git switch -c other",
        "git switch --detach",
        "git restore .",
        "git restore --staged --worktree :/",
        "git stash",
        "git stash -u",
        "git stash push -m wip",
        "git stash save wip",
        "git clean -fdx",
        "git clean -f",
        "git clean -ffdx .",
        "git rebase main",
        "git stash pop",
        "git stash apply stash@{1}",
        "git apply /tmp/p.diff",
        "cat p.diff | git apply",
        "git apply <<'EOF'\nno patch\nEOF",
        "patch -p1 < /tmp/p.diff",
        "git config alias.p 'apply /tmp/p.diff'",
        "git apply --exclude='.haiku/none' /tmp/p.diff",
        "git apply --include='*' /tmp/p.diff",
        "git apply --stat --apply /tmp/p.diff",
        "git am x.patch",
        "env git stash",
        "sudo git clean -fdx",
        "git -c alias.x='reset --hard' x",
        'git -c alias.x="$Y" x',
        "git config alias.x '!git stash'",
        "git restore -s main .haiku/settings.yml",
    ],
)
def test_it_would_take_work_away(command: str) -> None:
    """SH-53."""
    assert harmed(command, PRIMARY), command


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "git log --oneline main..HEAD",
        "git diff main -- src",
        "git show main:src/a.py",
        "git stash list",
        "git stash show -p",
        "git stash drop",
        "git checkout 'stash@{0}' -- src/a.py",
        "git apply --check /tmp/p.diff",
        "git apply --exclude='.haiku/*' /tmp/p.diff",
        "git apply --include 'src/*' /tmp/p.diff",
        "git apply <<'EOF'\n--- a/src/a.py\n+++ b/src/a.py\nEOF",
        "git am --abort",
        "git stash push -- src/a.py",
        "git branch",
        "git branch -a --list 'haiku/*'",
        "git branch -D old-feature",
        "git worktree list",
        "git worktree prune",
        "git worktree add ../hotfix main",
        "git worktree remove ../hotfix",
        "git checkout -- src/a.py",
        "git checkout src/a.py",
        "git checkout HEAD src/a.py",
        "git checkout haiku/login/main",
        "git switch haiku/login/main",
        "git restore --staged .",
        "git restore src/a.py",
        "git reset",
        "git reset HEAD src/a.py",
        "git reset -- src/a.py",
        "git clean -n",
        "git clean -fdn",
        "git clean -fd build",
        "git clean -fdx -e .haiku",
        "git add -A && git commit -m 'git reset --hard is gone'",
        "git merge main",
        "git rebase --abort",
        "ls .haiku/worktrees",
        "echo 'git stash'",
        "grep -rn 'git checkout main' docs",
        "rm -rf build",
        "rm -rf ./*.pyc",
        "rm -f *.pyc",
        "rm -rf $BUILD",
        "cd src && rm *",
        "rm -rf .haiku/intents/login/knowledge/*",
        "find .haiku/intents/login/stages/build/artifacts -name '*.tmp' -delete",
        "find . -name '*.pyc' -delete",
        "rm .git/index.lock",
        "rm -f .haiku/worktrees/login/unit-01-form/src/old.py",
        "cd /tmp/other && git reset --hard && git stash",
        "git -C /tmp/other checkout main",
        "git -C /tmp/other config core.hooksPath hooks",
        "git -c alias.x='log -3' x",
        "git config alias.last 'log -1'",
        f"git -C {TREE} reset --hard",
        f"cd {TREE} && git clean -fdx && git checkout .",
    ],
)
def test_ordinary_lines_are_free(command: str) -> None:
    assert not harmed(command, PRIMARY), command


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("git reset --hard HEAD~1", []),
        ("git stash && git stash pop", []),
        ("git apply /tmp/p.diff", []),
        ("git clean -fdx", []),
        ("git checkout .", []),
        ("git checkout -- src", []),
        ("git rebase main", []),
        ("git commit -qam x", []),
        ("git switch haiku/login/unit-01-form", []),
        ("rm -rf ./*", []),
        ("rm -rf src", []),
        ("git checkout main", ["git checkout"]),
        ("git switch -c mine", ["git switch"]),
        ("git -C ../unit-02-mail reset --hard", ["git reset"]),
        ("git -C /repo reset --hard", ["git reset"]),
        ("cd /repo && git stash", ["git stash"]),
        ("git branch -D haiku/login/unit-02-mail", ["git branch"]),
        ("rm -rf ../unit-02-mail", ["/repo/.haiku/worktrees/login/unit-02-mail"]),
    ],
)
def test_a_unit_has_its_own_tree(command: str, found: list[str]) -> None:
    assert harmed(command, INSIDE) == found


@pytest.mark.parametrize(
    "command",
    [
        "git push . haiku/login/main:main",
        "git push . HEAD:refs/heads/main",
        "git push ./ +HEAD:main",
        "git push /repo haiku/login/main:main",
        "git push file:///repo haiku/login/main:master",
        "git push . HEAD:$TRUNK",
        "git push . $(git rev-parse HEAD):main",
        "git push -q . 0123456789abcdef:main",
        "git push origin HEAD:main",
        "git push --force origin haiku/login/main:refs/heads/main",
        "git fetch . haiku/login/main:main",
        "git fetch . HEAD:refs/remotes/origin/main",
        "git pull . haiku/login/main:main",
        "git branch -f main haiku/login/main",
        "git branch -f main HEAD",
        "git branch --force main",
        "git branch -M main",
        "git update-ref refs/heads/main HEAD",
        "git update-ref refs/remotes/origin/main haiku/login/main",
        "git symbolic-ref refs/heads/main refs/heads/haiku/login/main",
        "git worktree add -B main /tmp/wt haiku/login/main",
        "git worktree add -q /tmp/wt main && git -C /tmp/wt merge -q haiku/login/main",
        "git worktree add -q /tmp/wt-$$ main && git -C /tmp/wt-$$ merge -q haiku/login/main",
        "cd $(mktemp -d) && git worktree add . main && git merge haiku/login/main",
        "cd /tmp/wt && git merge --squash haiku/login/main && git commit -qm x",
        "cd /tmp/wt && git pull . haiku/login/main",
        "git -C /tmp/wt pull /repo haiku/login/main",
        "git -C /tmp/wt reset --hard haiku/login/main",
        "git -C /tmp/wt cherry-pick main..haiku/login/main",
        "git -C /tmp/wt checkout haiku/login/main -- .",
        "git -C /tmp/wt restore --source haiku/login/main .",
        "git -C /tmp/wt rebase haiku/login/main",
        "gh pr merge 3 --squash --delete-branch",
        "gh -R owner/name pr merge --auto",
        "glab mr merge 3",
        "gh api -X PUT repos/owner/name/pulls/3/merge",
    ],
)
@pytest.mark.parametrize("ground", [PRIMARY, INSIDE])
def test_the_agent_does_not_make_up_the_merge(command: str, ground: Ground) -> None:
    """SH-49: an event from outside is not the agent's to bring about."""
    assert harmed(command, ground), command


@pytest.mark.parametrize(
    "command",
    [
        "gh pr create --fill && gh pr view --json mergeable && gh pr merge --help",
        "gh pr review 3 --approve -b 'merge it' && gh pr comment 3 --body merge && gh issue create -t pr -b merge",
        "gh api repos/owner/name/pulls/3/merge",
        "D=$(mktemp -d) && git clone -q . $D/x && cd $D/x && git checkout -q main && git reset --hard",
        "git push origin haiku/login/main",
        "git push -u origin HEAD",
        "git push origin HEAD:review/login",
        "git push origin haiku/login/main:haiku/login/main",
        "git push origin main",
        "git push origin HEAD:$BRANCH",
        "git push",
        "git push /srv/backup.git haiku/login/main",
        "git push --tags origin",
        "git fetch origin",
        "git fetch origin main:main",
        "git fetch . origin/main:main",
        "git fetch . HEAD:backup",
        "git pull",
        "git pull origin main",
        "git pull . main",
        "git merge origin/main",
        "git merge haiku/login/unit-01-form",
        "git branch -f main origin/main",
        "git branch main-copy main",
        "git branch -m old new",
        "git worktree add ../look main",
        "git worktree add -b hotfix ../hotfix main",
        "git -C /tmp/wt merge main",
        "git -C /tmp/wt log haiku/login/main",
        "git -C /tmp/wt diff main haiku/login/main",
        "git -C /tmp/wt commit -qm x",
        "cd /tmp/other && git push . HEAD:main && git branch -f main HEAD",
    ],
)
def test_other_ways_of_branches_are_free(command: str) -> None:
    assert not harmed(command, PRIMARY), command


def test_nor_where_the_trunk_is_checked_out() -> None:
    assert harmed("git merge haiku/login/main", replace(PRIMARY, branch="main"))
    assert not harmed("git merge feature", replace(PRIMARY, branch="main"))


@pytest.mark.parametrize("command", ["git stash", "git checkout feature", "git reset --hard", "git clean -fdx"])
def test_on_another_branch_the_primary_tree_is_the_users(command: str) -> None:
    assert not harmed(command, replace(PRIMARY, branch="main"))


def test_it_says_what_to_do_instead() -> None:
    (harm,) = harms(understand("git stash", "/repo"), PRIMARY)
    assert "git stash push -- FILE" in harm.instead
    assert "haiku/login/main" in harm.why


@given(st.text(max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    for command in (text, f"git {text}", f"rm {text}", f"git checkout {text}"):
        list(harms(understand(command, "/repo"), PRIMARY))
