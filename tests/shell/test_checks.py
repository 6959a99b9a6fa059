from __future__ import annotations

import pytest

from leeboard.shell.checks import EVERY, command_that_shows, manifests, shown_by
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


def test_the_command_that_would_show_it_is_told_by_the_files_of_the_project() -> None:
    assert command_that_shows("tests", frozenset({"go.mod", "Makefile"})) == "go test ./..."
    assert command_that_shows("types", frozenset({"package.json"})) == "npx tsc --noEmit"
    assert command_that_shows("types", frozenset({"go.mod"})) == ""
    assert "pyproject.toml" in manifests()
