from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.block_text import NON_GOALS, new_block, with_block, with_values
from leeboard.contracts.table import find_block
from leeboard.errors import WireError
from leeboard.model.contract import MODES, Mode

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


def test_the_rendered_form() -> None:
    """Key order and one item a line, as other tools of the family write it."""
    assert new_block('Do "x"', touch=("src/**",), max_files=3) == (
        '```wg-contract\nschema = 1\nmode = "core"\nobjective = "Do \\"x\\""\nnon_goals = [\n'
        '  "No fallbacks, retries or guardrails unless acceptance needs them",\n]\n'
        'touch = [\n  "src/**",\n]\nacceptance = [\n]\nmax_files = 3\nmax_loc = 800\npit_stop_after = 3\n'
        "auto_followups = true\n```"
    )


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
