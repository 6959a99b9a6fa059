from __future__ import annotations

from tools.scripted import transcript
from tools.session_facts import decode, facts, inside, spoken, uses, words

LINES = transcript(
    "@ fix the Parser in src/parse.py\nread src/parse.py\n    x = 1\nedit src/parse.py\n    - x = 1\n    + x = 2\n",
    session="one",
    repo="demo",
).splitlines()


def test_what_a_session_touched() -> None:
    records = decode([*LINES, b"{half"])
    assert [use.name for use in uses(records)] == ["Read", "Edit"]
    assert "fix the Parser in src/parse.py" in [spoken(record) for record in records]
    assert "src/parse.py" in str(facts(LINES))


def test_paths_are_told_from_the_work_tree() -> None:
    assert inside("/home/dev/demo/src/a.py", "/home/dev/demo") == "src/a.py"
    assert inside("/tmp/a.py", "/home/dev/demo") == ""


def test_words_of_a_text() -> None:
    assert {"parser", "parse", "src"} <= words("the Parser in src/parse.py")
