from __future__ import annotations

import pytest

from leeboard.shell.evasion import evasions


@pytest.mark.parametrize(
    "line",
    [
        "git commit --no-verify -m x",
        "git commit -nm x",
        "git commit -anm 'a message'",
        "git -C sub commit -n -m x",
        "git push --no-verify origin main",
        "git -c core.hooksPath=/dev/null commit -m x",
        "git config core.hooksPath /tmp/none",
        "git config --unset core.hooksPath",
        "HUSKY=0 git commit -m x",
        "SKIP=ruff,mypy git commit -m x",
        "LEFTHOOK=0 git push",
        "pre-commit uninstall",
        "chmod -x .git/hooks/pre-commit",
        "gh api -X DELETE repos/o/r/branches/main/protection",
        "gh api --method PUT repos/o/r/branches/main/protection --input x.json",
        "cd a && git commit --no-verify -m x",
        "sh -c 'git commit --no-verify -m x'",
    ],
)
def test_lines_that_go_around_checks(line: str) -> None:
    assert len(evasions(line, "/repo")) == 1


@pytest.mark.parametrize(
    "line",
    [
        "git commit -m 'explain --no-verify'",
        "git commit -m x",
        "git commit -am 'no new tests'",
        "git commit --amend --no-edit",
        "git push -n",
        "git log -n 5",
        "git merge -n topic",
        "git config --get core.hooksPath",
        "git config core.hooksPath",
        "grep -rn no-verify .",
        "echo 'git commit --no-verify'",
        "SKIP=1 make test",
        "pre-commit install",
        "chmod -x build/tool",
        "gh api repos/o/r/branches/main/protection",
        "gh api -X POST repos/o/r/issues",
    ],
)
def test_lines_that_do_not(line: str) -> None:
    assert evasions(line, "/repo") == ()
