from __future__ import annotations

import pytest

from leeboard.source.silenced import is_hook_file, silenced

CI = ".github/workflows/ci.yml"
JOB = "jobs:\n  test:\n    steps:\n      - run: make test\n"


def kinds(path: str, language: str, before: str, after: str) -> list[str]:
    return [one.kind for one in silenced(path, language, before, after)]


@pytest.mark.parametrize(
    ("language", "line", "kind"),
    [
        ("python", "import os  # noqa", "blanket"),
        ("python", "import os  # noqa: F401", "coded"),
        ("python", "x = f()  # type: ignore", "blanket"),
        ("python", "x = f()  # type: ignore[arg-type]", "coded"),
        ("python", "# mypy: ignore-errors", "blanket"),
        ("typescript", "/* eslint-disable */", "blanket"),
        ("typescript", "// eslint-disable-next-line no-console", "coded"),
        ("typescript", "// @ts-ignore", "blanket"),
        ("typescript", "// @ts-nocheck", "blanket"),
        ("typescript", "// @ts-expect-error the types are wrong", "coded"),
        ("go", "x := f() //nolint", "blanket"),
        ("go", "x := f() //nolint:errcheck", "coded"),
        ("rust", "#![allow(warnings)]", "blanket"),
        ("rust", "#[allow(dead_code)]", "coded"),
        ("java", '@SuppressWarnings("all")', "blanket"),
        ("java", '@SuppressWarnings("unchecked")', "coded"),
        ("ruby", "# rubocop:disable all", "blanket"),
        ("ruby", "# rubocop:disable Metrics/AbcSize", "coded"),
        ("csharp", "#pragma warning disable", "blanket"),
        ("php", "// phpcs:ignoreFile", "blanket"),
    ],
)
def test_marks_in_code(language: str, line: str, kind: str) -> None:
    assert kinds("src/a", language, "a = 1\n", f"a = 1\n{line}\n") == [kind]
    assert kinds("src/a", language, f"a = 1\n{line}\n", f"{line}\na = 1\n") == [], "it only moved"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("python", 'help = "use # noqa for that"'),
        ("python", "# noqa is not for us, see the guide"[2:]),
        ("go", 's := "//nolint"'),
    ],
)
def test_texts_that_only_speak_of_one(language: str, line: str) -> None:
    assert kinds("src/a", language, "a = 1\n", f"a = 1\n{line}\n") == []


def test_a_reason_is_seen() -> None:
    (one,) = silenced("a.go", "go", "", "x := f() //nolint:errcheck // the file is read only\n")
    assert one.reasoned
    (one,) = silenced("a.py", "python", "", "import os  # noqa: F401 - for its side effect\n")
    assert one.reasoned


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (CI, JOB, f"{JOB}        continue-on-error: true\n"),
        (CI, JOB, JOB.replace("make test", "make test || true")),
        (".gitlab-ci.yml", "test:\n  script: make\n", "test:\n  script: make\n  allow_failure: true\n"),
        ("Makefile", "test:\n\tpytest -q\n", "test:\n\tpytest -q || true\n"),
        ("package.json", '{\n  "lint": "eslint ."\n}', '{\n  "lint": "eslint . || true"\n}'),
        (".eslintrc.json", '{\n  "a": 1\n}', '{\n  "no-unused-vars": "off"\n}'),
        ("tsconfig.json", '{\n  "strict": true\n}', '{\n  "strict": false\n}'),
        ("pyproject.toml", "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nstrict = false\n"),
        ("mypy.ini", "[mypy]\n", "[mypy]\nignore_errors = True\n"),
        (".husky/pre-commit", "npm test\n", "exit 0\nnpm test\n"),
    ],
)
def test_settings_that_switch_a_check_off(path: str, before: str, after: str) -> None:
    assert kinds(path, "", before, after) == ["setting"]
    assert kinds(path, "", after, before) == []
    assert kinds(path, "", "", after) == [], "a file that is new takes nothing down"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "fail_under = 90\n", "fail_under = 80\n"),
        ("jest.config.js", "      branches: 90,\n", "      branches: 70,\n"),
        ("package.json", '"lint": "eslint --max-warnings 0"\n', '"lint": "eslint --max-warnings 50"\n'),
    ],
)
def test_thresholds_that_give_way(path: str, before: str, after: str) -> None:
    assert kinds(path, "", before, after) == ["threshold"]
    assert kinds(path, "", after, before) == []


def test_files_that_run_checks() -> None:
    assert is_hook_file(".git/hooks/pre-commit")
    assert is_hook_file(".pre-commit-config.yaml")
    assert not is_hook_file(".git/hooks/pre-commit.sample")
    assert not is_hook_file("src/hooks/useCart.ts")
