"""A wish as people write it: its title, what is wanted, and what has to hold in the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.files.written_spec import LONGEST_TITLE, read_spec

FORM = """# Count words in `stdin` too

### Summary
`words` reads files only. People pipe into it,
and get nothing.

### Acceptance criteria
- `echo a b | words` prints 2
- `words -` does the same

### Notes
- seen with 1.4
"""


def test_a_form_with_headings() -> None:
    spec = read_spec(FORM)
    assert spec.title == "Count words in stdin too"
    assert spec.goal == "`words` reads files only. People pipe into it, and get nothing."
    assert spec.criteria == ("`echo a b | words` prints 2", "`words -` does the same")
    assert "- [ ] `words -` does the same" in spec.body
    assert "- seen with 1.4" in spec.body
    assert "# Count" not in spec.body


def test_boxes_go_before_lists() -> None:
    spec = read_spec("# T\n\n## Requirements\n- fast\n\n- [ ] one\n- [x] two\n\n```\n- [ ] an example\n```\n")
    assert spec.criteria == ("one", "two")
    assert "- fast" in spec.body


@pytest.mark.parametrize(
    ("text", "title", "criteria"),
    [
        ("Fix the crash on empty files", "Fix the crash on empty files", ()),
        ("Fix the crash. It happens on empty files.", "Fix the crash", ()),
        ("Fix it\n======\n\nDone when:\n1. it starts\n2. it ends\n", "Fix it", ("it starts", "it ends")),
        ("---\ntitle: From the front\n---\nWhy.\n\n**Acceptance criteria:**\n* a\n", "From the front", ("a",)),
        ("title:\tPrinted by gh\nstate:\tOPEN\nlabels:\tbug\n--\nIt broke.\n\n- [ ] it holds\n", "Printed by gh", ("it holds",)),
        ("\ufeff\r\n## With a [link](https://x.example)\r\n\r\n- [ ] a\r\n", "With a link", ("a",)),
        ("", "", ()),
        ("\n \n", "", ()),
    ],
)  # fmt: skip
def test_many_ways_to_write_one(text: str, title: str, criteria: tuple[str, ...]) -> None:
    spec = read_spec(text)
    assert (spec.title, spec.criteria) == (title, criteria)


def test_one_long_sentence_is_cut_between_words_and_kept_whole_below() -> None:
    text = "When the list of files is empty the program should say so " * 3
    spec = read_spec(text)
    assert len(spec.title) <= LONGEST_TITLE
    assert text.startswith(f"{spec.title} ")
    assert spec.body == text.strip()
    assert spec.goal == text.strip()


def test_an_example_in_a_fence_is_no_goal_and_no_heading() -> None:
    spec = read_spec("Crash\n\nIt ends.\n\n```\n# Acceptance criteria\n- no\n```\n")
    assert spec.goal == "It ends."
    assert spec.criteria == ()


@given(st.text(max_size=400))
def test_whatever_is_written_a_title_is_one_printable_line(text: str) -> None:
    spec = read_spec(text)
    assert len(spec.title) <= LONGEST_TITLE
    assert spec.title.isprintable()
    assert all("\n" not in each for each in spec.criteria)
