from __future__ import annotations

import pytest

from leeboard.settings.decisions.recipe import is_recipe, runs_in

WORKFLOW = """\
jobs:
  guard:
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: OWNER/leeboard@v1
        id: guard
        with:
          scan-fail-on: queue
      - run: |
          pip install .
          leeboard check --base origin/main --fail-on red
      - run: make test
"""
PATH = ".github/workflows/ci.yml"


def test_a_step_that_names_us_is_one_thing_with_its_options() -> None:
    assert sorted(step.rpartition(" ")[0] for step in runs_in(PATH, WORKFLOW)) == [
        "- run: | pip install . leeboard check --base origin/main --fail-on red",
        "- uses: OWNER/leeboard@v1 id: guard with: scan-fail-on: queue",
    ]


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("scan-fail-on: queue", "scan-fail-on: never", False),
        ("--fail-on red", "--fail-on red || true", False),
        ("        id: guard\n", "        id: guard\n        continue-on-error: true\n", False),
        ("make test", "make lint", True),
        ("fetch-depth: 0", "fetch-depth: 1", True),
        ("    steps:\n", "    # what runs\n    steps:\n", True),
        ("id: guard", "id: guard  # ours", True),
        ("    steps:\n", "    continue-on-error: true\n    steps:\n", False),
        ("      - run: make test\n", "      - run: make test\n    if: false\n", False),
        ("    steps:\n", "    if: >\n      false\n\n    steps:\n", False),
        ("jobs:\n", "on: workflow_dispatch\njobs:\n", False),
        ("jobs:\n", "jobs:\n  build:\n    if: false\n    steps:\n      - run: make\n", True),
        ("    steps:\n", "    runs-on: nowhere\n    steps:\n", False),
        ("    steps:\n", "    name: The guard\n    timeout-minutes: 9\n    steps:\n", True),
        ("      - run: make test\n", "      - if: false\n        run: make test\n", True),
    ],
)
def test_only_a_change_of_such_a_step_is_one(old: str, new: str, *, is_same: bool) -> None:
    assert (runs_in(PATH, WORKFLOW.replace(old, new)) == runs_in(PATH, WORKFLOW)) is is_same


JOB = "stages: [test]\nguard:\n  script:\n  - leeboard check --fail-on red\n"


@pytest.mark.parametrize("more", ["  allow_failure: true\n", "  rules:\n  - when: never\n", "workflow:\n  rules: []\n"])
def test_so_is_what_decides_whether_its_job_may_fail(more: str) -> None:
    short = JOB.replace("\n  - leeboard", " leeboard")
    assert runs_in(".gitlab-ci.yml", JOB + more) != runs_in(".gitlab-ci.yml", JOB)
    assert runs_in(".gitlab-ci.yml", short + more) != runs_in(".gitlab-ci.yml", short)
    assert runs_in(
        ".gitlab-ci.yml", JOB + f"other:\n  script: [make]\n{more.replace('workflow', '.other')}"
    ) == runs_in(".gitlab-ci.yml", JOB)


def test_a_condition_that_others_have_below_it_says_nothing_twice() -> None:
    long = "jobs:\n" + "".join(f"{' ' * depth}a:\n" for depth in range(2, 900)) + " " * 900 + "run: leeboard scan\n"
    (step,) = runs_in(PATH, long)
    assert step.startswith("run: leeboard scan ")


def test_which_files_say_how_we_run() -> None:
    recipes = (
        PATH,
        ".gitlab-ci.yml",
        ".pre-commit-config.yaml",
        ".husky/pre-commit",
        "Jenkinsfile",
        "sub/.circleci/config.yml",
    )
    assert [is_recipe(path) for path in recipes] == [True] * len(recipes)
    assert [is_recipe(path) for path in ("docs/ci.yml", "src/a.py", "leeboard.toml")] == [False] * 3
    assert not runs_in("docs/ci.yml", WORKFLOW)


def test_a_line_of_a_script_stands_for_itself() -> None:
    (step,) = runs_in(".husky/pre-commit", "npm test\nleeboard scan --staged\nexit 0\n")
    assert step.startswith("leeboard scan --staged ")


TWO = """\
on: pull_request
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make
  guard:
    needs: build
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.12"]
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - run: leeboard scan --diff origin/main
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  build:\n", "  build:\n    if: false\n"),
        ("  build:\n", "  off:\n    if: false\n    steps: []\n  build:\n    needs: off\n"),
        ("needs: build", "needs: [build, never]"),
        ('["3.12"]', "[]"),
        ("    strategy:", "    container: evil/image\n    strategy:"),
        ("  guard:\n    needs: build\n    runs-on: ubuntu-latest", "  guard:\n    needs: build\n    runs-on: nowhere"),
        ("          fetch-depth: 0\n", "          fetch-depth: 0\n          ref: main\n"),
        ("          fetch-depth: 0\n", "          fetch-depth: 0\n          repository: a/b\n"),
        ("origin/main\n", "origin/main\n    steps:\n      - run: echo\n"),
        ("origin/main\n", "origin/main\njobs:\n  build:\n    steps:\n      - run: echo\n"),
        ("origin/main\n", "origin/main\n  guard:\n    steps:\n      - run: echo\n"),
        ("origin/main\n", 'origin/main\n  "guard":\n    steps:\n      - run: echo\n'),
        ("on: pull_request\n", "on: pull_request\nenv:\n  LEEBOARD_PROFILE: observe\n"),
        ("on: pull_request\n", "on: pull_request\n---\n"),
    ],
)
def test_what_keeps_a_job_from_running_is_a_change_of_its_steps(old: str, new: str) -> None:
    assert old in TWO
    assert not runs_in(PATH, TWO) & runs_in(PATH, TWO.replace(old, new, 1))


def test_jobs_that_were_moved_into_a_text_run_no_more() -> None:
    inside = TWO.replace("jobs:", "x: |\n jobs:").replace("\n  ", "\n   ")
    assert not runs_in(PATH, TWO) & runs_in(PATH, f"{inside}jobs: {{}}\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("      - run: make\n", "      - run: make all\n      - run: make docs\n"),
        ("  build:\n    runs-on: ubuntu-latest", "  build:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5"),
        ("  guard:\n", "  lint:\n    if: false\n    runs-on: x\n    steps:\n      - run: exit 0\n  guard:\n"),
        ("  guard:\n", "  guard:\n    name: Guard\n    permissions: {}\n"),
        ("fetch-depth: 0", "fetch-depth: 50"),
        ("on: pull_request\n", "name: CI\non: pull_request\nenv:\n  A: 1\n"),
        ("    needs: build\n", "\n    # after the build\n    needs: build\n"),
    ],
)
def test_the_rest_of_a_build_file_is_free(old: str, new: str) -> None:
    assert old in TWO
    assert runs_in(PATH, TWO.replace(old, new, 1)) == runs_in(PATH, TWO)


GITLAB = (
    "build:\n  script:\n    - make\nguard:\n  extends: .base\n  script:\n    - pip install leeboard\n    - make lint\n"
)
GITLAB += "    - leeboard check --fail-on red\n.base:\n  image: python\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("guard:", ".guard:"),
        (".base:\n", "guard:\n  script: [echo]\n.base:\n"),
        (".base:\n", ".base:\n  when: never\n"),
        ("script:\n    - pip", "script: [echo]\n  script_:\n    - pip"),
        ("    - make lint\n", "    - exit 0\n    - make lint\n"),
        ("    - make lint\n", "    - make lint\n    - if false; then\n"),
        ("    - make lint\n", "    - make lint\n    - cat <<E\n"),
        ("  extends: .base\n", "  extends: .base\n  image: other\n"),
        ("  extends: .base\n", "  extends: .base\n  before_script:\n    - alias leeboard=true\n"),
        ("  extends: .base\n", "  extends: .base\n  before_script:\n    - exit 0\n"),
    ],
)
def test_so_it_is_at_gitlab(old: str, new: str) -> None:
    assert old in GITLAB
    had = runs_in(".gitlab-ci.yml", GITLAB)
    assert had - runs_in(".gitlab-ci.yml", GITLAB.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    - make\n", "    - make all\n    - exit 0\n"),
        ("    - make lint\n", "    - make lint test\n    - npm ci\n"),
        ("  extends: .base\n", "  extends: .base\n  artifacts:\n    paths: [out]\n"),
        (".base:\n", "docs:\n  script: [make docs]\n.base:\n"),
        (".base:\n  image: python\n", ".base:\n  image: python:3.12\n"),
    ],
)
def test_and_the_rest_is_free_there_too(old: str, new: str) -> None:
    assert old in GITLAB
    assert runs_in(".gitlab-ci.yml", GITLAB.replace(old, new, 1)) == runs_in(".gitlab-ci.yml", GITLAB)


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


def test_a_text_about_us_beside_a_build_is_none() -> None:
    assert not is_recipe(".github/CONTRIBUTING.md")
    assert not runs_in("package.json", '{"dependencies": {"leeboard": "1"}, "description": "leeboard scans"}')
    assert not runs_in("Makefile", "CODE := leeboard tests\nlint:\n\tmypy leeboard tests\n")
