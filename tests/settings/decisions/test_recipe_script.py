"""What decides whether a line of ours runs, in hooks, makefiles and packages."""

from __future__ import annotations

import pytest

from leeboard.settings.decisions.recipe import runs_in


def test_a_line_of_a_script_stands_for_itself() -> None:
    (step,) = runs_in(".husky/pre-commit", "npm test\nleeboard scan --staged\nexit 0\n")
    assert step.startswith("leeboard scan --staged ")


HOOK = "#!/bin/sh\nnpm test\nleeboard scan --staged\nnpm run docs\n"


@pytest.mark.parametrize(
    "path", [".husky/pre-commit", ".githooks/pre-commit", "tools/git-hooks/pre-push", "Jenkinsfile"]
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("npm test", "exit 0"),
        ("npm test", "npm test; exit 0"),
        ("leeboard scan --staged\n", "if false; then\nleeboard scan --staged\nfi\n"),
        ("npm test\n", "npm test\nfalse &&\n"),
        ("npm test\n", "npm test\n: <<E\n"),
        ("npm test\n", "leeboard() { :; }\nnpm test\n"),
        ("npm test\n", "PATH=.bin:$PATH\nnpm test\n"),
        ("scan --staged\n", "scan --staged \\\n  || true\n"),
        ("leeboard scan --staged\n", ""),
    ],
)
def test_a_line_of_a_hook_that_keeps_ours_from_running_is_a_change_of_it(path: str, old: str, new: str) -> None:
    assert old in HOOK
    assert runs_in(path, HOOK) - runs_in(path, HOOK.replace(old, new, 1))


@pytest.mark.parametrize(("old", "new"), [("npm test", "npm run lint\nnpm test"), ("npm test", "# exit 0\nnpm test")])
def test_other_commands_of_a_hook_are_free(old: str, new: str) -> None:
    assert runs_in(".husky/pre-commit", HOOK.replace(old, new)) == runs_in(".husky/pre-commit", HOOK)


def test_a_hook_that_does_not_stop_on_an_error_ends_as_its_last_command_does() -> None:
    short = "leeboard scan --staged\n"
    for start, is_same in (("", False), ("set -e\n", True)):
        had = runs_in(".githooks/pre-commit", start + short)
        assert (had == runs_in(".githooks/pre-commit", f"{start}{short}npm test\n")) is is_same


MAKE = "check: lint guard\nlint:\n\truff check\nguard: build\n\tpip install leeboard\n\tleeboard scan --staged\n"


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("lint guard", "lint", False),
        ("\tleeboard scan", "\t-leeboard scan", False),
        ("\tleeboard scan --staged", "\techo", False),
        ("\tpip install leeboard\n", "\texit 0\n", False),
        ("guard: build", "guarded: build", False),
        ("check: lint", "guard:\n\techo\ncheck: lint", False),
        ("check:", ".IGNORE:\ncheck:", False),
        ("ruff check", "ruff check --fix", True),
        ("lint guard", "lint guard test", True),
        ("check:", "NAME = leeboard\ncheck:", True),
    ],
)
def test_a_makefile_that_runs_us(old: str, new: str, *, is_same: bool) -> None:
    assert (not runs_in("Makefile", MAKE) - runs_in("Makefile", MAKE.replace(old, new, 1))) is is_same


PACKAGE = """{"name": "x", "scripts": {"guard": "leeboard scan --staged", "test": "jest",
"check": "npm run guard && npm test"}, "simple-git-hooks": {"pre-commit": "npm run check"}}"""


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("leeboard scan --staged", "leeboard scan --staged || true", False),
        ('"guard": "leeboard scan --staged", ', "", False),
        ("npm run guard && ", "", False),
        ("npm run check", "npm test", False),
        ('"test": "jest"', '"test": "jest", "guard": "echo"', False),
        ("}}", "}} not json", False),
        ('"jest"', '"vitest"', True),
        ('"name": "x"', '"name": "leeboard"', True),
    ],
)
def test_a_package_that_runs_us(old: str, new: str, *, is_same: bool) -> None:
    assert (not runs_in("package.json", PACKAGE) - runs_in("package.json", PACKAGE.replace(old, new, 1))) is is_same
