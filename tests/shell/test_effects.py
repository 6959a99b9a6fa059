"""A line is asked about when it is proposed and again when it is done: it is read once."""

from __future__ import annotations

from leeboard.model.touch import Touch
from leeboard.shell.effects import shell_effects


def test_a_line_is_read_once() -> None:
    first = shell_effects("rm -r build", "/work")
    assert first.touches == (Touch("/work/build", "delete"),)
    assert shell_effects("rm -r build", "/work") is first


def test_the_folder_counts() -> None:
    assert shell_effects("rm -r build", "/elsewhere").touches == (Touch("/elsewhere/build", "delete"),)
