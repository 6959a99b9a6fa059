from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.table import find_block, read_task
from leeboard.model.task import Task

WRITTEN = """\
Some words.

```wg-contract
# who: ann
schema = 1
mode = "core"  # for now
owner = "ann"
touch = ["src/**"]

[x]
deep = 'a\\d'
```

More words.
"""


def _task(description: str) -> Task:
    return Task(id="t1", title="The title", description=description)


@pytest.mark.parametrize(
    ("description", "mode"),
    [
        ("```wg-contract\nmode = 'perf'\n```", "perf"),
        ("words before\n```wg-contract  \nmode = 'perf'\n```\nafter", "perf"),
        ("```wg-contract\r\nmode = 'perf'\r\n```\r\n", "perf"),
        ("not at a line's start ```wg-contract\nmode = 'perf'\n```", "perf"),
        ("~~~wg-contract\nmode = 'perf'\n~~~", "perf"),
        ("``` wg-contract toml\nmode = 'perf'\n```", "perf"),
        ("  ```wg-contract\n  mode = 'perf'\n  ```", "perf"),
        ("- a list\n  ```wg-contract\n  mode = 'perf'\n  ```", "perf"),
        ("````wg-contract\nobjective = '''\n```\n'''\nmode = 'perf'\n````", "perf"),
        ("```wg-contract\nmode = 'perf'\n```\n```wg-contract\nmode = 'explore'\n```", "perf"),
        ("```wg-contract\n```", "core"),
        ("````md\n```wg-contract\nmode = 'explore'\n```\n````\n```wg-contract\nmode = 'perf'\n```", "perf"),
    ],
)
def test_where_a_block_is_found(description: str, mode: str) -> None:
    """SP-08, SP-09."""
    reading = read_task(_task(description))
    assert reading.problems == ()
    assert reading.contract is not None
    assert reading.contract.mode == mode


@pytest.mark.parametrize(
    "description",
    ["", "no block", "```toml\nmode = 'core'\n```", "````md\n```wg-contract\nmode='core'\n```\n````", "wg-contract"],
)
def test_where_there_is_none(description: str) -> None:
    assert read_task(_task(description)).contract is None


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("schema = 1\nmode =\n", 2, "not valid TOML"),
        ("schema = 1\nmode = 'cor'\n", 2, "did you mean 'core'?"),
        ("# c\n\nmax_files = 'x'\n", 3, "max_files must be"),
    ],
)
def test_a_slip_is_named_with_its_line(body: str, line: int, said: str) -> None:
    problems = read_task(_task(f"```wg-contract\n{body}```")).problems
    assert [(problem.line, said in problem.text) for problem in problems] == [(line, True)]


def test_a_block_that_is_never_closed_is_no_silence() -> None:
    reading = read_task(_task("```wg-contract\nmode = 'core'\n"))
    assert "never closed" in reading.error
    assert reading.contract is not None


def test_the_title_is_the_objective_where_none_is_written() -> None:
    reading = read_task(_task("```wg-contract\nschema = 1\n```"))
    assert reading.contract is not None
    assert (reading.contract.objective, reading.contract.source, reading.contract.task) == ("The title", "task", "t1")


def test_structured_data_goes_before_the_description() -> None:
    """SP-49."""
    task = Task(id="t1", title="T", description=WRITTEN, metadata={"wg-contract": {"mode": "perf"}})
    reading = read_task(task)
    assert reading.contract is not None
    assert reading.contract.mode == "perf"


@given(st.text(st.sampled_from("`~wg-contract \n\r>=[]'\"a1#"), max_size=200))
def test_no_description_is_too_odd(description: str) -> None:
    read_task(_task(description))
    block = find_block(description)
    assert block is None or description[block.start : block.end].startswith(("`", "~"))
