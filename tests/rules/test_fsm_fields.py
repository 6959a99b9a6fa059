"""An agent writing what only the workflow's engine writes: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Action, Verdict
from leeboard.testing.scenario import play

TOP = ".haiku/intents/login"
STATE = f"{TOP}/stages/build/state.json"
UNIT = f"{TOP}/stages/build/units/unit-01-form.md"
NEW = f"{TOP}/stages/build/units/unit-02-mail.md"
FEEDBACK = f"{TOP}/stages/build/feedback/01-slow.md"
FILES = (
    f"repo {TOP}/intent.md | ---\ntitle: Log in\nstudio: shop\nstatus: active\nactive_stage: build\n---\nBody\n",
    f'repo {STATE} | {{\n  "status": "active",\n  "phase": "execute",\n  "note": "x"\n}}\n',
    f"repo {UNIT} | ---\ntitle: Form\n# kept\nstatus: active\nhat: builder\nbolt: 1\n---\nThe status: line.\n- [ ] it works\n",
    f"repo {FEEDBACK} | ---\ntitle: Slow\nstatus: pending\norigin: user-chat\n---\nIt is slow.\n",
)


def verdict(line: str, phase: str = "execute") -> Verdict:
    return play((f'plan phase = "{phase}"', *FILES, line)).proposed()[-1]


@pytest.mark.parametrize(
    "line",
    [
        f"edit {UNIT} | hat: builder => hat: reviewer",
        f"edit {UNIT} | bolt: 1 => bolt: 3",
        f"edit {UNIT} | status: active => 'status': completed",
        f"edit {UNIT} | --- => ----",
        f"write {UNIT} | ---\ntitle: Form\n---\n- [x] it works\n",
        f"edit {TOP}/intent.md | status: active => status: completed",
        f"edit {TOP}/intent.md | studio: shop => studio: quick",
        f"edit {FEEDBACK} | status: pending => status: closed",
        f'edit {STATE} | "phase": "execute" => "phase": "gate"',
        f"write {STATE} | {{}}",
        f"write {NEW} | ---\ntitle: Mail\nstatus: completed\n---\n",
        f"$ rm {STATE}",
        f"$ rm {UNIT}",
        f"$ mv {UNIT} /tmp/",
        f"$ rm -rf {TOP}/stages",
        "$ rm -rf .haiku",
        f"$ git checkout HEAD~3 -- {UNIT}",
        f"$ sed -i 's/^bolt: 1/bolt: 9/' {UNIT}",
        f'$ cat > {STATE} <<\'EOF\'\n{{"phase": "gate"}}\nEOF',
        f"$ echo 'x' >> {TOP}/user-turns.jsonl",
        f"$ cp /tmp/x {UNIT}",
        f"$ perl -pi -e 's/active/completed/' {UNIT}",
        f"$ python3 -c \"import pathlib; pathlib.Path('{UNIT}').write_text('x')\"",
        f"$ node fix.js {STATE}",
        f"write {TOP}/.fsm_checksum | 0",
        f"write {TOP}/stages/build/produced/unit-01-form.jsonl | {{}}",
        "$ sed -i s/execute/gate/ .haiku/*/login/stages/build/state.json",
        "$ sed -i s/execute/gate/ .hai?u/intents/login/stages/build/state.jso?",
        "$ find .haiku -name state.json -exec sed -i s/execute/gate/ {} +",
        "$ find .haiku -name state.json | xargs sed -i s/execute/gate/",
        f"$ ln -s {TOP}/stages/build /tmp/a; sed -i s/execute/gate/ /tmp/a/state.json",
        "$ leeboard hook < /tmp/prompt.json",
        "$ H=hook; CLAUDE_PROJECT_DIR=$PWD leeboard $H < /tmp/prompt.json",
        "$ env -u CLAUDECODE leeboard 'hook' < /tmp/prompt.json",
        "$ python3 /x/leeboard/surfaces/hook.py < p.json",
        "$ python -c 'from leeboard.plan.disk.records import record_turn'",
    ],
)
def test_it_is_denied_under_advise(line: str) -> None:
    """SH-56, SH-49."""
    found = verdict(line)
    assert found.action is Action.DENY
    assert "fsm_fields" in found.rules
    assert "haiku_" in found.message


@pytest.mark.parametrize(
    ("phase", "line"),
    [
        ("execute", f"edit {UNIT} | - [ ] it works => - [x] it works"),
        ("execute", f"edit {UNIT} | The status: line. => status: completed is what it will say."),
        ("execute", f"edit {UNIT} | title: Form => title: The form"),
        ("execute", f"edit {UNIT} | status: active => status: 'active'"),
        ("execute", f"edit {TOP}/intent.md | Body => More"),
        ("execute", f"edit {FEEDBACK} | It is slow. => It is slow at night."),
        (
            "elaborate",
            f"write {NEW} | ---\ntitle: Mail\nstatus: pending\nbolt: 0\nhat: ''\nstarted_at: null\n---\n- [ ] x\n",
        ),
        ("elaborate", f"write {NEW} | ---\ntitle: Mail\ndepends_on: [unit-01-form]\n---\n- [ ] x\n"),
        ("elaborate", f"$ rm {UNIT}"),
        ("execute", f"$ cat {STATE} {UNIT} | head"),
        ("execute", f"$ grep -n status {UNIT} && git add {UNIT} && git commit -qm plan"),
        ("execute", f"write {TOP}/stages/build/artifacts/state.json | {{}}"),
        ("execute", f"write {TOP}/knowledge/intent.md | x"),
        ("execute", "$ leeboard status && leeboard why v1"),
        ("execute", "$ grep -rn 'leeboard hook' docs"),
        ("execute", "$ cat .haiku/*/login/stages/*/state.json && make"),
        ("execute", "$ find .haiku -name '*.json' -exec cat {} +"),
        ("execute", "$ find .haiku -name '*.md' | xargs grep -n title"),
    ],
)
def test_ordinary_work_is_not_held_up(phase: str, line: str) -> None:
    assert "fsm_fields" not in verdict(line, phase).rules


def test_a_file_nobody_can_read_is_judged_by_the_lines_that_change() -> None:
    unknown = f"{TOP}/stages/build/units/unit-07-far.md"
    lines = ('plan phase = "execute"', f"edit {unknown} | hat: builder => hat: reviewer")
    assert play(lines).proposed()[-1].action is Action.DENY
    lines = ('plan phase = "execute"', f"edit {unknown} | - [ ] it => - [x] it")
    assert "fsm_fields" not in play(lines).proposed()[-1].rules


@pytest.mark.parametrize(
    "line",
    [
        "git apply x.patch",
        "git apply -p1 < x.patch",
        "patch -p1 < x.patch",
        "git apply <<'EOF'\n--- a/.haiku/intents/login/intent.md\n+++ b/.haiku/intents/login/intent.md\nEOF",
    ],
)
def test_a_patch_of_the_plan(line: str) -> None:
    patch = "repo x.patch | --- a/.haiku/intents/login/intent.md\n+++ b/.haiku/intents/login/intent.md\n"
    found = play(('plan phase = "review"', patch, f"$ {line}")).proposed()[-1]
    assert (found.action, found.rules) == (Action.DENY, ("fsm_fields",))
