from __future__ import annotations

import pytest

from leeboard.shell.checks import EVERY, brief_line, command_that_shows, shown_by
from leeboard.shell.effects import shell_effects


def shows(line: str) -> set[str]:
    return {kind for one in shell_effects(line, "/repo").started for kind in shown_by(one)}


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("uv run pytest -q tests 2>&1 | tail -5", {"tests"}),
        ("python -m pytest", {"tests"}),
        ("python manage.py test app", {"tests"}),
        ("npm run test -- --watch=false", {"tests"}),
        ("CI=1 npx jest -u", {"tests"}),
        ("mise run test:ci", {"tests"}),
        ("make -C sub check", set(EVERY)),
        ("./run_tests.sh", {"tests"}),
        ("bash scripts/lint.sh", {"lint"}),
        ("./gradlew test", {"tests", "build"}),
        ("go -C tools vet ./...", {"lint"}),
        ("cd a && go test ./... && golangci-lint run", {"tests", "lint"}),
        ("npx tsc --noEmit", {"types"}),
        ("cargo build --release", {"build"}),
        ("git -C /repo commit -m x", {"commit"}),
        ("git -c user.name=a -c user.email=a@b.c commit -qam x", {"commit"}),
        ("git push origin main", {"push"}),
        ("vendor/bin/phpunit --filter x", {"tests"}),
        ("pytest --version", set()),
        ("pytest --collect-only", set()),
        ("grep pytest Makefile", set()),
        ("cat run_tests.sh", set()),
        ("npm ci", set()),
        ("npm install jest", set()),
        ("git log --grep commit", set()),
        ("echo make test", set()),
    ],
)
def test_what_a_line_checks(line: str, kinds: set[str]) -> None:
    assert shows(line) == kinds


@pytest.mark.parametrize(
    ("kind", "files", "command"),
    [
        ("tests", {"go.mod": "", "Makefile": "test:\n"}, "go test ./..."),
        ("types", {"package.json": '{"devDependencies": {"typescript": "5"}}'}, "npx tsc --noEmit"),
        ("types", {"package.json": "{}"}, ""),
        ("lint", {"package.json": '{"scripts": {"test": "jest"}}'}, ""),
        ("types", {"go.mod": ""}, ""),
        ("lint", {"Makefile": "test:\n\tpytest\n"}, ""),
        ("lint", {"Makefile": "lint: setup\n\truff check\n"}, "make lint"),
        ("lint", {"Makefile": "lint := ruff\n"}, ""),
        ("tests", {"pyproject.toml": "[project]\n", "tests/conftest.py": ""}, "pytest"),
        ("lint", {"pyproject.toml": "[project]\n"}, ""),
        ("tests", {"pyproject.toml": "[project]\n", "Makefile": "test:\n"}, "make test"),
    ],
)
def test_only_a_command_that_is_there_is_said_to_show_it(kind: str, files: dict[str, str], command: str) -> None:
    assert command_that_shows(kind, files.get) == command


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("pytest -q", "pytest -q"),
        ("PYTHONPATH=src:/tmp/a/lib/python3.11/site-packages python3 -m pytest", "… python3 -m pytest"),
        (
            "A=1 B='x y' pytest tests/one_long_name.py tests/two_long_names.py",
            "… pytest tests/one_l … ts/two_long_names.py",
        ),
        ("pytest tests/one_long_name.py tests/two_long_names.py -q", "pytest tests/one_lon … two_long_names.py -q"),
    ],
)
def test_a_long_line_is_cut_in_its_middle(line: str, shown: str) -> None:
    assert brief_line(line, 43) == shown
