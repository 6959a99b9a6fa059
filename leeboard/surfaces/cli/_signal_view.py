"""One judged signal: for a person's eyes and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.outcome import Judged
from leeboard.rule import code_of, with_code
from leeboard.surfaces.cli._screen import fields, words

if TYPE_CHECKING:
    from rich.console import Console

STATE_STYLES = {
    "fired": "bold red",
    "delivered": "yellow",
    "waiting": "yellow",
    "logged": "dim",
    "self-corrected": "green",
    "dropped": "dim",
}


def signal_object(judged: Judged, session: str) -> dict[str, object]:
    return {
        "kind": "signal",
        "id": judged.id,
        "session": session,
        "agent": judged.agent,
        "turn": judged.turn,
        "rule": judged.rule,
        "code": code_of(judged.rule),
        "subclass": judged.subclass,
        "urgency": judged.urgency,
        "disposition": judged.disposition,
        "state": judged.state,
        "path": judged.path,
        "line": judged.line,
        "confidence": judged.confidence,
        "message": judged.message,
        "reason": judged.reason,
        "note": judged.note,
        "trace": list(judged.trace),
    }


def place(judged: Judged) -> str:
    return f"{judged.path}:{judged.line}" if judged.path and judged.line else judged.path or judged.subject


def show_signal(judged: Judged, session: str, console: Console) -> None:
    spoken = f", said in turn {judged.spoken_turn}" if judged.spoken_turn >= 0 else ""
    fields(
        [
            (
                "signal",
                words(
                    f"{judged.id}, {with_code(judged.rule)} ({judged.subclass}), ",
                    (judged.state, STATE_STYLES[judged.state]),
                ),
            ),
            ("about", f"{place(judged)}, turn {judged.turn}{spoken}, session {session}"),
            ("urgency", f"{judged.urgency}, {judged.disposition}, confidence {judged.confidence:g}"),
        ],
        console,
    )
    console.print()
    for line in judged.trace:
        console.print(words(f"  {line}"))
    console.print()
    label = "said" if judged.state in {"fired", "delivered"} else "not said"
    console.print(words((f"  {label}: ", "dim"), judged.message))
