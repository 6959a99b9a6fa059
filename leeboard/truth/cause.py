"""Who changed a file since an agent knew it, as far as that can be told. Nobody's intent is ever claimed."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.model.event import Event, PromptGiven, ToolFinished, ToolProposed
from leeboard.model.known import OVERWRITTEN, UNRETURNED, Cause, ChangedFile, Knowledge, Known, Stamp
from leeboard.model.truth import ABSENT
from leeboard.model.world import World

ALONE_SECONDS = 5.0
"""A command that takes longer gives a person the time to change something themselves."""
FORMAT_SECONDS = 10.0
"""A formatter that runs after each edit is done by then."""
_OTHERS = "a person or another program"
_SOON = "a formatter, a linter or a person"
_OPEN_CALL = "your own call that has not come back"
UNKNOWN = f"unknown: {_OTHERS}"
NOT_BACK = f"unknown: {_OPEN_CALL}, or {_OTHERS}"


class Author(msgspec.Struct, frozen=True, kw_only=True):
    kind: Cause
    words: str
    may_be_open_call: bool = False
    """A call of the agent that has not come back may have done it. Later nobody will know of that call any more."""


def author_of(changed: ChangedFile, world: World, knowledge: Knowledge) -> Author:
    """The first that can be shown; git is asked last, for it takes a process."""
    found = _another(changed, knowledge) or own_call(changed, world) or _told_before(changed) or _formatter(changed)
    if found is not None:
        return found
    known, disk = changed.known, knowledge.disk
    commits: Mapping[str, str] = disk.committed((known.path,), known.time) if disk and changed.stamp else {}
    unseen = _unseen(changed)
    if disk is None or known.path not in commits:
        return unseen
    return by_git(commits[known.path], unseen, moved=disk.head_moved(known.time))


def by_git(commit: str, unseen: Author, *, moved: bool) -> Author:
    """That a file is as committed shows nobody's hand: whoever takes back what they did leaves it so too."""
    if moved:
        return Author(kind="git", words=f"git: it now equals commit {commit}, and HEAD has moved since")
    return replace(unseen, words=f"{unseen.words}; it now equals commit {commit}")


def _another(changed: ChangedFile, knowledge: Knowledge) -> Author | None:
    known = changed.known
    if known.beside == OVERWRITTEN:
        return None
    others = left_so_by(known, changed.now.digest, knowledge)
    if not others:
        return None
    last = max(others, key=lambda one: one.time)
    if last.session == known.session:
        return Author(kind="agent", words="another agent of this session")
    return Author(kind="session", words=f"another session of this project ({last.session[:8]})")


def left_so_by(known: Known, digest: str, knowledge: Knowledge) -> list[Known]:
    """Agents that left the file with this digest since the other one knew it."""
    me = (known.session, known.agent)
    found = knowledge.writers(known.path, digest)
    return [one for one in found if one.time >= known.time and (one.session, one.agent) != me]


def own_call(changed: ChangedFile, world: World) -> Author | None:
    """A call of the same message that is still running, and names the file or is too short for anybody else.

    Once the user speaks nobody will tell any more whether it ran: they may have refused it, and done it themselves.
    """
    event, known = world.analysis.event, changed.known
    agent, speaks = world.session.agent(known.agent), isinstance(event, PromptGiven)
    calls = [one for one in agent.open_calls if speaks or one.exchange == world.session.exchange]
    for call in calls:
        if call.id == _call_id(event) or call.turn != agent.turn or not is_during(changed.stamp, call.began):
            continue
        changed_at = changed.stamp[2] / 1e9 if changed.stamp else event.time
        alone = call.unsure and bool(call.began) and changed_at - call.began <= ALONE_SECONDS
        if known.path in call.modifies or alone:
            own = Author(kind="own", words="a call of yours that is still running")
            return _after_open_call(changed) if speaks else own
    return None


def is_during(stamp: Stamp, began: float) -> bool:
    """What changed before a call was proposed is not its doing. Unknown times prove nothing.

    The times of files lag behind the clock: what seems to lie just before the call may be its doing all the same, and
    is then nobody's. To put down to the call what a person saved just before it would be worse.
    """
    return not began or not stamp or stamp[2] / 1e9 >= began


def _formatter(changed: ChangedFile) -> Author | None:
    """Right after the agent's own edit, and the same but for what formatters change."""
    known = changed.known
    if _is_soon(changed) and known.plain and known.plain == changed.now.plain:
        return Author(kind="formatter", words="a formatter, right after your own edit")
    return None


def _is_soon(changed: ChangedFile) -> bool:
    """What clients and editors run after each edit is done by then. What is gone, or was, nobody puts in order."""
    known, stamp = changed.known, changed.stamp
    there = known.digest != ABSENT and bool(stamp)
    return known.wrote and there and stamp[2] / 1e9 <= known.time + FORMAT_SECONDS


def remembered(changed: ChangedFile, author: Author) -> Known:
    """What is told twice is told with the same words, also when the call is no longer known of."""
    known = changed.known
    if not author.may_be_open_call or known.beside == OVERWRITTEN:
        return known
    return replace(known, beside=f"{UNRETURNED}{changed.now.digest}")


def _told_before(changed: ChangedFile) -> Author | None:
    same = changed.known.beside == f"{UNRETURNED}{changed.now.digest}"
    return _after_open_call(changed) if same else None


def _unseen(changed: ChangedFile) -> Author:
    """Nobody was seen to do it."""
    beside = changed.known.beside
    own = "" if beside == OVERWRITTEN or beside.startswith(UNRETURNED) else beside
    if _is_soon(changed):
        return _linter(f"your own `{own}` that ran at that time, " if own else "")
    if own:
        return Author(kind="unknown", words=f"unknown: your own `{own}` ran at that time, or {_OTHERS}")
    return Author(kind="unknown", words=_unknown(changed))


def _after_open_call(changed: ChangedFile) -> Author:
    found = _linter(f"{_OPEN_CALL}, ") if _is_soon(changed) else Author(kind="unknown", words=NOT_BACK)
    return replace(found, may_be_open_call=True)


def _linter(own: str) -> Author:
    return Author(kind="linter", words=f"seconds after your own edit: {own}{_SOON}")


def _unknown(changed: ChangedFile) -> str:
    known = changed.known
    if known.beside == OVERWRITTEN:
        return f"{UNKNOWN}; another agent of this session wrote it since"
    if known.plain and known.plain == changed.now.plain:
        return f"{UNKNOWN}; only white space, quotes or trailing commas differ"
    return UNKNOWN


def _call_id(event: Event) -> str:
    return event.call.id if isinstance(event, ToolProposed | ToolFinished) else ""
