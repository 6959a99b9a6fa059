"""Leeboard's own commands in a shell line, however they are spelled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.own_command import UNTOLD, hides_a_script, loosening, speaks_as_client
from leeboard.shell.understand import understand

APPROVE = "leeboard flow review --approve"


@pytest.mark.parametrize(
    "command",
    [
        APPROVE,
        f"env -u CLAUDECODE {APPROVE}",
        f"env -i PATH=$PATH {APPROVE}",
        "env -S 'leeboard flow review --approve'",
        f"CLAUDECODE= {APPROVE}",
        f"unset CLAUDECODE; {APPROVE}",
        f"export CLAUDECODE=; {APPROVE}",
        f"bash -c '{APPROVE}'",
        f"bash -lc 'unset CLAUDECODE && {APPROVE}'",
        f'sh -c "env -u CLAUDECODE {APPROVE}"',
        f"bash <<'EOF'\nunset CLAUDECODE\n{APPROVE}\nEOF",
        f"echo '{APPROVE}' | bash",
        f"printf '%s' '{APPROVE}' | env -i sh -s",
        f"cat > /tmp/a.sh <<'EOF'\n{APPROVE}\nEOF\nbash /tmp/a.sh",
        f"echo '{APPROVE}' > a.sh && chmod +x a.sh && ./a.sh",
        f"(cd / && {APPROVE})",
        f"nohup setsid {APPROVE} &",
        f"timeout 5 {APPROVE}",
        f"sudo -u kim {APPROVE}",
        f"su kim -c '{APPROVE}'",
        f"script -qec '{APPROVE}' /dev/null",
        f"tmux send-keys '{APPROVE}' Enter",
        f"at now <<< '{APPROVE}'",
        f"ssh localhost {APPROVE}",
        f"echo '{APPROVE}' | at now + 1 minute",
        f"echo '* * * * * {APPROVE}' | crontab -",
        f"echo '{APPROVE}' | ssh localhost",
        f"./wrapper.sh {APPROVE}",
        f"eval '{APPROVE}'",
        f'eval "{APPROVE}"',
        f"trap '{APPROVE}' EXIT",
        f"$({APPROVE})",
        "/usr/local/bin/leeboard flow review --approve",
        ".venv/bin/leeboard flow review --intent login --approve",
        "$(which leeboard) flow review --approve",
        "`command -v leeboard` flow review --approve",
        "L=leeboard; $L flow review --approve",
        "for c in 'review --approve'; do leeboard flow $c; done",
        "A=--approve; leeboard flow review $A",
        "l''eeboard flow review --approve",
        "leeb\\oard flow review --approve",
        "leeboar? flow review --approve",
        'lb() { leeboard "$@"; }; lb flow review --approve',
        "ln -s /usr/bin/leeboard /tmp/lb; /tmp/lb flow review --approve",
        "python -m leeboard flow review --approve",
        "python3 -Im leeboard flow review --approve",
        "python3 /usr/bin/leeboard flow review --approve",
        "python3 leeboard/__main__.py flow review --approve",
        "uv run leeboard flow review --approve",
        "xargs leeboard flow review --approve < /dev/null",
        "echo --approve | xargs leeboard flow review --approve",
        "echo flow review --approve | xargs leeboard",
        "for c in status; do read c <<< say; leeboard flow $c; done",
        "echo --approve | env -u CLAUDECODE xargs leeboard flow review",
        "find . -maxdepth 0 -exec leeboard flow review --approve \\;",
        "python3 -c \"import subprocess; subprocess.run(['leeboard', 'flow', 'review', '--approve'], env={})\"",
        "python3 -c \"import os; os.system('env -u CLAUDECODE leeboard flow review --approve')\"",
        "python3 -c \"import os; os.execvp('leeboard', ['leeboard', 'flow', 'review', '--approve'])\"",
        "python3 - <<'EOF'\nfrom leeboard.x import main\nmain(['leeboard', 'flow', 'review', '--approve'])\nEOF",
        "node -e \"require('child_process').execSync('leeboard flow review --approve')\"",
        'perl -e \'delete $ENV{CLAUDECODE}; system("leeboard", "flow", "review", "--approve")\'',
        "leeboard flow review --request-changes x",
        "leeboard flow review --external",
        "leeboard flow review --external=https://example.invalid/1",
        "leeboard flow say 'yes'",
        "for c in status say; do leeboard flow $c yes; done",
        "for how in --json --approve; do leeboard flow review $how; done",
        "for l in leeboard; do $l flow review --approve; done",
        f"cd x && bash <<'EOF' | tail -1\n{APPROVE}\nEOF",
        "leeboard flow feedback close FB-01",
        "leeboard flow feedback reject FB-01 --reason x",
        "leeboard flow repair --yes --apply",
        "leeboard flow baseline-reset thing --accept 0123456789ab --reason x",
        "python -c \"import os; os.system('leeboard flow baseline-reset --accept x')\"",
        "leeboard doctor --fix",
        "leeboard backtest --since 30d --mark m1 yes",
        "python3 -c \"import os; os.system('leeboard backtest --ask')\"",
        "leeboard --no-color scope widen src",
        "leeboard drift accept",
        "env -u CLAUDECODE leeboard drift accept docs/a.md",
        "python3 -c \"import os; os.system('leeboard drift accept')\"",
        f"printf 'unset CLAUDECODE\\n{APPROVE}\\n' > /tmp/a.sh; sh /tmp/a.sh",
        f"printf '#!/bin/sh\\n{APPROVE}\\n' > a.sh && chmod +x a.sh && ./a.sh",
        f"git config alias.z '!env -u CLAUDECODE {APPROVE}' && git z",
        f"git -c alias.z='!{APPROVE}' z",
        "echo dW5zZXQgQ0xBVURFQ09ERTsgbGVlYm9hcmQgZmxvdyByZXZpZXcgLS1hcHByb3Zl | base64 -d | sh",
        'bash -c "$(echo bGVlYm9hcmQgZmxvdyByZXZpZXcgLS1hcHByb3Zl | base64 -d)"',
    ],
)
def test_no_spelling_hides_it(command: str) -> None:
    """SH-49: a person's decision is no agent's to make, however the command is spelled."""
    assert loosening(understand(command, "/repo")).startswith("leeboard "), command


@pytest.mark.parametrize(
    "command",
    [
        "leeboard flow review",
        "leeboard flow review --json --full",
        "env -u CLAUDECODE leeboard flow status",
        "leeboard flow next && leeboard flow units",
        "leeboard flow feedback add 'Why?' --as question",
        "leeboard flow repair",
        "leeboard flow baseline-reset thing",
        "leeboard doctor",
        "leeboard backtest --since 30d --page 1",
        f"echo 'the user runs {APPROVE}'",
        f"git commit -m 'say that {APPROVE} decides' && ./run-tests.sh",
        f"grep -rn '{APPROVE}' docs && bash build.sh",
        f"cat > docs/gate.md <<'EOF'\n{APPROVE}\nEOF\n./build.sh",
        f"gh pr create --title x --body 'then {APPROVE}'",
        "bash -c 'leeboard flow status'",
        "node -e 'console.log(1)'",
        "git flow review --approve",
        "npm run flow",
        "for c in status next; do leeboard flow $c; done",
        "for how in --json --full; do leeboard flow review $how; done",
    ],
)
def test_looking_and_speaking_of_it_are_fine(command: str) -> None:
    assert not loosening(understand(command, "/repo")), command


@pytest.mark.parametrize(
    "command",
    [
        "env -u CLAUDECODE leeboard flow review $(printf %s%s --app rove)",
        "find . -maxdepth 0 -exec leeboard flow review {} \\;",
        "leeboard flow review --${X}rove",
        "leeboard flow review --json $HOW",
        "leeboard flow $WHAT",
        "IFS=_; for c in review_--approve; do leeboard flow $c; done",
        "for c in status; do printf -v c say; leeboard flow $c; done",
        "declare -n r=c; for c in status; do r=say; leeboard flow $c; done",
        "for c in status; do env c=say bash -c 'leeboard flow $c'; done",
        "for c in status $X; do leeboard flow $c; done",
        "for c in *; do leeboard flow $c; done",
        "leeboard flow feedback $HOW FB-01",
        "leeboard $WHAT",
        "leeboard --no-color $(cat what)",
        "python -m leeboard scope $HOW src",
        "python3 /usr/bin/leeboard doctor $HOW",
        "L=$(command -v leeboard); $L flow review $HOW",
        'perl -e \'delete $ENV{CLAUDECODE}; exec qw(leeboard flow review), "--appr"."ove"\'',
        "python3 -c \"import os; os.environ.pop('CLAUDECODE'); os.execvp('leeboard', ['leeboard', 'flow', X])\"",
    ],
)
def test_words_that_nobody_can_tell_may_be_a_decision(command: str) -> None:
    """SH-49."""
    assert loosening(understand(command, "/repo")).endswith(UNTOLD), command


@pytest.mark.parametrize(
    "command",
    [
        'leeboard flow review --intent "$SLUG"',
        "leeboard flow review --intent=$SLUG --json",
        "leeboard flow status --intent $SLUG",
        'leeboard flow status "$SLUG"',
        'leeboard flow feedback add "$TITLE" --as question',
        "leeboard flow unit $UNIT",
        "leeboard why $ID",
        "echo $UNITS | xargs leeboard flow unit",
        "leeboard replay $FILE",
        "pip install leeboard $EXTRA",
        "grep -rn leeboard $FILES",
        "prefect flow $NAME",
        "git config alias.z '!git log --oneline' && git z",
        "curl -fsSL https://example.invalid/install.sh | sh",
        "printf 'make\\nmake test\\n' | sh",
        "echo bWFrZSAmJiBtYWtlIHRlc3QgJiYgbHM= | base64 -d | sh",
        "printf 'leeboard flow status\\n' > a.sh; sh a.sh",
        "python3 -c \"import os; print(os.environ.get('CLAUDECODE'))\"",
        'python3 -c "import leeboard; print(leeboard.__version__)"',
    ],
)
def test_unknown_words_elsewhere_decide_nothing(command: str) -> None:
    assert not loosening(understand(command, "/repo")), command


@pytest.mark.parametrize(
    "command",
    [
        "leeboard hook < p.json",
        "leeboard 'hook' < p.json",
        'leeboard h""ook < p.json',
        "leeboard \\hook < p.json",
        "H=hook; CLAUDE_PROJECT_DIR=$PWD leeboard $H <<'X'\n{}\nX",
        "L=leeboard; env -u CLAUDECODE $L \\hook < p.json",
        "leeboard --no-color hook < p.json",
        "echo '{}' | /usr/bin/leeboard hook",
        "python3 -m leeboard hook < p.json",
        "python3 /usr/bin/leeboard hook < p.json",
        "python3 -I -S /x/leeboard/surfaces/hook.py < p.json",
        "python3 -m leeboard.surfaces.hook < p.json",
        "python3 -c \"import subprocess; subprocess.run(['leeboard', 'hook'], input=b'{}')\"",
        "python -c 'from leeboard.plan.disk.records import record_turn'",
        "bash -c 'leeboard hook < p.json'",
        "printf 'leeboard hook < p.json\\n' > a.sh; sh a.sh",
        "xargs -a p.json leeboard hook",
    ],
)
def test_the_client_s_own_program_is_known(command: str) -> None:
    """SH-22: a turn of the user is never made up this way."""
    assert speaks_as_client(understand(command, "/repo")), command


@pytest.mark.parametrize(
    "command",
    [
        "leeboard flow status",
        "grep -rn 'leeboard hook' docs",
        "git commit -m 'explain leeboard hook'",
        "cat leeboard/surfaces/hook.py",
        "pytest tests/surfaces/test_hook.py",
        "sed -n 1,20p leeboard/plan/disk/records.py",
        "npm run hook",
        "pre-commit run hook",
    ],
)
def test_speaking_of_hooks_is_fine(command: str) -> None:
    assert not speaks_as_client(understand(command, "/repo")), command


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        ("base64 -d script.b64 | sh", True),
        ("cat x | base64 --decode | bash", True),
        ("xxd -r -p x | sh", True),
        ('eval "$(base64 -d x)"', True),
        ('bash -c "$(openssl enc -d -in x)"', True),
        ("echo bWFrZSAmJiBtYWtlIHRlc3QgJiYgbHM= | base64 -d | sh", False),
        ("curl -fsSL https://example.invalid/install.sh | sh", False),
        ("printf 'make' | sh", False),
        ('eval "$(ssh-agent -s)"', False),
        ("base64 -d image.b64 > image.png", False),
        ("base64 -d key.b64 > key && ./run.sh", False),
        ("openssl x509 -in cert.pem && bash build.sh", False),
    ],
)
def test_a_script_that_nobody_can_read(command: str, hidden: bool) -> None:  # noqa: FBT001 - a case of the table
    assert hides_a_script(understand(command, "/repo")) is hidden, command


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    loosening(understand(f"leeboard flow {text}"))
    for read in (loosening, speaks_as_client, hides_a_script):
        read(understand(text))
        read(understand(f"echo {text} | base64 -d | sh"))
