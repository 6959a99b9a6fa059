"""A change outside of the unit or stage that is at work: the edges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.app.handle import RunSetting, handle
from leeboard.app.replay import MOMENTS
from leeboard.model.contract import Allowance
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.studio import StageSpec, Template
from leeboard.model.verdict import Action, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import planned, play
from leeboard.testing.scenario_lines import ROOT

TREE = ".haiku/worktrees/login/unit-01-form"


def verdict(phase: str, line: str, *further: str) -> Verdict:
    return play((f'plan phase = "{phase}"', *further, line)).proposed()[-1]


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("elaborate", "write src/new.py | x"),
        ("elaborate", "$ echo x > src/new.py"),
        ("elaborate", "$ git mv src/a.py src/b.py"),
        ("elaborate", "write README.md | x"),
        ("execute", "$ cd src && sed -i s/a/b/ login.py"),
        ("execute", "$ rm -rf src"),
        ("execute", f"$ cd {TREE} 2>&1 | tail -5; echo 1 > src/one.py"),
        ("execute", "$ for n in one two; do echo 1 > src/$n.py; done"),
        ("execute", f"$ cd {TREE} && sed -i s/a/b/ ../../../../src/login.py"),
        ("execute", f"edit {TREE}/../unit-02-mail/src/a.py | a => b"),
        ("execute", "write .haiku/settings.yml | drift_detection: false"),
        ("execute", "write .haiku/intents/other/knowledge/a.md | x"),
        ("execute", "write .haiku/intents/login/stages/design/artifacts/a.md | x"),
        ("gate", "write .haiku/studios/own/stages/build/STAGE.md | x"),
        ("execute", f"$ rm -rf {TREE}"),
        ("execute", f"$ git worktree remove --force {TREE}"),
        ("execute", "$ git branch -D haiku/login/unit-01-form"),
        ("review", "$ git reset --hard"),
        ("gate", "$ git stash"),
        ("elaborate", "$ git switch main"),
        ("execute", "$ git clean -fdx"),
    ],
)
def test_it_is_denied_under_advise(phase: str, line: str) -> None:
    """SH-53."""
    found = verdict(phase, line)
    assert (found.action, found.rules) == (Action.DENY, ("workflow_guard",))
    assert "haiku_run_next" in found.message
    assert f"leeboard allow {found.id} " in found.message


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("elaborate", "write .haiku/intents/login/stages/build/discovery/FACTS.md | x"),
        ("elaborate", "write .haiku/knowledge/ARCHITECTURE.md | x"),
        ("elaborate", "$ pytest -q > /tmp/out.txt 2>&1; git status"),
        ("execute", f"$ cd {TREE} && sed -i s/a/b/ src/login.py && git commit -qam x"),
        ("execute", "write .haiku/intents/login/stages/build/artifacts/a.md | x"),
        ("execute", "write .haiku/intents/login/features/a.feature | x"),
        ("execute", "$ git checkout -- src/login.py"),
        ("execute", "edit ~/notes.md | a => b"),
        ("review", "$ sed -i s/a/b/ src/login.py"),
        ("gate", "edit src/login.py | a => b"),
        ("execute", f"$ cd {TREE} && git reset --hard && git clean -fdx"),
        ("execute", f"$ cd {TREE} && make test 2>&1 | tail -5 && sed -i s/a/b/ src/login.py"),
        ("execute", f"$ cd {TREE} && make test 2>&1 | tail -5; echo 1 > src/one.py"),
        ("execute", f"$ cd {TREE} && pytest -q 2>&1 | tee docs/test.log | tail -3"),
        ("execute", f"$ cd {TREE} && python3 -m pytest -q 2>&1 | tail -2 && git stash"),
        ("execute", f"$ cd {TREE} && git diff 2>/dev/null | git apply -R"),
        ("execute", "$ git stash list; git log -3; git diff main; ls .haiku/worktrees"),
        ("review", "$ git stash push -- src/login.py"),
    ],
)
def test_it_lets_work_go_on(phase: str, line: str) -> None:
    assert "workflow_guard" not in verdict(phase, line).rules


def test_what_an_agent_in_a_unit_may_touch() -> None:
    inside = "plan inside = true"
    assert verdict("execute", "edit src/a.py | a => b", inside).action < Action.DENY
    other = "edit /repo/.haiku/intents/login/stages/build/units/unit-02-mail.md | a => b"
    assert "unit-01-form" in verdict("execute", other, inside).message


def test_the_artifacts_of_a_stage_may_lie_anywhere() -> None:
    spec = StageSpec(
        name="build",
        templates=(
            Template(name="a", kind="discovery", location="docs/{intent-slug}/"),
            Template(name="b", kind="output", location="DESIGN.md"),
            Template(name="c", kind="output", location="(project tree)"),
        ),
    )
    work = planned({"phase": "elaborate"}, ROOT)
    stage = replace(work.plan.stages[0], spec=spec)
    plan = replace(work.plan, stages=(stage,))
    setting = RunSetting(workspace=Workspace(ROOT), policy=Policy(), rules=discover(), plan_root=ROOT, plan=plan)

    def denied(path: str) -> bool:
        call = ToolCall(id=path, tool="Write", action="write", paths=(path,))
        event = ToolProposed(session="s", key=path, cwd=ROOT, call=call)
        found = handle((event,), MOMENTS[ToolProposed], MemoryStore(), setting)
        return found is not None and found.action is Action.DENY

    assert [denied(path) for path in ("docs/login/a.md", "DESIGN.md", "docs/other.md")] == [False, False, True]


def test_a_person_may_let_it_pass() -> None:
    work = planned({"phase": "elaborate"}, ROOT)
    allowed = Allowance(id="a1", rule="workflow_guard", path="src/**")
    setting = RunSetting(
        workspace=Workspace(ROOT),
        policy=Policy(),
        rules=discover(),
        plan_root=ROOT,
        plan=work.plan,
        allowances=(allowed,),
    )
    call = ToolCall(id="t", tool="Write", action="write", paths=("src/a.py",))
    found = handle(
        (ToolProposed(session="s", key="k", cwd=ROOT, call=call),), MOMENTS[ToolProposed], MemoryStore(), setting
    )
    assert found is not None
    assert found.action < Action.DENY


@pytest.mark.parametrize(
    "line",
    [
        "$ git rev-parse HEAD > .git/refs/heads/main",
        "$ cp .git/refs/heads/haiku/thing/main .git/refs/heads/main",
        "$ git -c alias.x='push . haiku/login/main:main' x",
        "$ git -c alias.x='push .' x haiku/login/main:main",
        "$ git -c alias.x='!git push . HEAD:main' x",
        "$ git -c alias.x='!f() { git push . HEAD:main; }; f' x",
        '$ git -c alias.x="$Y" x',
        '$ git -c "$Y" x',
        "$ git -c include.path=/tmp/f x",
        "$ git --config-env=alias.x=Y x",
        "$ git -c alias.x=y -c alias.y='checkout main~1 -- .haiku/settings.yml' x",
        "$ git -c alias.y='checkout main~1 -- .haiku/settings.yml' y",
        "$ git -c alias.y='!echo x > .git/HEAD' y",
        "write .git/refs/heads/main | x",
        "write .git/packed-refs | x",
        "write .git/config | x",
        "edit .git/config | a => b",
        "write .git/hooks/post-commit | x",
        "write .git/worktrees/unit-01-form/HEAD | x",
        "$ sed -i s/a/b/ .git/packed-refs",
        "$ echo ref: x > .git/HEAD",
        "$ cd .git && echo ref: x > HEAD",
        "$ cd .git/refs/heads && cp haiku/login/main main",
        "$ echo x | tee .git/hooks/post-commit",
        "$ echo x > $(git rev-parse --git-dir)/refs/heads/main",
        '$ echo x > "$(git rev-parse --git-common-dir)/refs/heads/main"',
        "$ echo x > $(git rev-parse --git-path hooks/post-commit)",
        "$ echo x > `git rev-parse --git-dir`/HEAD",
        "$ cp /tmp/h .git/hooks/post-com*",
        "$ sed -i s/a/b/ .git/packed-re?s",
        "$ ln -s .git g && echo x > g/HEAD",
        "$ python3 -c \"open('.git/HEAD','w').write('x')\"",
        "$ rm .git/packed-refs",
        "$ mv /tmp/hook .git/hooks/",
        "$ git config -f .git/config alias.x y",
        "$ git config alias.x 'push . HEAD:main'",
        "$ git config --global alias.x '!git push . HEAD:main'",
        "$ git config core.hooksPath /tmp/h",
        "$ git config include.path /tmp/f",
        "$ git checkout main~1 -- .haiku/settings.yml",
        "$ git checkout main~1 .haiku/settings.yml",
        "$ git checkout .haiku/settings.yml",
        "$ git restore .haiku/settings.yml",
        "$ git restore -s HEAD~1 .haiku/settings.yml",
        "$ git restore --source=main~1 -- .haiku",
        "$ git checkout main~1 -- .haiku/studios",
        "$ git checkout .haiku/studios",
        "$ git checkout main~1 -- .haiku/studios/own/stages/build/STAGE.md",
        "$ git checkout main~1 -- :/.haiku/settings.yml",
        "$ git checkout main~1 -- ':(top).haiku/settings.yml'",
        "$ git checkout main~1 -- ':(glob).haiku/*'",
        "$ git checkout main~1 -- '.haiku/s*'",
        "$ git checkout main~1 -- '*.yml'",
        "$ git checkout main~1 -- '*'",
        "$ git checkout main~1 -- ':/.haiku/intents/login/stages/build/state.json'",
        "$ git checkout main~1 -- ':(glob).haiku/intents/login/*/*/state.json'",
        "$ cd src && git checkout main~1 -- ../.haiku/settings.yml",
        "$ git -C .haiku checkout main~1 -- settings.yml",
        "$ git restore --pathspec-from-file=/tmp/l",
        "$ cd .haiku/worktrees/login/unit-01-form && git checkout main~1 -- .haiku/settings.yml",
        "$ cd .haiku/worktrees/login/unit-01-form && git checkout main~1 -- .",
        "$ cd .haiku/worktrees/login/unit-01-form && git checkout main~1 -- src .haiku",
        '$ git config alias.x "$Y"',
    ],
)
def test_nobody_goes_past_gits_own_commands(line: str) -> None:
    found = verdict("review", line)
    assert found.action is Action.DENY
    assert "workflow_guard" in found.rules


@pytest.mark.parametrize(
    "line",
    [
        "$ git status",
        "$ git log -3",
        "$ git config --get user.name",
        "$ git config --list",
        "$ git config user.name x",
        "$ git config alias.st status",
        "$ git config --get alias.st",
        "$ git config -f .git/config --get a.b",
        "$ git config -f .git/config a.b",
        "$ git config --get core.hooksPath",
        "$ git config --unset alias.x",
        "$ git config get alias.x",
        "$ git commit -m 'write .git/refs/heads/main'",
        "$ git -c user.name=x commit -m y",
        "$ git -c core.pager=cat log",
        "$ git -c alias.s='status -s' s",
        '$ git -c "$X" status',
        '$ git -c "user.name=$X" commit -m y',
        "$ git st",
        "$ git restore src/a.py",
        "$ git restore -s HEAD~1 src/a.py",
        "$ git checkout -- src",
        "$ git checkout main -- src/a.py",
        "$ git checkout main -- '*.py'",
        "$ git checkout -- '*.md'",
        "$ git checkout main -- ':!.haiku' src",
        "$ git restore --staged .haiku/settings.yml",
        "$ git checkout main -- .haiku/intents/login/knowledge",
        "$ cat .git/HEAD",
        "$ ls .git/hooks/*",
        "$ cat .git/refs/heads/* && make",
        "$ echo build/ >> .git/info/exclude",
        "write .git/info/exclude | x",
        "write .git/COMMIT_EDITMSG | x",
        "$ echo msg > .git/COMMIT_EDITMSG && git commit -F .git/COMMIT_EDITMSG",
        "$ echo x > $(git rev-parse --git-dir)/COMMIT_EDITMSG",
        "$ rm -f .git/index.lock .git/HEAD.lock",
        "$ cat $(git rev-parse --git-dir)/HEAD",
        "$ cp .git/HEAD /tmp/x",
        "$ echo x > /tmp/repo/.git/config",
        "$ cd .haiku/worktrees/login/unit-01-form && git checkout -- .",
        "$ cd .haiku/worktrees/login/unit-01-form && git checkout main -- src",
        "$ git add -A && git commit -m x && git push -u origin HEAD",
        "$ git tag v1 && git fetch origin && git branch -v",
        "write src/fixture/.git/config | x",
    ],
)
def test_git_itself_is_free(line: str) -> None:
    assert "workflow_guard" not in verdict("review", line).rules


def test_gits_files_are_as_closed_to_an_agent_in_a_unit() -> None:
    inside = "plan inside = true"
    closed = ("write /repo/.git/refs/heads/main | x", "write .git | x", "$ echo x > ../../../../.git/HEAD")
    assert [verdict("execute", line, inside).action for line in closed] == [Action.DENY] * 3
    free = ("write /repo/.git/info/exclude | x", "$ git checkout main -- src", "$ cat /repo/.git/HEAD")
    assert all(verdict("execute", line, inside).action < Action.DENY for line in free)


CODE_PATCH = "repo x.patch | --- a/src/login.py\n+++ b/src/login.py\n@@ -1 +1 @@\n-a\n+b\n"
POLICY_PATCH = "repo x.patch | --- a/.haiku/settings.yml\n+++ b/.haiku/settings.yml\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("phase", "patch", "line", "subjects"),
    [
        ("gate", CODE_PATCH, "git apply x.patch", []),
        ("review", CODE_PATCH, "patch -p1 < x.patch", []),
        ("execute", CODE_PATCH, f"cd {TREE} && git apply ../../../../x.patch", []),
        ("execute", CODE_PATCH, f"cd {TREE} && git apply /tmp/x.patch", []),
        ("gate", CODE_PATCH, "git apply --exclude='.haiku/*' /tmp/x.patch", []),
        ("gate", CODE_PATCH, "git apply /tmp/x.patch", ["git apply"]),
        ("gate", CODE_PATCH, "patch -p1 < /tmp/x.patch", ["patch"]),
        ("elaborate", CODE_PATCH, "git apply x.patch", ["src/login.py"]),
        ("elaborate", CODE_PATCH, "patch -p1 < x.patch", ["src/login.py"]),
        ("elaborate", CODE_PATCH, "git apply --exclude='.haiku/*' /tmp/x.patch", ["git apply"]),
        ("execute", CODE_PATCH, "patch -p1 < /tmp/x.patch", ["patch"]),
        ("gate", POLICY_PATCH, "git apply x.patch", [".haiku/settings.yml"]),
        ("gate", POLICY_PATCH, "patch -p1 -i x.patch", [".haiku/settings.yml"]),
        ("execute", POLICY_PATCH, f"cd {TREE} && git apply ../../../../x.patch", [f"{TREE}/.haiku/settings.yml"]),
    ],
)
def test_a_patch_is_judged_by_its_files(phase: str, patch: str, line: str, subjects: list[str]) -> None:
    found = play((f'plan phase = "{phase}"', patch, f"$ {line}")).proposed()[-1]
    assert (found.action == Action.DENY) == bool(subjects)
    assert all(f"{subject} is not" in found.message for subject in subjects)


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ("rm -rf build dist", True),
        ("git clean -fd build", True),
        ("echo x > build.log", False),
        ("rm -rf build src", False),
        ("rm -rf .haiku", False),
        ("echo '{}' > .claude", False),
    ],
)
@pytest.mark.parametrize("phase", ["elaborate", "execute"])
def test_what_git_ignores_is_nobodys_work(phase: str, line: str, *, passes: bool) -> None:
    ignored = "repo .gitignore | build\ndist\n.haiku\n.claude\n"
    found = play((f'plan phase = "{phase}"', ignored, f"$ {line}")).proposed()[-1]
    assert ("workflow_guard" not in found.rules) == passes


def test_the_way_out_can_be_run_as_it_is_printed() -> None:
    found = verdict("elaborate", "$ git switch main")
    assert f"`leeboard allow {found.id} --reason ...`" in found.message
