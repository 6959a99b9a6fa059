"""What events tell of themselves."""

from __future__ import annotations

from leeboard.model.event import PromptGiven


def test_spacing_does_not_make_another_prompt() -> None:
    one, other = PromptGiven(session="s", text="fix  it\n"), PromptGiven(session="s", text="fix it")
    assert one.digest == other.digest
    assert other.digest != PromptGiven(session="s", text="fix it", command="/do").digest
