"""What all tables share."""

from __future__ import annotations

from leeboard.code.flow._idiom_tables import CALLERS, FIXES, told
from leeboard.code.flow.table import Sink


def test_sinks_learn_how_sure_a_callers_value_is_and_what_to_do() -> None:
    (sink,) = told((Sink(kind="html", callee="write"),))
    assert sink.parameter == CALLERS["html"]
    assert sink.note == FIXES["html"]


def test_what_a_sink_says_itself_stays() -> None:
    (sink,) = told((Sink(kind="html", callee="write", parameter=0.3, note="Mine."),))
    assert (sink.parameter, sink.note) == (0.3, "Mine.")
