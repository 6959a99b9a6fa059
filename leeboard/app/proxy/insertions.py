"""Which words go into a request, and where: once, after the newest results or words; again only where they got lost.

A request that is sent again has the same anchor, and gets the same words. Words are delivered when a provider has
accepted the request they were in; what never got that far goes into the next one. A client knows nothing of them, so
that they are gone from every later request. They are lost where the conversation they stood in was shortened while the
agent has not come back on course: then they are said once more.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from leeboard.model.session import AgentState
from leeboard.model.traffic import InsertedCorrection
from leeboard.wire.seam import Insertion, RequestFacts


def settle(
    rows: Iterable[InsertedCorrection], facts: RequestFacts, agent: AgentState, now: float
) -> tuple[InsertedCorrection, ...]:
    """Those of the rows that change with this request, as they are from now on."""
    if not facts.anchor:
        return ()
    rows = tuple(rows)
    moved = [row for row in rows if _goes_on(row, facts)]
    if (lost := _lost(rows, facts, agent)) is not None:
        moved.append(lost)
    return tuple(replace(row, anchor=facts.anchor, state="placed", updated=now) for row in moved)


def _goes_on(row: InsertedCorrection, facts: RequestFacts) -> bool:
    """It has no place yet, or no provider has accepted the request it was placed in."""
    return row.state == "waiting" or (row.state == "placed" and row.anchor != facts.anchor)


def _lost(rows: tuple[InsertedCorrection, ...], facts: RequestFacts, agent: AgentState) -> InsertedCorrection | None:
    """The newest that was delivered, where its place is gone and it is still open."""
    if not agent.corrected or facts.server_keeps_history or not facts.anchors:
        return None
    delivered = [row for row in rows if row.state == "delivered"]
    newest = delivered[-1] if delivered else None
    return newest if newest is not None and newest.anchor not in facts.anchors else None


def inserted(rows: Iterable[InsertedCorrection], facts: RequestFacts) -> tuple[Insertion, ...]:
    """What goes into this request, said as one: also on its way a second time."""
    here = [row.text for row in rows if facts.anchor and row.anchor == facts.anchor and row.state != "dropped"]
    return (Insertion(facts.anchor, "\n\n".join(here)),) if here else ()


def delivered(
    rows: Iterable[InsertedCorrection], placed: Iterable[Insertion], now: float
) -> tuple[InsertedCorrection, ...]:
    """Those of the rows that have got through with what was placed."""
    texts = {one.anchor: one.text for one in placed}
    return tuple(
        replace(row, state="delivered", updated=now)
        for row in rows
        if row.state == "placed" and row.text in texts.get(row.anchor, "")
    )
