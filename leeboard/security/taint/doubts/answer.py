"""What a function says of its answers: that they are no page, or that those who develop the program read them."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Sink

_PLAIN_ANSWER = lazy("|".join(TABLE.plain_answers))
_MARKUP = lazy(TABLE.markup)
_WHERE_IT_RUNS = lazy(TABLE.where_it_runs)


def is_meant_to_be_sent(state: State, sink: Sink) -> bool:
    """An answer that is no page, or a trace for those who develop."""
    if sink.kind == "trace":
        return _asks_where_it_runs(state)
    return sink.kind == "html" and _answers_plainly(state)


def _answers_plainly(state: State) -> bool:
    """Whether the function says that what it sends is no page, and writes no markup."""
    text = state.mentions.text_of(state.active[-1]) if state.active else ""
    return bool(_PLAIN_ANSWER.search(text)) and not _MARKUP.search(text)


def _asks_where_it_runs(state: State) -> bool:
    """What a failure tells is shown to those who develop the program, where the function asks for that."""
    around = state.mentions.text_of(state.active[-1]) if state.active else ""
    return _WHERE_IT_RUNS.search(around) is not None or state.mentions.says(TABLE.shows_on_demand)
