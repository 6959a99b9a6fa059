"""Why nobody is interrupted for a flow, and what of a file is told once."""

from __future__ import annotations

import pytest

from leeboard.security.taint.doubts.only_logged import habits, is_library, is_script, why_logged
from leeboard.security.taint.state import Flow
from leeboard.security.taint.table import Kind, Trust

BANNER = "/*!\n * jQuery JavaScript Library v1.11.2\n * Released under the MIT license\n */\n"


def flow(
    kind: Kind = "sql",
    trust: Trust | None = "parameter",
    line: int = 5,
    *,
    source: str = "parameter 'name'",
    sink: str = "run",
    confidence: float = 0.7,
) -> Flow:
    return Flow(
        kind=kind,
        confidence=confidence,
        trust=trust,
        source=source,
        source_line=1,
        sink=sink,
        sink_line=line,
        function="f",
    )


@pytest.mark.parametrize(
    ("path", "one", "why"),
    [
        ("src/a.py", flow(), ""),
        ("src/a.py", flow(trust="request"), ""),
        ("src/a.py", flow("deserialise", source="parameter 'cookie'", confidence=0.6), ""),
        ("src/a.py", flow("deserialise", source="parameter 'data'", confidence=0.6), "no outside caller"),
        ("src/a.py", flow("command", source="parameter 'user_input'", confidence=0.6), ""),
        ("src/a.py", flow("xpath", source="parameter 'username'", confidence=0.65), ""),
        ("src/a.py", flow("xpath", source="parameter 'tag'", confidence=0.65), "no outside caller"),
        ("src/a.py", flow("html", source="parameter 'user'", confidence=0.62), ""),
        ("src/a.py", flow("html", source="parameter 'user'", confidence=0.55), "no outside caller"),
        ("src/a.blade.php", flow("html", None, source="`nl2br($a->text)`", confidence=0.6), ""),
        ("src/a.blade.php", flow("html", None, source="`$a->text`", confidence=0.5), "does not show who chose it"),
        ("tests/test_a.py", flow(trust="request"), "test"),
        ("src/a.py", flow("path"), "plain function"),
        ("src/a.py", flow("code"), ""),
        ("src/a.py", flow("code", source="parameter 'source_code'"), "plain function"),
        ("src/a.js", flow("code", source="parameter 'template'"), "plain function"),
        ("src/a.js", flow("code", source="parameter 'encode'"), "callers hand over"),
        ("src/a.py", flow("code", source="parameter 'encode'"), ""),
        ("src/a.js", flow("code", "request"), ""),
        ("src/a.py", flow("command", "local", source="parameter 'service'"), "option of a command"),
        ("src/a.py", flow("command", "local", source="input()"), ""),
        ("src/a.rb", flow("command", "local", source="ENV['du']"), "runs the machine"),
        ("setup.py", flow("command", None, source="a value of unknown origin"), "own people"),
        ("src/a.py", flow("command", None, source="a value of unknown origin"), ""),
        ("lib/smarty/a.php", flow("code"), "run code"),
        ("src/api.go", flow("regex", "request"), "linear"),
        ("src/api.js", flow("regex", "request"), ""),
        ("src/SimpleLog.java", flow("trace", "failure"), "terminal"),
        ("src/Answer.java", flow("trace", "failure"), ""),
        ("bin/a.py", flow("command"), "own people"),
        ("src/a.py", flow("command"), ""),
        ("src/a.py", flow("command", source="parameter 'extra_flags'"), "plain function"),
        ("src/a.php", flow(source="parameter 'safe_ip'"), "plain function"),
        ("src/a.py", flow("xpath"), "plain function"),
        ("skins/jquery-1.11.2.js", flow("code"), "library"),
        ("skins/jquery-1.11.2.js", flow("html", "request"), ""),
    ],
)
def test_who_is_interrupted(path: str, one: Flow, why: str) -> None:
    found = why_logged(path, "", one)
    assert why in found
    assert bool(why) is bool(found)


@pytest.mark.parametrize(
    ("path", "text", "is_theirs"),
    [
        ("js/jquery.js", BANNER, True),
        ("js/app-2.0.1.js", "", True),
        ("third_party/a.py", "", True),
        ("js/app.js", "/* The page of orders */\n", False),
        ("js/app.js", "/*\n * Part of the shop. Licensed under the GPL, version 2.1\n */\n", False),
        ("js/app.js", BANNER.replace(" v1.11.2", ""), False),
        ("src/v2/orders.py", "", False),
    ],
)
def test_what_others_released(path: str, text: str, is_theirs: bool) -> None:  # noqa: FBT001 - a column
    assert is_library(path, text) is is_theirs


def test_a_habit_is_told_at_its_surest_place_and_names_the_others() -> None:
    (one,) = habits([flow(line=9), flow(line=4), flow(line=30), flow(line=12, confidence=0.8)])
    assert one.told.sink_line == 12
    assert one.lines == (4, 9, 30)


def test_what_a_request_reaches_and_each_password_is_no_habit() -> None:
    assert habits([flow(trust="request"), flow(trust="request", line=9), flow("logged"), flow("logged", line=9)]) == ()


def test_calls_that_are_unsafe_by_themselves_are_one_habit_by_their_name() -> None:
    found = habits([flow("tempfile", None, 3), flow("tempfile", None, 9), flow("tempfile", None, 6, sink="mktemp")])
    assert [(one.told.sink_line, one.lines) for one in found] == [(3, (9,)), (6, ())]


def test_scripts_are_told_by_their_folder() -> None:
    assert is_script("scripts/load.py")
    assert not is_script("src/load.py")
