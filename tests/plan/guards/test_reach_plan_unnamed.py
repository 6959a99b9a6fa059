from __future__ import annotations

import pytest

from leeboard.model.plan import GitFacts, Intent, Plan
from leeboard.plan.guards.reach import unnamed

ONE, TWO = (f"/repo/.haiku/worktrees/login/{name}" for name in ("unit-01-form", "unit-02-mail"))
PLAN = Plan(
    intent=Intent(slug="login", stages=("build",)),
    git=GitFacts(available=True, worktrees={"unit-01-form": ONE, "unit-02-mail": TWO}),
)

LINES = {
    "echo 'x: 1' > .haiku/sett?ngs.yml": ["/repo/.haiku/settings.yml"],
    "git rev-parse HEAD > $(git rev-parse --git-dir)/refs/heads/main": ["/repo/.git/refs/heads/main"],
    "sed -i s/a/b/ src/*.py": ["/repo/src/x.py"],
    f"sed -i s/a/b/ {TWO}/src/*.py": [f"{TWO}/src/x.py"],
    "sed -i s/ask/auto/ .haiku/studios/*/stages/*/STAGE.md": ["/repo/.haiku/studios/x/stages/x/STAGE.md"],
    "find .haiku -name STAGE.md -exec sed -i s/ask/auto/ {} +": ["/repo/.haiku/STAGE.md"],
    "sed -i s/a/b/ .haiku/intents/*/knowledge/api.md": [],
    "find .haiku/worktrees -name '*.py' -exec sed -i s/a/b/ {} +": [],
    "rg -l foo | xargs sed -i s/foo/bar/": ["/repo/x"],
    "sed -i s/a/b/ .haiku/worktrees/*/unit-01-form/src/a.py": [],
    "rm -rf .haiku/worktrees/login/*/build": [],
    "find . -name '*.pyc' -exec rm {} +": [],
    "find . -name __pycache__ | xargs rm -rf": [],
    "sed -i s/a/b/ /elsewhere/*.py": [],
    "cat src/*.py .git/HEAD": [],
}


@pytest.mark.parametrize("command", LINES)
def test_what_a_line_comes_to(command: str) -> None:
    found = (path for path in unnamed(command, "/repo", PLAN, "/repo") if path.startswith("/repo"))
    assert list(dict.fromkeys(found)) == LINES[command]


def test_a_list_counts_from_where_it_is_read() -> None:
    assert list(unnamed("grep -rl a src | xargs sed -i s/a/b/", ONE, PLAN, "/repo")) == [f"{ONE}/src/x"]
