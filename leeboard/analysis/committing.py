"""When lines of the session ran that may have made commits: what was committed at other times is the person's.

Neither the start of a session nor the name of an author tells them apart: a person commits right before it begins and
in another terminal while it waits, under the same name as their agent. Git counts whole seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leeboard.model.event import ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.world import World

MOST_LINES = 500
_KEY = "line"


def committing_entries(event: ToolFinished, world: World, turn: int) -> Iterator[Entry]:
    """A row with the time from when to when such a line ran. `world` is the one before the event."""
    analysis, call = world.analysis, event.call
    by_git = any(program.startswith("git ") for program in analysis.programs)
    if event.outcome == "denied" or not analysis.unsure or not (analysis.opaque or by_git or call.action == "other"):
        return
    open_calls = world.session.agent(event.agent).open_calls
    began = next((one.began for one in open_calls if one.id == call.id), 0.0) or event.time
    text = f"{int(began)} {int(event.time)}"
    yield Entry(kind="committing", key=_KEY, turn=turn, agent=event.agent, call=call.id, text=text)


def were_committed(times: Iterable[float], rows: Iterable[Entry]) -> bool:
    """Whether a line of the session ran at each of these times."""
    spans = [tuple(map(int, row.text.split())) for row in rows]
    return all(any(start <= int(time) <= end for start, end in spans) for time in times)
