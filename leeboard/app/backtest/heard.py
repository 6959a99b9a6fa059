"""What would have been said in one recorded session, and how it was read."""

from __future__ import annotations

import msgspec

from leeboard.app.backtest.chosen_settings import ChosenSettings
from leeboard.app.replay import Recording, play_recording
from leeboard.io.places import secret_key
from leeboard.model.event import Event
from leeboard.model.session import Session
from leeboard.model.text import digest
from leeboard.model.verdict import Action, Level, Verdict
from leeboard.secrets.given_text import each_text
from leeboard.secrets.redaction import redact_shaped
from leeboard.text.words import cut

SAID = (Action.INJECT, Action.ASK, Action.DENY)
"""What an agent or its user hears; all milder answers are silence."""
_LONGEST_GOAL = 300


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """One message to an agent, as it would have been said."""

    id: str
    """The same for the same words of the same rules at the same place of the same session."""
    session: str
    file: str
    """The name of the session's file without its ending."""
    turn: int
    tool_use_id: str
    action: str
    rules: tuple[str, ...]
    score: int
    level: Level
    paths: tuple[str, ...]
    goal: str
    """What the session was asked for by then."""
    message: str

    @property
    def refuses(self) -> bool:
        return self.action == Action.DENY.name


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """One session, played to its end."""

    session: str
    file: str
    ended: float
    """By its own events; zero where they have no time."""
    turns: int
    scored: int
    skipped_lines: int
    judged_by: str
    remarks: tuple[Remark, ...] = ()


def hear(recording: Recording, file: str, chosen: ChosenSettings, key: bytes | None = None) -> Heard:
    """All texts in it are without secrets: it is kept. `key` is the user's own unless another one is given."""
    remarks: list[Remark] = []

    def observe(_event: Event, verdict: Verdict | None, session: Session) -> None:
        if verdict is not None and verdict.action in SAID and verdict.message:
            remarks.append(_remark(verdict, file, session))

    played = play_recording(recording, chosen.settings, observe, secret_key() if key is None else key)
    heard = Heard(
        session=recording.session,
        file=file,
        ended=recording.ended,
        turns=played.session.turns,
        scored=played.session.scored,
        skipped_lines=recording.skipped_lines,
        judged_by=chosen.source,
        remarks=tuple(remarks),
    )
    return msgspec.convert(each_text(msgspec.to_builtins(heard), redact_shaped), Heard)


def _remark(verdict: Verdict, file: str, session: Session) -> Remark:
    where = verdict.tool_use_id or str(verdict.turn)
    said = ("\x1f".join(verdict.rules), digest(redact_shaped(verdict.message), 16))
    return Remark(
        id="m" + digest("\x1f".join((redact_shaped(verdict.session), where, *said)), 6),
        session=verdict.session,
        file=file,
        turn=verdict.turn,
        tool_use_id=verdict.tool_use_id,
        action=verdict.action.name,
        rules=verdict.rules,
        score=verdict.score,
        level=verdict.level,
        paths=verdict.paths,
        goal=cut(session.contract.objective, _LONGEST_GOAL),
        message=verdict.message,
    )
