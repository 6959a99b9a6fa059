"""A session as its two rows, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from leeboard.errors import StateError
from leeboard.io import clock
from leeboard.model.contract import Constraint, ConstraintKind
from leeboard.model.session import SHAPE, Session
from leeboard.store.database import json_bytes, json_text

Row = Sequence[Any]


class UnreadableSession(StateError):  # noqa: N818 - a state, not a failure: the session can be rebuilt
    """The hot row makes no sense, though no newer version wrote it."""


def hot_row(session: Session) -> Row:
    updated = session.updated or clock.now()
    data = json_bytes(session)
    return (session.id, session.version, session.shape, session.root, session.status, updated, data)


def state_row(session: Session) -> Row:
    """A row of session_states, for whoever knows that table."""
    contract = session.contract
    updated = session.updated or clock.now()
    return (
        session.id,
        session.root,
        session.goals[0].text if session.goals else None,
        json_text(contract.scope),
        json_text([constraint.text for constraint in contract.constraints]),
        json_text(contract.keywords),
        json_text(session.history),
        session.escalation,
        int(session.checked * 1000),
        session.status,
        clock.iso(session.started or updated),
        clock.iso(updated),
    )


def session_from(row: Row) -> Session:
    """From id, version, shape and data; the version beside the data is the authority."""
    session_id, version, shape, data = row
    if shape > SHAPE:
        raise StateError(f"session {session_id} was written by a newer Leeboard: update this one")
    try:
        session = msgspec.json.decode(data, type=Session)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise UnreadableSession(f"session {session_id} can not be read: {error}") from error
    return session if session.version == version else msgspec.structs.replace(session, version=version)


def rebuilt_session(session_id: str, version: int, row: Row) -> Session:
    """From the row of session_states: what was asked and promised survives, the windows do not."""
    try:
        return msgspec.convert({"id": session_id, "version": version, **_remembered(row)}, Session)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise StateError(f"session {session_id} can not be read: {error}") from error


def _remembered(row: Row) -> dict[str, object]:
    root, goal, scope, constraints, keywords, history, escalation, status = row
    asked = {"scope": _texts(scope), "keywords": _texts(keywords)}
    limits = tuple(_constraint(text) for text in _texts(constraints))
    return {
        "root": root,
        "status": status,
        "escalation": escalation,
        "goals": () if goal is None else ({"text": goal, "exchange": 0, **asked},),
        "contract": {"objective": goal or "", "constraints": limits, **asked},
        "history": msgspec.json.decode(history),
    }


def _texts(column: str) -> tuple[str, ...]:
    return msgspec.json.decode(column, type=tuple[str, ...])


def _constraint(text: str) -> Constraint:
    kind: ConstraintKind = "must"
    if text.startswith("DO NOT"):
        kind = "forbid"
    elif text.startswith("ONLY"):
        kind = "only"
    return Constraint(text=text, kind=kind)
