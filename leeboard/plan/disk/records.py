"""What a workflow keeps on record: rulings of people, turns of the user, reports of reviewers, outputs of units.

A ruling (`stages/{stage}/rulings.jsonl`) is on the disk before anything follows from it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from hashlib import sha256
from posixpath import lexists
from typing import Literal

import msgspec

from leeboard.model.unit import ReviewReport, Ruling, Unit
from leeboard.model.workspace import PRODUCED
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hide_transient
from leeboard.plan.disk.seal import SignedLines, append_signed, read_signed, with_line
from leeboard.plan.effect import RecordReport, RecordRuling


def with_ruling(text: str, slug: str, effect: RecordRuling, now: str) -> str:
    """The file with one more, for a surface that made sure it is a person."""
    ruling = Ruling(
        decision=effect.decision,
        feedback=effect.feedback,
        by=effect.by,
        decided_at=now,
        visit=effect.visit,
        context=effect.context,
        shown=effect.shown,
        takes_back=effect.takes_back,
    )
    return with_line(rulings_file(slug, effect.stage), text, msgspec.to_builtins(ruling))


def read_rulings(lines: SignedLines) -> tuple[tuple[Ruling, ...], int]:
    """Oldest first, and how many lines somebody else wrote."""
    found, bad = [], lines.bad
    for line in lines.good:
        try:
            found.append(msgspec.convert(line, Ruling))
        except msgspec.ValidationError:
            bad += 1
    return tuple(found), bad


def rulings_file(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/rulings.jsonl"


# Evidence that a person spoke: `user-turns.jsonl` of an intent, written where prompts and answers come in.
#
# A prompt that is reported twice has one id and is one turn. What the engine or an agent does leaves nothing here. The
# words are kept with it, without what is secret in them: who comes later can read what was agreed on.


Source = Literal["prompt", "answer"]
LONGEST_WORDS = 4_000
"""Characters of a turn that are kept: a log that was pasted is no conversation."""


class UserTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A person said something; `id` is the prompt's or the question's own."""

    id: str
    at: str
    source: Source
    stage: str = ""
    text: str = ""


def words_kept(text: str) -> str:
    """Redacted before they are cut: half a secret would not be known as one."""
    from leeboard.secrets.redaction import redact  # noqa: PLC0415 - who only looks at a plan does without it

    words = redact(text.strip())
    return words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]} [...]"


def record_turn(root: str, slug: str, turn: UserTurn) -> None:
    """Needs no lock, costs milliseconds."""
    folder = PlanFolder(layout.home_of(root))
    if folder.read(layout.intent_file(slug)) is not None:
        if not lexists(folder.spelled(_path(slug))):
            hide_transient(folder.home)
        append_signed(folder, _path(slug), msgspec.to_builtins(turn))


def read_turns(folder: PlanFolder, slug: str) -> tuple[UserTurn, ...]:
    """The conversation as far as it was kept, each turn once, the oldest first."""
    found: dict[str, UserTurn] = {}
    for line in read_signed(folder, _path(slug)).good:
        with contextlib.suppress(msgspec.ValidationError):
            turn = msgspec.convert(line, UserTurn)
            found[turn.id] = turn
    return tuple(found.values())


def turns_since(folder: PlanFolder, slug: str, began: str, stage: str = "") -> int:
    """Distinct turns since a moment, those for another stage aside."""
    if not began:
        return 0
    turns = read_turns(folder, slug)
    return sum(turn.at[:19] >= began[:19] and turn.stage in {"", stage} for turn in turns)


def _path(slug: str) -> str:
    return f"{layout.intent_folder(slug)}/user-turns.jsonl"


# What review agents said of a stage: `stages/{stage}/reviews/visit-{n}/{agent}.md`, with a line in `reports.jsonl`.
#
# The text is for people. The line is the proof that the report was recorded, for this visit, before the phase moved.


def write_report(folder: PlanFolder, slug: str, effect: RecordReport, visit: int) -> None:
    """The text, before the line: that never speaks of one that is not there."""
    folder.write(f"{_folder(slug, effect.stage)}/visit-{visit}/{effect.agent}.md", _body(effect))


def with_report(text: str, slug: str, effect: RecordReport, visit: int, now: str) -> str:
    """The file of lines with one more. The newest line of an agent counts."""
    line = {
        "agent": effect.agent,
        "verdict": effect.verdict,
        "findings": list(effect.findings),
        "digest": sha256(_body(effect)).hexdigest(),
        "recorded_at": now,
        "visit": visit,
        "tree": effect.tree,
    }
    return with_line(reports_file(slug, effect.stage), text, line)


def read_reports(lines: SignedLines, visit: int) -> tuple[tuple[ReviewReport, ...], int]:
    """The reports of this visit, one for each agent and tree, and how many lines somebody else wrote."""
    found: dict[tuple[str, str], ReviewReport] = {}
    bad = lines.bad
    for line in lines.good:
        if line.get("visit", 0) == visit:
            try:
                report = msgspec.convert(line, ReviewReport)
            except msgspec.ValidationError:
                bad += 1
            else:
                found[report.agent, report.tree] = report
    return tuple(found.values()), bad


def reports_file(slug: str, stage: str) -> str:
    return f"{_folder(slug, stage)}/reports.jsonl"


def _body(effect: RecordReport) -> bytes:
    return effect.body.encode("utf-8", "surrogateescape")


def _folder(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/reviews"


# What each unit brought forth, as it was written: `stages/{stage}/produced/{unit}.jsonl`.
#
# A line is one write to the end of the file, so units that run side by side, and agents on one unit, lose nothing of
# each other's. Who wrote it and how the unit stood then is kept too: an agent that ends is asked by that what it owes.


MOST_BYTES = 1 << 20
"""As much of a record is read: the newest lines count."""


class UnitWrite(msgspec.Struct, frozen=True, kw_only=True):
    """A file that an agent wrote for a unit, relative to the tree the unit is worked on in."""

    path: str
    at: str = ""
    session: str = ""
    agent: str = ""
    """Empty for the main agent."""
    hat: str = ""
    bolt: int = 0
    passes: int = 0
    exchange: int = 0
    """How often the person had spoken in that session."""

    @property
    def what(self) -> tuple[str | int, ...]:
        """Everything but the time."""
        return self.path, self.session, self.agent, self.hat, self.bolt, self.passes, self.exchange


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Who has a record written, and when."""

    session: str
    agent: str = ""
    at: str = ""
    exchange: int = 0


def record_outputs(home: str, slug: str, unit: Unit, paths: Iterable[str], writer: Writer) -> int:
    """Put down what was written for a unit as it stands now; how many lines that took. The same again takes none."""
    folder = PlanFolder(home)
    place = _place(slug, unit.stage, unit.id)
    known = {line.what for line in _read(folder, place)}
    new = [
        UnitWrite(
            path=path,
            at=writer.at,
            session=writer.session,
            agent=writer.agent,
            hat=unit.hat,
            bolt=unit.bolt,
            passes=len(unit.passes),
            exchange=writer.exchange,
        )
        for path in dict.fromkeys(paths)
    ]
    added = [line for line in new if line.what not in known]
    for line in added:
        folder.append(place, msgspec.json.encode(line))
    return len(added)


def produced(home: str, slug: str, stage: str, unit: str) -> tuple[str, ...]:
    """The files a unit brought forth, in the order they came."""
    return tuple(dict.fromkeys(line.path for line in written(home, slug, stage, unit)))


def written(home: str, slug: str, stage: str, unit: str) -> tuple[UnitWrite, ...]:
    """Everything that was put down for a unit, oldest first."""
    return _read(PlanFolder(home), _place(slug, stage, unit))


def _place(slug: str, stage: str, unit: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/{PRODUCED}/{unit}.jsonl"


def _read(folder: PlanFolder, place: str) -> tuple[UnitWrite, ...]:
    lines = (_decoded(line) for line in folder.tail(place, MOST_BYTES).splitlines())
    return tuple(line for line in lines if line is not None)


def _decoded(line: bytes) -> UnitWrite | None:
    """None for a half line of a writer that was killed."""
    try:
        return msgspec.json.decode(line, type=UnitWrite)
    except (ValueError, RecursionError):
        return None
