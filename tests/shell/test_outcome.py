"""Which commands show nothing, since they can not fail."""

from __future__ import annotations

import pytest

from leeboard.shell.outcome import can_fail

EMPTY = [
    "",
    "true",
    ":",
    "exit 0",
    "/bin/true",
    "echo fine",
    "echo a; echo b",
    "pytest || true",
    "pytest || :",
    "pytest || echo failed",
    "pytest -q || exit 0",
    "pytest; true",
    "pytest; exit 0",
    "pytest\ntrue",
    "exit 0; pytest",
    "(pytest; true)",
    "{ pytest || true; }",
    "pytest | tee log.txt",
    "pytest 2>&1 | tail -20",
    "pytest | cat > log.txt",
    "pytest &",
    "pytest & true",
    "sh -c 'pytest || true'",
    "bash -lc 'pytest; true'",
    "env CI=1 sh -c 'pytest || :'",
    "eval 'pytest || true'",
    "if pytest; then echo good; else echo bad; fi",
    "if pytest; then :; fi",
    "for each in a b; do true; done",
    "check() { pytest || true; }; check",
    "test 1 = 1",
    "[ 1 ]",
    "! false",
    "trap 'exit 0' EXIT; pytest",
    "X=1",
    "command true",
    "pytest > log.txt 2>&1 || true",
]
MEANT = [
    "pytest",
    "pytest -q && ruff check .",
    "true && pytest",
    "cd sub && make test",
    "pytest || exit 1",
    "pytest || false",
    "pytest || { echo failed; exit 1; }",
    "pytest; status=$?; echo done; exit $status",
    "pytest; exit $?",
    "set -e; pytest; echo done",
    "set -eu\npytest\necho done",
    "set -o pipefail; pytest | tee log.txt",
    "pytest | grep -q passed",
    "test -f out.txt",
    "[ -s out.txt ] && echo there",
    "test $(wc -l < out.txt) -gt 3",
    "if ! pytest; then exit 1; fi",
    "if pytest; then echo good; else exit 1; fi",
    "for each in a b; do pytest $each || exit 1; done",
    "! grep -r TODO src",
    "sh -c 'pytest -q'",
    "env CI=1 pytest",
    "check() { pytest; }; check",
    "trap 'rm -f tmp' EXIT; pytest",
    "python3 -m pytest -q | tail -1 | grep passed",
    "npm test --silent",
    "'unclosed",
]


@pytest.mark.parametrize("command", EMPTY)
def test_what_can_not_fail(command: str) -> None:
    assert not can_fail(command)


@pytest.mark.parametrize("command", MEANT)
def test_what_may(command: str) -> None:
    assert can_fail(command)
