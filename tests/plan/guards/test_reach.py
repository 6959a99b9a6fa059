"""Files of a workflow that a shell line reaches without naming them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.plan import Intent, Plan, StageState, StageView
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit
from leeboard.plan.guards.reach import plan_files, reached

TOP = "/repo/.haiku/intents/login"
STATE = f"{TOP}/stages/build/state.json"
UNIT = f"{TOP}/stages/build/units/unit-01-form.md"
SETTINGS = "/repo/.haiku/settings.yml"
TREE = "/repo/.haiku/worktrees/login/unit-01-form"
PLAN = Plan(
    intent=Intent(slug="login", stages=("build", "release")),
    stages=(
        StageView(
            spec=StageSpec(name="build"),
            state=StageState(stage="build"),
            units=(Unit(id="unit-01-form", stage="build"),),
        ),
    ),
)
FILES = plan_files(PLAN, "/repo")


def paths(command: str, cwd: str = "/repo") -> set[str]:
    return {touch.path for touch in reached(command, cwd, FILES)}


def test_the_files_of_the_plan_are_known() -> None:
    assert {STATE, UNIT, SETTINGS, f"{TOP}/intent.md", f"{TOP}/stages/release/state.json"} <= {*FILES}


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("sed -i s/a/b/ .haiku/*/login/stages/build/state.json", STATE),
        ("sed -i s/a/b/ ./.haiku/*/login/stages/build/state.json", STATE),
        ("sed -i s/a/b/ .hai?u/intents/login/stages/build/state.jso?", STATE),
        ("sed -i s/a/b/ .haiku/intents/l[a-z]gin/stages/{build,x}/*.json", STATE),
        ("sed -i s/a/b/ /repo/.haiku/**/state.json", STATE),
        ("cd .haiku/intents && sed -i s/a/b/ */stages/*/state.json", STATE),
        ("echo '{}' > .haiku/*/login/stages/build/state.json", STATE),
        ("rm .haiku/*/login/stages/build/state.json", STATE),
        ("for f in .haiku/*/login/stages/*/state.json; do sed -i s/a/b/ $f; done", STATE),
        ("find .haiku -name state.json -exec sed -i s/a/b/ {} +", STATE),
        ("find . -name 'state.*' -execdir sed -i s/a/b/ {} \\;", STATE),
        ("find .haiku -path '*/build/*' -type f -exec truncate -s0 {} +", STATE),
        ("find .haiku -name state.json | xargs sed -i s/a/b/", STATE),
        ("find .haiku -name state.json -print0 | xargs -0 -I% cp /tmp/x %", STATE),
        ("sed -i s/a/b/ $(find . -name state.json)", STATE),
        ("find . -name state.json | while read f; do echo x > $f; done; sed -i s/a/b/ $f", STATE),
        (f"ls {STATE} | xargs sed -i s/a/b/", STATE),
        ("grep -rl active .haiku | xargs sed -i s/active/completed/", UNIT),
        ("find . -name '*.md' -exec sed -i s/a/b/ {} +", UNIT),
        ("find .haiku -maxdepth 0 -exec sh -c 'echo drift_detection: false > $0/settings.yml' {} \\;", SETTINGS),
        ("echo 'drift_detection: false' > .haiku/sett?ngs.yml", SETTINGS),
        ("ln -s .haiku/intents/login/stages/build /tmp/a; sed -i s/a/b/ /tmp/a/state.json", STATE),
        (f"ln -s {STATE} /tmp/a && echo x > /tmp/a", STATE),
        ("ln -sfn /repo /tmp/a; echo x > /tmp/a/src/app.py", "/repo/src/app.py"),
    ],
)
def test_it_gets_there(command: str, path: str) -> None:
    """SH-56."""
    assert path in paths(command), command


@pytest.mark.parametrize(
    "command",
    [
        "cat .haiku/*/login/stages/*/state.json",
        "grep -l active .haiku/intents/*/stages/*/units/*.md && make",
        "cp .haiku/intents/*/intent.md /tmp/ && make",
        "for f in .haiku/intents/*/stages/*/units/*.md; do cat $f; done",
        "find .haiku -name state.json -exec cat {} +",
        "find .haiku -name '*.md' | xargs grep -n title",
        "find . -name '*.py' | xargs sed -i s/a/b/",
        "find . -name '*.pyc' -exec rm {} +",
        "find . -name '*.md' -not -path './.haiku/*' -exec sed -i s/a/b/ {} +",
        "find . -path ./.haiku -prune -o -name '*.md' -exec sed -i s/a/b/ {} +",
        "find . -maxdepth 1 -name '*.md' -exec sed -i s/a/b/ {} +",
        "find src docs -type f -exec sed -i s/a/b/ {} +",
        "find . -type f | head; rm $TMPFILE",
        "sed -i s/a/b/ *.md && make",
        "sed -i s/a/b/ src/*/state.json",
        "rm -f *.json build/*.md",
        "grep -rl old src | xargs sed -i s/old/new/",
        "ls .haiku && sed -i s/a/b/ src/app.py",
        "ln -s .haiku/intents/login /tmp/a; cat /tmp/a/intent.md",
        "ln -s /srv/data data; echo x > data/new",
        "make && ./run.sh",
        "",
    ],
)
def test_it_does_not(command: str) -> None:
    assert not paths(command), command


@pytest.mark.parametrize(
    "command",
    ["find . -name '*.md' -exec sed -i s/a/b/ {} +", "find . -type f | xargs sed -i s/a/b/", "rm -f */*.json"],
)
def test_a_unit_s_own_tree_is_its_own(command: str) -> None:
    assert not paths(command, TREE)


@given(st.text(max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    for command in (text, f"sed -i {text} *", f"find {text} -exec rm {{}} +", f"ln -s . {text}; rm {text}"):
        reached(command, "/repo", FILES)


@pytest.mark.parametrize("piece", ["*", "*?", "*a", "[a", "a*/", "**/", "{a,", "for x in *;"])
def test_a_long_line_costs_little(piece: str) -> None:
    reached(f"sed -i s/a/b/ {piece * 20_000}", "/repo", FILES)
