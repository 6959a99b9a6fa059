from __future__ import annotations

import re
from pathlib import Path

from leeboard.surfaces.cli.main import COMMANDS
from tools.man_page import man_page

PAGE = Path(__file__).parents[2] / "docs" / "leeboard.1"


def test_letters_that_man_would_obey_are_shown() -> None:
    page = man_page("1", "x", [("init", "Usage: a-b\n.hidden\n'quoted\nC:\\x")], [("0", "done")])
    assert "Usage: a\\-b\n\\&.hidden\n\\&'quoted\nC:\\ex\n" in page
    assert page.endswith(".TP\n.B 0\ndone\n")


def test_the_page_has_every_command_and_exit_code_and_no_unknown_order() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert {name for name in COMMANDS if f'.SS "leeboard {name}"'.replace("-", "\\-") not in text} == set()
    assert [code for code in "012345" if f".B {code}\n" not in text] == []
    assert set(re.findall(r"^\.(\w+)", text, re.MULTILINE)) == {"TH", "SH", "SS", "B", "nf", "fi", "TP"}
