"""What past sessions of a project knew about a question: found by its files, folders, words and keywords."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from leeboard.errors import StateError
from leeboard.io.clock import iso
from leeboard.store.database import ENTRY, STEP, Database
from leeboard.store.history import PER_QUERY, TOP, about
from leeboard.store.retrieval import STEP_AT, StepSearch
from leeboard.store.word_index import PassageKind, PastPassage, find_passages

_DECISIVE = "SELECT 1 FROM step_order WHERE seq = ? AND decisive"
_DECISION_AT = ENTRY.select(", session_id FROM registry WHERE seq = ?")
_TASK = (
    "SELECT coalesce(original_goal, ''), state.status, coalesce(updated_at, ''), coalesce(reasoning_trace, '') "
    "FROM session_states AS state LEFT JOIN captures USING (session_id) WHERE state.session_id = ?"
)


class RecallQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks about, as stores look it up."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """With a slash at the end, as steps have them."""
    words: tuple[str, ...] = ()
    """Stems, to be found in texts."""
    keywords: tuple[str, ...] = ()
    """Whole words of goals."""


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was recorded, with the goal it was done for."""

    kind: PassageKind
    id: str = ""
    """Of a step."""
    session: str
    time: str
    goal: str
    what: str
    """The action with its files or command, the decision, or how the task went."""
    why: str = ""
    """What the agent said before the step."""
    said: str = ""
    """The correction that followed it."""
    files: tuple[str, ...] = ()
    score: int = 0
    """0 for what was not scored."""
    is_key_decision: bool = False
    member: str = ""
    """Whose it is, of what a team shares; empty for what was recorded here."""


class Recollection(NamedTuple):
    found: tuple[Recalled, ...]
    note: str
    """What could not be looked for; empty where nothing was left out."""


def recall(database: Database, project: str, question: RecallQuestion) -> Recollection:
    asking = StepSearch(database, "", project)
    files, folders, keywords = (
        [PastPassage("step", place) for place in asking.by_term(table, terms)]
        for table, terms in (
            ("step_files", question.files),
            ("step_folders", question.folders),
            ("step_keywords", question.keywords),
        )
    )
    note, by_words = "", list[PastPassage]()
    try:
        by_words = [_plain(one) for one in find_passages(database, project, question.words, TOP)]
    except StateError as error:
        note = str(error)
    answers = (files, folders, by_words, keywords[:PER_QUERY])
    decisive = {one for answer in answers for one in answer if _is_decisive(database, one)}
    found = (_read(database, one) for one in about(answers, decisive))
    return Recollection(tuple(one for one in found if one is not None), note)


def _plain(passage: PastPassage) -> PastPassage:
    """A step is the same however it was found; of a task the session is all there is."""
    return passage if passage.kind == "task" else passage._replace(session="")


def _is_decisive(database: Database, passage: PastPassage) -> bool:
    if passage.kind != "step":
        return passage.kind == "decision"
    return database.one(_DECISIVE, (passage.place,)) is not None


def _read(database: Database, passage: PastPassage) -> Recalled | None:
    """None for what is gone since it was found."""
    match passage.kind:
        case "step":
            return _step(database, passage.place)
        case "decision":
            return _decision(database, passage.place)
        case "task":
            return _task(database, passage.session)


def _step(database: Database, place: int) -> Recalled | None:
    row = database.one(STEP_AT, (place,))
    if row is None:
        return None
    step = STEP.read(row)
    task = _task(database, step.session_id)
    return Recalled(
        kind="step",
        id=step.id,
        session=step.session_id,
        time=iso(step.timestamp / 1000),
        goal=task.goal if task else "",
        what=f"{step.action_type} {step.command or ', '.join(step.files)}".rstrip(),
        why=step.reasoning or "",
        said=step.correction_given or "",
        files=step.files,
        score=step.drift_score,
        is_key_decision=step.is_key_decision,
    )


def _decision(database: Database, place: int) -> Recalled | None:
    row = database.one(_DECISION_AT, (place,))
    if row is None:
        return None
    entry = ENTRY.read(row)
    task = _task(database, str(row[-1]))
    if task is None:
        return None
    what = entry.text or entry.key
    return msgspec.structs.replace(task, kind="decision", what=what, is_key_decision=True)


_STATUS = {"active": "still open, with no summary yet"}


def _task(database: Database, session: str) -> Recalled | None:
    row = database.one(_TASK, (session,))
    if row is None:
        return None
    goal, status, updated, trace = map(str, row)
    return Recalled(kind="task", session=session, time=updated, goal=goal, what=trace or _STATUS.get(status, status))
