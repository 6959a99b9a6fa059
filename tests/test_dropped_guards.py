"""Checks that are gone around, switched off or lowered, through the real hook in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checked_work import Step, said_by

FILES = {
    "src/a.py": "import os\n\n\ndef total(items):\n    return sum(items)\n",
    "src/a.ts": "export const a = 1;\n",
    "a.go": "package a\n\nfunc f() error { return nil }\n\nfunc g() {\n\tf()\n}\n",
    "src/lib.rs": "pub fn f() {}\n",
    "A.java": "class A {\n  void f() {}\n}\n",
    "a.rb": "def f\nend\n",
    ".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: make test\n",
    ".gitlab-ci.yml": "test:\n  script: make test\n",
    "Makefile": "test:\n\tpytest -q\n",
    "package.json": '{\n  "scripts": {\n    "lint": "eslint --max-warnings 0 ."\n  }\n}\n',
    ".eslintrc.json": '{\n  "rules": {\n    "no-eval": "error"\n  }\n}\n',
    "tsconfig.json": '{\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
    "pyproject.toml": "[tool.mypy]\nstrict = true\n\n[tool.coverage.report]\nfail_under = 90\n",
    ".pre-commit-config.yaml": "repos: []\n",
    ".husky/pre-commit": "npm test\n",
}
ASKED: Step = ("say", "let total count empty carts")
STOP: Step = ("stop", "That is what I did.")
LINT_FAILS: Step = ("run", "ruff check", "1", "Found 1 error.")
TYPES_FAIL: Step = ("run", "mypy .", "1", "Found 1 error in 1 file (checked 3 source files)")


def ran(line: str) -> tuple[Step, ...]:
    return (("run", line, "0", ""),)


def edited(path: str, old: str, new: str) -> tuple[Step, ...]:
    return (("edit", path, old, new),)


SPOKEN: dict[str, tuple[Step, ...]] = {
    "no-verify": ran("git commit --no-verify -m x"),
    "-n": ran("git commit -anm x"),
    "-n behind a message of several lines": ran('git commit -m "x\n\nmore" -n'),
    "push": ran("git push --no-verify"),
    "wrapped": ran("cd src && sh -c 'git commit --no-verify -m x'"),
    "hooksPath": ran("git config core.hooksPath /dev/null"),
    "hooksPath once": ran("git -c core.hooksPath=/dev/null commit -m x"),
    "husky": ran("HUSKY=0 git commit -m x"),
    "skip": ran("SKIP=ruff git commit -m x"),
    "uninstall": ran("pre-commit uninstall"),
    "hook deleted": (("shell", "rm .husky/pre-commit"),),
    "configuration deleted": (("shell", "git rm -q .pre-commit-config.yaml"),),
    "hook emptied": edited(".husky/pre-commit", "npm test", "exit 0"),
    "hook not executable": ran("chmod -x .git/hooks/pre-commit"),
    "protection": ran("gh api -X DELETE repos/o/r/branches/main/protection"),
    "protection put": ran("gh api --method PUT repos/o/r/branches/main/protection --input p.json"),
    "ruleset": ran("gh api -X DELETE repos/o/r/rulesets/12"),
    "continue-on-error": edited(
        ".github/workflows/ci.yml", "make test\n", "make test\n        continue-on-error: true\n"
    ),
    "|| true": edited(".github/workflows/ci.yml", "make test", "make test || true"),
    "allow_failure": edited(".gitlab-ci.yml", "make test\n", "make test\n  allow_failure: true\n"),
    "make": edited("Makefile", "pytest -q", "pytest -q || true"),
    "script": edited("package.json", '0 ."', '0 . || true"'),
    "eslint rule off": edited(".eslintrc.json", '"error"', '"off"'),
    "not strict": edited("tsconfig.json", '"strict": true', '"strict": false'),
    "mypy not strict": edited("pyproject.toml", "strict = true", "strict = false"),
    "coverage": edited("pyproject.toml", "fail_under = 90", "fail_under = 70"),
    "warnings": edited("package.json", "max-warnings 0", "max-warnings 99"),
    "noqa": edited("src/a.py", "import os", "import os  # noqa"),
    "type: ignore": edited("src/a.py", "sum(items)", "sum(items)  # type: ignore"),
    "mypy off": edited("src/a.py", "import os", "# mypy: ignore-errors\nimport os"),
    "eslint-disable": edited("src/a.ts", "export", "/* eslint-disable */\nexport"),
    "ts-ignore": edited("src/a.ts", "export", "// @ts-ignore\nexport"),
    "ts-nocheck": edited("src/a.ts", "export", "// @ts-nocheck\nexport"),
    "nolint": edited("a.go", "\tf()", "\tf() //nolint"),
    "allow": edited("src/lib.rs", "pub fn", "#![allow(warnings)]\npub fn"),
    "SuppressWarnings": edited("A.java", "  void", '  @SuppressWarnings("all")\n  void'),
    "rubocop": edited("a.rb", "def f", "# rubocop:disable all\ndef f"),
    "noqa after it failed": (LINT_FAILS, *edited("src/a.py", "import os", "import os  # noqa: F401")),
    "type after it failed": (TYPES_FAIL, *edited("src/a.py", "sum(items)", "sum(items)  # type: ignore[arg-type]")),
    "nolint after it failed": (
        ("run", "golangci-lint run", "1", "1 issues:"),
        *edited("a.go", "\tf()", "\tf() //nolint:errcheck"),
    ),
}
SILENT: dict[str, tuple[Step, ...]] = {
    "the user says no-verify": (("say", "commit it with --no-verify"), *SPOKEN["no-verify"]),
    "the user skips hooks": (("say", "skip the hooks for this commit"), *SPOKEN["-n"]),
    "the user wants the rule off": (("say", "turn off the eslint rule no-eval"), *SPOKEN["eslint rule off"]),
    "the user lowers coverage": (("say", "lower the coverage threshold to 70"), *SPOKEN["coverage"]),
    "the user wants CI so": (("say", "let the ci workflow ignore failures of that check"), *SPOKEN["|| true"]),
    "an ordinary commit": ran("git commit -m 'why --no-verify is wrong'"),
    "amended": ran("git commit --amend --no-edit"),
    "dry push": ran("git push -n"),
    "asked for the path": ran("git config --get core.hooksPath"),
    "looked for": ran("grep -rn 'no-verify' ."),
    "said": ran("echo 'never use --no-verify'"),
    "log": ran("git log -n 3"),
    "skip elsewhere": ran("SKIP=1 make test"),
    "hooks installed": ran("pre-commit install"),
    "protection read": ran("gh api repos/o/r/branches/main/protection"),
    "an issue": ran("gh api -X POST repos/o/r/issues -f title=protection"),
    "executable": ran("chmod +x .git/hooks/pre-commit"),
    "a build folder": (("shell", "mkdir -p build/hooks && touch build/hooks/a && rm build/hooks/a"),),
    "another step": edited(".github/workflows/ci.yml", "make test\n", "make test\n      - run: make lint\n"),
    "a stricter step": edited(
        ".github/workflows/ci.yml", "make test\n", "make test\n        continue-on-error: false\n"
    ),
    "a new workflow": (("write", ".github/workflows/nightly.yml", "jobs:\n  a:\n    continue-on-error: true\n"),),
    "cleaning up may fail": edited("Makefile", "test:\n", "clean:\n\trm -r build || true\n\ntest:\n"),
    "another script": edited("package.json", '"lint"', '"dev": "vite",\n    "lint"'),
    "a rule more": edited(".eslintrc.json", '"error"', '"error",\n    "no-var": "error"'),
    "an option of the compiler": edited("tsconfig.json", '"strict": true', '"strict": true,\n    "target": "es2022"'),
    "higher coverage": edited("pyproject.toml", "fail_under = 90", "fail_under = 95"),
    "a dependency": edited("pyproject.toml", "[tool.mypy]", "[project]\nname = 'a'\n\n[tool.mypy]"),
    "a named check with a reason": (
        LINT_FAILS,
        *edited("src/a.py", "import os", "import os  # noqa: F401 - for its effect"),
    ),
    "a named check": edited("src/a.py", "import os", "import os  # noqa: F401"),
    "a named type check": edited("src/a.py", "sum(items)", "sum(items)  # type: ignore[arg-type]"),
    "a next line with a reason": edited(
        "src/a.ts", "export", "// eslint-disable-next-line no-eval -- input is ours\nexport"
    ),
    "an expected error": edited("src/a.ts", "export", "// @ts-expect-error the types lag behind\nexport"),
    "nolint with a reason": edited("a.go", "\tf()", "\tf() //nolint:errcheck // can not fail"),
    "a mark taken out": (
        ("say", "tidy src/a.py"),
        *edited("src/a.py", "import os", "import os  # noqa: F401"),
        *edited("src/a.py", "  # noqa: F401", ""),
    ),
    "put back": (*SPOKEN["noqa"], *edited("src/a.py", "import os  # noqa", "import os")),
    "a text about it": edited("src/a.py", "import os", 'HELP = "write # noqa there"'),
    "a document": (("write", "docs/lint.md", "Never write `# noqa` or `eslint-disable`.\n"),),
    "allowed in Rust": edited("src/lib.rs", "pub fn", "#[allow(dead_code)]\npub fn"),
    "unchecked in Java": edited("A.java", "  void", '  @SuppressWarnings("unchecked")\n  void'),
    "one cop": edited("a.rb", "def f", "# rubocop:disable Metrics/AbcSize -- a table\ndef f"),
}


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


@pytest.mark.parametrize("name", SPOKEN)
def test_what_is_said(name: str, tmp_path: Path) -> None:
    (words,) = said_by("LB-V201", tmp_path, FILES, (ASKED, *SPOKEN[name], STOP))
    assert "the user" in words


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_said(name: str, tmp_path: Path) -> None:
    assert said_by("LB-V201", tmp_path, FILES, (ASKED, *SILENT[name], STOP)) == []
