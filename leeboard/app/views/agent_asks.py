"""What an agent may ask before it errs: what it is to do, what it was told, what would be said of a change.

Nothing here changes anything: a change that is only asked about is judged in a copy of the session, which is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from posixpath import join

import msgspec

from leeboard.app.archive import known_archive
from leeboard.app.handle import handle
from leeboard.app.settings import resolve
from leeboard.app.views.diff import FileDiff, parse_diff
from leeboard.app.views.said import SaidView, said_views
from leeboard.app.views.session import GoalView, goal_view
from leeboard.clients import signs_of_all
from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.model.event import TextEdit, ToolCall, ToolProposed
from leeboard.model.outcome import Outcome
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.source.index.extract import name_words
from leeboard.source.index.symbols import open_symbols
from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import SqliteStore
from leeboard.text.words import body_of

MOST_SAID = 20
MOST_FOUND = 40
MOST_FILES = 50
"""Files of a diff that are judged."""
_ASKS = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))


class ForeseenFile(msgspec.Struct, frozen=True, kw_only=True):
    """What would be said of one file of a change."""

    path: str
    answer: str
    """`allow`, `tell` (it could be made, and something would be said), `ask` or `refuse`."""
    words: str = ""
    rules: tuple[str, ...] = ()


class Existing(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the repository has already."""

    name: str
    kind: str
    path: str
    line: int


def goal_of(root: str, env: Mapping[str, str]) -> GoalView:
    """Of the session that asks, as far as its client tells, else of the newest one here. ConfigError: there is none."""
    with known_archive() as store:
        return goal_view(_session(store, root, env))


def said_to(root: str, env: Mapping[str, str]) -> tuple[SaidView, ...]:
    """The newest last."""
    with known_archive() as store:
        return said_views(store.verdicts(_session(store, root, env).id))[-MOST_SAID:]


def _session(store: SqliteStore, root: str, env: Mapping[str, str]) -> Session:
    named = (env.get(name, "") for name in signs_of_all("session-variable"))
    told = (store.session(name) for name in named if name)
    found = next((session for session in told if session is not None), None) or next(
        iter(store.sessions(root, 1)), None
    )
    if found is None:
        raise ConfigError(f"no session was ever heard in {root}; `leeboard init` puts the hooks in that tell of them")
    return found


def judged_diff(root: str, diff: str, env: Mapping[str, str]) -> tuple[ForeseenFile, ...]:
    """What would be said of a unified diff, file by file. ConfigError where it is none."""
    files = parse_diff(_with_heads(diff))[:MOST_FILES]
    if not any(file.path and file.lines for file in files):
        raise ConfigError("that is no unified diff: it needs `--- a/path`, `+++ b/path` and hunks that begin with `@@`")
    with known_archive() as store:
        session = _session(store, root, env)
        setting = resolve(root, session.id, store, env).setting
    memory = MemoryStore()
    with memory.transaction(session.id) as transaction:
        transaction.commit(Outcome(session=msgspec.structs.replace(session, version=0), verdict=_nothing(session.id)))
    judged = []
    for number, file in enumerate(files):
        place = (join(root, file.path),)
        call = ToolCall(id=f"asked-{number}", tool="Edit", action="edit", paths=place, edits=_edits(file))
        event = ToolProposed(session=session.id, key=f"call:{call.id}", cwd=root, time=clock.now(), call=call)
        verdict = handle((event,), _ASKS, memory, setting)
        judged.append(_judged(file.path, verdict, memory))
    return tuple(judged)


def _judged(path: str, verdict: Verdict | None, memory: MemoryStore) -> ForeseenFile:
    if verdict is None:
        return ForeseenFile(path=path, answer="allow")
    rules = tuple(dict.fromkeys(finding.rule for finding in memory.findings(verdict.id)))
    waiting = [offer.correction.text for offer in memory.corrections(verdict.session) if path in offer.correction.paths]
    words = body_of(verdict.message or next(iter(waiting), ""))
    answers = {Action.DENY: "refuse", Action.ASK: "ask"}
    answer = answers.get(verdict.action, "tell" if verdict.action is Action.QUEUE or words else "allow")
    return ForeseenFile(path=path, answer=answer, words=words, rules=rules)


def _nothing(session: str) -> Verdict:
    return Verdict(id="asked", session=session, agent="", turn=0, action=Action.ALLOW, event="")


def _with_heads(diff: str) -> Iterable[str]:
    lines = diff.splitlines()
    headed = any(line.startswith("diff ") for line in lines)
    for at, line in enumerate(lines):
        if not headed and line.startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ "):
            yield "diff --git"
        yield line


def _edits(file: FileDiff) -> tuple[TextEdit, ...]:
    """Each run of changed lines."""
    edits = []
    for changed, run in groupby(file.lines, lambda line: line.kind in {"added", "removed"}):
        lines = list(run)
        if changed:
            old, new = (tuple(line.text for line in lines if line.kind == kind) for kind in ("removed", "added"))
            edits.append(TextEdit("\n".join(old), "\n".join(new)))
    return tuple(edits)


def existing(root: str, words: str) -> tuple[tuple[Existing, ...], bool]:
    """What the repository has that is called so, and whether its index is complete. ConfigError: there is no index."""
    symbols = open_symbols(root)
    if symbols is None:
        raise ConfigError(f"{root} has no index yet; `leeboard index` makes it, and every session keeps it up")
    wanted = frozenset(word for part in words.split() for word in name_words(part.strip(".,:;()'\"`")))
    found = symbols.named(wanted)
    best = sorted(found, key=lambda one: (-len(wanted & name_words(one.name)), one.path, one.line))[:MOST_FOUND]
    listed = tuple(Existing(name=one.name, kind=one.kind, path=one.path, line=one.line) for one in best)
    return listed, symbols.complete
