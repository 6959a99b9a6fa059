from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.model.contract import MODES, Mode
from leeboard.model.task import Task
from leeboard.wire.contract_block import NON_GOALS, find_block, new_block, read_task, with_block, with_values

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


def test_the_rendered_form() -> None:
    """Key order and one item a line, as other tools of the family write it."""
    assert new_block('Do "x"', touch=("src/**",), max_files=3) == (
        '```wg-contract\nschema = 1\nmode = "core"\nobjective = "Do \\"x\\""\nnon_goals = [\n'
        '  "No fallbacks, retries or guardrails unless acceptance needs them",\n]\n'
        'touch = [\n  "src/**",\n]\nacceptance = [\n]\nmax_files = 3\nmax_loc = 800\npit_stop_after = 3\n'
        "auto_followups = true\n```"
    )


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


def test_a_rewrite_changes_the_one_value() -> None:
    changed = with_values(WRITTEN, {"touch": ("lib/**", "docs/")})
    assert changed == WRITTEN.replace('touch = ["src/**"]', 'touch = [\n  "lib/**",\n  "docs/",\n]')


def test_a_new_key_goes_before_the_tables() -> None:
    block = find_block(with_values(WRITTEN, {"max_files": 3}))
    assert block is not None
    assert tomllib.loads(block.body)["max_files"] == 3


def test_line_endings_stay() -> None:
    changed = with_values(WRITTEN.replace("\n", "\r\n"), {"touch": ("a", "b")})
    assert changed.replace("\r\n", "").count("\n") == 0


def test_what_can_not_be_read_is_not_rewritten() -> None:
    for description in ("no block", "```wg-contract\nmode =\n```", "```wg-contract\nmode = 'core'"):
        with pytest.raises(WireError):
            with_values(description, {"touch": ("a",)})


def test_a_block_is_put_before_the_words_and_replaced_in_place() -> None:
    block = new_block("x")
    assert with_block("words", block) == f"{block}\n\nwords"
    assert with_block("", block) == block
    replaced = with_block(WRITTEN, block)
    assert replaced == f"Some words.\n\n{block}\n\nMore words.\n"


@pytest.mark.parametrize("mode", MODES)
def test_no_mode_rules_out_its_own_purpose(mode: Mode) -> None:
    assert all("guardrail" not in text or mode == "core" for text in NON_GOALS[mode])


@given(st.text(max_size=60), st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=4))
def test_any_words_survive_writing_and_reading(objective: str, globs: list[str]) -> None:
    written = with_values(f"before\n{new_block(objective)}\nafter", {"touch": tuple(globs)})
    block = find_block(written)
    assert block is not None
    table = tomllib.loads(block.body.replace("\r\n", "\n"))
    assert len(table["touch"]) == len(globs)
    assert written.startswith("before\n```wg-contract\n")
    assert written.endswith("```\nafter")


@given(st.text(st.sampled_from("`~wg-contract \n\r>=[]'\"a1#"), max_size=200))
def test_no_description_is_too_odd(description: str) -> None:
    read_task(_task(description))
    block = find_block(description)
    assert block is None or description[block.start : block.end].startswith(("`", "~"))
