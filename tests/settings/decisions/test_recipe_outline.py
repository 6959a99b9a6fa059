"""What decides whether a step of ours runs, in build files of lines that are set in."""

from __future__ import annotations

import pytest

from leeboard.settings.decisions.recipe import runs_in

PATH = ".github/workflows/ci.yml"
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
