"""Boxes are ticked off, and not a byte beside them changes."""

from __future__ import annotations

from leeboard.plan.files.written_spec import ticked


def test_named_boxes_are_ticked_and_examples_are_not() -> None:
    text = "- [ ] one\r\n  * [ ] two  \n3. [ ] three\n- [x] one\n```\n- [ ] one\n```\nno [ ] one\n"
    assert ticked(text, ["one", " two "]) == (
        "- [x] one\r\n  * [x] two  \n3. [ ] three\n- [x] one\n```\n- [ ] one\n```\nno [ ] one\n"
    )
    assert ticked(text, []) == text
