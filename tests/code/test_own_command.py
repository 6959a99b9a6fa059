"""Leeboard's own commands in a shell line, however they are spelled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.code.own_command import loosening
from leeboard.code.shell import understand

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
        "leeboard flow feedback close FB-01",
        "leeboard flow feedback reject FB-01 --reason x",
        "leeboard flow repair --yes --apply",
        "leeboard flow baseline-reset thing --accept 0123456789ab --reason x",
        "python -c \"import os; os.system('leeboard flow baseline-reset --accept x')\"",
        "leeboard doctor --fix",
        "leeboard --no-color scope widen src",
        "leeboard drift accept",
        "env -u CLAUDECODE leeboard drift accept docs/a.md",
        "python3 -c \"import os; os.system('leeboard drift accept')\"",
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
        f"echo 'the user runs {APPROVE}'",
        f"git commit -m 'say that {APPROVE} decides' && ./run-tests.sh",
        f"grep -rn '{APPROVE}' docs && bash build.sh",
        f"cat > docs/gate.md <<'EOF'\n{APPROVE}\nEOF\n./build.sh",
        f"gh pr create --title x --body 'then {APPROVE}'",
        "bash -c 'leeboard flow status'",
        "node -e 'console.log(1)'",
        "git flow review --approve",
        "npm run flow",
    ],
)
def test_looking_and_speaking_of_it_are_fine(command: str) -> None:
    assert not loosening(understand(command, "/repo")), command


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    loosening(understand(f"leeboard flow {text}"))
    loosening(understand(text))
