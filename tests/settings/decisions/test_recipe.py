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


def test_a_text_about_us_beside_a_build_is_none() -> None:
    assert not is_recipe(".github/CONTRIBUTING.md")
    assert not runs_in("package.json", '{"dependencies": {"leeboard": "1"}, "description": "leeboard scans"}')
    assert not runs_in("Makefile", "CODE := leeboard tests\nlint:\n\tmypy leeboard tests\n")
