"""YAML by its lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.manifest.formats import entries, flow_items

TEXT = """\
%YAML 1.2
---
# a comment
name: x # behind
"quoted: key": 'a # b'
list:
- one
- two: 2
  three: 3
other:
  - - deep
script: |
  not: a key
  - nor an item
run:
  - |
    uses: nothing
  - last
? a long key
: value
empty:
"""


def test_each_line_with_its_keys() -> None:
    assert list(entries(TEXT)) == [
        (("name",), "x"),
        (("quoted: key",), "a # b"),
        (("list",), ""),
        (("list", "-"), "one"),
        (("list", "-", "two"), "2"),
        (("list", "-", "three"), "3"),
        (("other",), ""),
        (("other", "-", "-"), "deep"),
        (("script",), "|"),
        (("run",), ""),
        (("run", "-"), "|"),
        (("run", "-"), "last"),
        (("a long key",), ""),
        (("a long key",), ": value"),
        (("empty",), ""),
    ]


def test_flow() -> None:
    assert list(flow_items('[a, "b", c=1]')) == ["a", "b", "c=1"]
    assert list(flow_items("a, b")) == []


@given(st.text(alphabet=st.sampled_from("ab:-#\"'|>[]{}? \n\t")) | st.text())
def test_never_raises(text: str) -> None:
    assert all(path for path, _ in entries(text))


def test_no_line_costs_more_than_it_is_long() -> None:
    assert len(list(entries("- " * 500_000 + "\n" + "a: " * 300_000))) == 2
