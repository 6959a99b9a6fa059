from __future__ import annotations

from leeboard.model.verdict import Finding
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play


def found(*lines: str) -> list[Finding]:
    store = MemoryStore()
    told = play(("repo src/a.py | import os\n", "@ fix a.py", *lines), store=store).told
    verdicts = [one.verdict for one in told if one.verdict is not None]
    every = [finding for verdict in verdicts for finding in store.findings(verdict.id)]
    return [finding for finding in every if finding.rule == "dropped_guard"]


def test_it_names_the_place_and_what_it_does() -> None:
    (finding,) = found("edit src/a.py | import os => import os  # noqa")
    assert (finding.path, finding.line) == ("src/a.py", 1)
    assert "src/a.py:1 silences every lint check" in finding.message


def test_a_named_check_is_on_record_with_the_reason_why_it_is_not_said() -> None:
    (finding,) = found("edit src/a.py | import os => import os  # noqa: F401")
    assert finding.signal is not None
    assert finding.signal.log_only == "one named check on one line"


def test_another_check_that_failed_does_not_count() -> None:
    (finding,) = found("$! mypy . -> Found 1 error in 1 file", "edit src/a.py | import os => import os  # noqa: F401")
    assert finding.signal is not None
    assert finding.signal.log_only


def test_it_is_dropped_where_it_was_taken_back() -> None:
    mark = "edit src/a.py | import os => import os  # noqa"
    assert len(play(("repo src/a.py | import os\n", "@ fix a.py", mark, "read src/a.py")).spoken()) == 1
    rewritten = "write src/a.py | import os\n"
    assert play(("repo src/a.py | import os\n", "@ fix a.py", mark, rewritten, "read src/a.py")).spoken() == []
