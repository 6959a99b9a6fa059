from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.patch import PatchCommand, PatchDisk, patches_of

CODE = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n"
BOTH = f"{CODE}--- a/.haiku/settings.yml\n+++ b/.haiku/settings.yml\n"
ON_DISK = {"/repo/x.patch": CODE, "/repo/both.patch": BOTH, "/repo/sub/x.patch": CODE}
TREE = "/repo/.haiku/worktrees/login/unit-01-form"


def told(command: str, cwd: str = "/repo") -> list[PatchCommand]:
    return list(patches_of(command, cwd, PatchDisk("/repo", ON_DISK.get)))


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("git apply x.patch", ["/repo/src/a.py"]),
        ("git apply -R --index x.patch && make test", ["/repo/src/a.py"]),
        ("git -C /repo apply /repo/x.patch", ["/repo/src/a.py"]),
        ("git apply < x.patch", ["/repo/src/a.py"]),
        ("git am x.patch", ["/repo/src/a.py"]),
        (f"git apply <<'EOF'\n{CODE}EOF", ["/repo/src/a.py"]),
        ("git apply both.patch", ["/repo/src/a.py", "/repo/.haiku/settings.yml"]),
        ("git apply --exclude='.haiku/*' both.patch", ["/repo/src/a.py"]),
        ("git apply --include='src/*' both.patch", ["/repo/src/a.py"]),
        ("git apply --directory=.haiku/intents x.patch", ["/repo/.haiku/intents/src/a.py"]),
        ("cd sub && git apply x.patch", ["/repo/sub/src/a.py", "/repo/src/a.py"]),
        (f"cd {TREE} && git apply /repo/x.patch", [f"{TREE}/src/a.py"]),
        ("patch -p1 < x.patch", ["/repo/src/a.py"]),
        ("patch -p1 -i x.patch", ["/repo/src/a.py"]),
        (f"patch -d {TREE} -p1 < x.patch", [f"{TREE}/src/a.py"]),
        ("patch < x.patch", ["/repo/a/src/a.py", "/repo/a.py", "/repo/b/src/a.py"]),
        ("patch .haiku/settings.yml < x.patch", ["/repo/.haiku/settings.yml"]),
        ("patch -p1 -o .haiku/settings.yml < x.patch", ["/repo/src/a.py", "/repo/.haiku/settings.yml"]),
    ],
)
def test_the_files_of_a_patch(command: str, paths: list[str]) -> None:
    assert [list(one.paths or ()) for one in told(command)] == [paths]


@pytest.mark.parametrize(
    "command",
    [
        "git apply /tmp/x.patch",
        "patch -p1 < /tmp/x.patch",
        "cat x.patch | git apply",
        "cat x.patch | patch -p1",
        "git diff main | git apply",
        "git apply x.patch other.patch",
        "cp /tmp/x.patch x.patch && git apply x.patch",
        "ln -sfn /tmp/sub sub; git apply sub/x.patch",
        "make patches && git apply x.patch",
        "bash -c 'git apply x.patch'",
        "GIT_WORK_TREE=.haiku git apply x.patch",
        "git --work-tree=.haiku apply x.patch",
        "git -c core.worktree=.haiku apply x.patch",
        "git apply --direc=.haiku x.patch",
        'git apply --directory="$(cat where)" x.patch',
        'git apply "$1"',
        "git apply -p one x.patch",
        "cd $SOMEWHERE && git apply x.patch",
        "patch -e < x.patch",
        "patch --dir=.haiku -p1 < x.patch",
        "patch -B .haiku/ -p1 < x.patch",
    ],
)
def test_nobody_can_tell(command: str) -> None:
    assert [one.paths for one in told(command)] == [None]


@pytest.mark.parametrize(
    "command",
    ["git apply --check x.patch", "git apply --stat x.patch", "git am --abort", "patch --dry-run -p1 < x.patch", "ls"],
)
def test_who_only_looks_changes_nothing(command: str) -> None:
    assert told(command) == []


@pytest.mark.parametrize(
    ("options", "spared"),
    [
        ("--exclude='.haiku/*'", True),
        ("--exclude=.haiku/one", False),
        ("--include='src/*'", True),
        ("--include='*'", False),
        ("--include='.haiku/*' --exclude='.haiku/*'", False),
        ("--incl='.haiku/*' --exclude='.haiku/*'", False),
    ],
)
def test_whether_the_plan_is_left_out(options: str, *, spared: bool) -> None:
    assert [one.spared for one in told(f"git apply {options} /tmp/x.patch")] == [spared]


@given(st.text(max_size=80))
def test_it_reads_anything(text: str) -> None:
    told(f"git apply {text}")
    told(f"patch {text}")
