"""Whose word something is: lines and files by which an agent would speak as its client, and what a user really named.

The client's process alone tells what happened: through its hooks, and in the transcript it keeps. Who runs the hook's
program, asks the resident process by its socket, or writes into a transcript makes up words of the user.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from leeboard.model.session import Goal
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.own_command import loosening, speaks_as_client

HOOK = "leeboard hook"
SOCKET = "leeboard's socket"
TYPED = "leeboard typed into a terminal"

_RECORD = lazy(
    r"(?:[~/].*/)?(?:\.claude/projects/|\.codex/sessions/)[^\n]*\.jsonl"
    r"|[~/].*/(?:projects/-[^\n]*|rollout-[^/\n]*)\.jsonl"
)
"""Transcripts of Claude Code, wherever its folder lies, and rollouts of Codex; copies in a project are fixtures. Whole
paths, relative to the work tree or outside of it."""
_HOLDS_RECORDS = lazy(r"(?:[~/].*/)?\.(?:claude/projects(?:/-[^/]*)?|codex/sessions(?:/\d+){0,3})/?|[~/].*/\.codex/?")
_PROJECT = lazy(r"/?\.claude/projects/(-[\w.-]+)(?:/|$)")
_SOCKET = lazy(r"leeboard(?:-\d+)?/[^\s'\"]{0,60}\.sock\b|\bleeboard-1 \d")
"""Where the resident listens, and how a request to it begins."""
_CONNECTS = frozenset({"nc", "ncat", "netcat", "socat", "curl", "websocat"})
_TYPES = {
    "tmux": frozenset({"send-keys", "send", "paste-buffer", "set-buffer", "setb"}),
    "screen": frozenset({"stuff"}),
    "xdotool": frozenset({"type", "key"}),
    "ydotool": frozenset({"type"}),
    "wtype": frozenset(),
}
"""Programs that type into a terminal somebody else sits at, and the words by which they do."""
_DISTINCT = frozenset({"leeboard.toml", "settings.local.json"})
"""Names that mean the guard's own file without the folder it lies in."""
_CLAUSE = lazy(r"[\n;!?,]|\.\s")
_NOT_THIS = lazy(
    r"\b(?:except|excluding|besides|other than|apart from|without|ignor\w+|skip\w*|avoid\w*|leave|keep|never|not|nor"
    r"|cannot)\b|\b\w+n['\u2019]t\b",
    re.IGNORECASE,
)
"""What comes before a name that is to be left alone."""
_STAYS = lazy(
    r"\b(?:stays?|remains?|untouched|unchanged|alone|as (?:it )?is|off[- ]limits"
    r"|(?:must|should|may|shall|can|is) ?not)\b",
    re.IGNORECASE,
)
"""And what comes after it."""


def speaks_for_others(line: ShellEffects) -> str:
    """By which means the line speaks as the client or as the user; empty: it does not."""
    if speaks_as_client(line):
        return HOOK
    if any(map(_asks_resident, line.started)):
        return SOCKET
    return TYPED if any(map(_types_for_user, line.started)) else ""


def _asks_resident(started: Started) -> bool:
    runs = started.role == "runner" or posixpath.basename(started.words[0]) in _CONNECTS
    return runs and _SOCKET.search(" ".join((*started.words[1:], started.handed))) is not None


def _types_for_user(started: Started) -> bool:
    """A command of ours that loosens, as text for another terminal."""
    kinds = _TYPES.get(posixpath.basename(started.words[0]))
    if kinds is None or (kinds and not kinds & set(started.words)):
        return False
    from leeboard.shell.understand import understand  # noqa: PLC0415 - for such lines only

    texts = (*started.words[1:], " ".join(started.words[1:]))
    return any("leeboard" in text and loosening(understand(text.removesuffix("Enter"))) for text in texts)


def is_record(path: str) -> bool:
    """Whether it is what a client keeps of a session."""
    return _RECORD.fullmatch(path) is not None


def holds_records(path: str) -> bool:
    """Whether such files lie in it."""
    return _HOLDS_RECORDS.fullmatch(path) is not None


def of_another_project(path: str, root: str) -> bool:
    """Whether it lies in the folder of records of one other project, named in full: tidying that up changes nothing of
    what was said here. The client names such a folder after the path of the project, a dash for every sign.
    """
    found = _PROJECT.search(path)
    own = "".join(char if char.isascii() and char.isalnum() else "-" for char in root)
    return found is not None and bool(own) and not found[1].endswith(own)


def named_by_user(path: str, goals: Iterable[Goal]) -> bool:
    """Whether a message of the user names this very file as one to work on. A folder, a glob or a word that merely
    comes near names no file.
    """
    return any(_names(goal, path) for goal in goals)


def _names(goal: Goal, path: str) -> bool:
    name = posixpath.basename(path)
    outside = path.startswith(("/", "~"))
    spelled = {path, *((name,) if name in _DISTINCT and not outside else ())}
    if outside and (below_home := re.search(r"/(\.(?:claude|config|local)/.+)$", path)):
        spelled.add(f"~/{below_home[1]}")
    around = [parts for clause in _CLAUSE.split(goal.text) for each in spelled if (parts := _around(clause, each))]
    if any(_NOT_THIS.search(before) or _STAYS.search(after) for before, after in around):
        return False
    return bool(spelled & (set(goal.scope) - set(goal.let_stand))) or (outside and bool(around))


def _around(clause: str, name: str) -> tuple[str, str] | None:
    """What stands before and after a name; None where it is not there."""
    found = re.search(rf"(?<![\w./~-]){re.escape(name)}(?![\w/-])", clause)
    return (clause[: found.start()], clause[found.end() :]) if found else None
