"""Code that prints or compares the words of a command is not the command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.own_command import loosening, only_speaks, speaks_as_client
from leeboard.shell.understand import understand

APPROVE = "leeboard flow review --approve"
PRINTS = f"python3 -c \"print('{APPROVE}')\""

SEARCHES = f"""text = open('a.md', encoding='utf-8').read()
for line in text.splitlines():
    if '{APPROVE}' in line or re.search('x', line):
        print(line)"""


@pytest.mark.parametrize(
    "command",
    [
        PRINTS,
        f"cd docs && {PRINTS} | head -3",
        f"{PRINTS} 2>&1 | grep -c approve",
        f"python3 -I -c \"assert '{APPROVE}' in open('README.md').read()\"",
        f"python3 -c \"from pathlib import Path; assert '{APPROVE}' in Path('README.md').read_text()\"",
        f"python3 - <<'E'\nprint('{APPROVE}')\nE",
        f"python3 <<'E'\nimport re\n{SEARCHES}\nE",
        f"node -e \"console.log('{APPROVE}')\"",
        f"node -e \"console.log('{APPROVE}'); console.error('x')\"",
        f"ruby -e \"puts '{APPROVE}'\"",
        f"php -r \"echo '{APPROVE}';\"",
    ],
)
def test_words_that_are_only_said_are_not_run(command: str) -> None:
    assert not loosening(understand(command, "/repo")), command


@pytest.mark.parametrize(
    "command",
    [
        *(
            f"{PRINTS} | {reader}"
            for reader in ("sh", "bash -s", "xargs env", "xargs -I{} sh -c '{}'", "sed e", "at now")
        ),
        *(
            f"{PRINTS} | {reader}"
            for reader in ("while read l; do $l; done", "awk '{system($0)}'", "tee a.sh", "./cat")
        ),
        *(f"{PRINTS} > {file}" for file in ("a.sh; sh a.sh", ".git/hooks/pre-commit", ">(sh)", '"$X"')),
        *(start + f"{PRINTS})" for start in ("$(", ". <(", "bash <(")),
        f'eval "$({PRINTS})"',
        f'bash -c "$({PRINTS})"',
        f'trap "$({PRINTS})" EXIT',
        f"x=$({PRINTS}); $x",
        f"cat() {{ bash; }}; {PRINTS} | cat",
        f"alias cat=sh; {PRINTS} | cat",
        f"{PRINTS}; make",
    ],
)
def test_what_is_printed_may_be_run(command: str) -> None:
    """SH-49."""
    assert loosening(understand(command, "/repo")), command


@pytest.mark.parametrize(
    "code",
    [
        "import os; getattr(os, 'sys' + 'tem')(A)",
        "__import__('os').system(A)",
        "import sys; print = sys.modules['os'].system; print(A)",
        "import sys; run = sys.modules['os'].system; run(A)",
        "from os import system as print; print(A)",
        "import os as re; re.system(A)",
        "import sys, json; json.loads = sys.modules['os'].system; json.loads(A)",
        "sorted([A], key=eval)",
        "list(map(exec, [A]))",
        "open('a.sh', 'w').write(A)",
        "print(A, file=open('a.sh', 'w'))",
        "(lambda run: run(A))(__builtins__.exec)",
        "for print in [exec]: print(A)",
        "print(A",
    ],
)
def test_code_that_may_run_it(code: str) -> None:
    """SH-49."""
    spelled = code.replace("A", f"'{APPROVE}'")
    assert loosening(understand(f'python3 -c "{spelled}"', "/repo"))
    assert loosening(understand(f"python3 - <<'E'\n{spelled}\nE", "/repo"))


@pytest.mark.parametrize(
    "command",
    [
        f"node -e \"console.log(require('child_process').execSync('{APPROVE}'))\"",
        f"node -e \"console.log('x'); require('child_process').execSync('{APPROVE}')\"",
        f"ruby -e 'puts `{APPROVE}`'",
        f"ruby -e 'puts \"#{{%x({APPROVE})}}\"'",
        f'ruby -e \'print "x"; system "{APPROVE}"\'',
        f"php -r 'echo `{APPROVE}`;'",
        f"perl -e 'print `{APPROVE}`'",
        f"python3 -i -c \"print('{APPROVE}')\" <<< 'import os'",
    ],
)
def test_other_languages_may_run_it(command: str) -> None:
    """SH-49."""
    assert loosening(understand(command, "/repo")), command


def test_the_client_s_program_is_spoken_of_too() -> None:
    assert not speaks_as_client(understand("python3 -c \"print('run leeboard hook')\"", "/repo"))


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    for line in (understand(f"python3 <<'E'\n{text}\nE"), understand(f"node -e '{text}'"), understand(text)):
        for each in line.started:
            only_speaks(each, line)
