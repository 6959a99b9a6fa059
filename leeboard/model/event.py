"""What happened: immutable, past tense, the same whichever window it was seen through."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.text import digest
from leeboard.model.touch import AcceptanceRun, TreeChange
from leeboard.model.unsaved import LostWork

ActionType = Literal["edit", "write", "bash", "read", "other"]
Source = Literal["hook", "wire", "transcript"]
Outcome = Literal["done", "failed", "denied"]


class TextEdit(msgspec.Struct, frozen=True):
    """One replacement inside a file; `old` is empty where a whole file is written."""

    old: str
    new: str
    at: str = ""
    """Where it goes, for an insertion: the same words at another place are another edit."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """A tool use as the agent sent it, in one shape for every client."""

    id: str
    tool: str
    """The client's own name of the tool."""
    action: ActionType
    paths: tuple[str, ...] = ()
    """Paths as sent: not yet spelled relative to the workspace."""
    links: tuple[str, ...] = ()
    """What was sent where a link leads to one of `paths`."""
    command: str = ""
    edits: tuple[TextEdit, ...] = ()
    query: str = ""
    """What a search looked for, a page that was fetched, a sub-agent's task."""
    flags: str = ""
    """How a search was made, so far as it changes the answer: `-i type=py`."""
    span: tuple[int, int] = (0, 0)
    """First and last line of a read; last zero: to the end; both zero: the whole file."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What every event carries. `key` is kind + native id, empty where the source shows no id."""

    session: str
    key: str = ""
    agent: str = ""
    """Empty for the main agent."""
    cwd: str = ""
    time: float = 0.0
    source: Source = "hook"
    message: str = ""
    """Id of the assistant message this belongs to, where the source shows one."""

    @property
    def is_live(self) -> bool:
        """It was told while it happened: what lies on the disk is what it met there."""
        return self.source != "transcript"


class SessionStarted(Event, frozen=True, kw_only=True):
    reason: str = "startup"


class PromptGiven(Event, frozen=True, kw_only=True):
    """Words of the human. Reminders, tool results and client-internal prompts never get here."""

    text: str
    command: str = ""
    """The slash command, when the human used one; `text` then holds its arguments."""

    @property
    def digest(self) -> str:
        """The same for a prompt in two sources that space it differently."""
        return digest(" ".join((self.command, *self.text.split())), 6)


class MessageSaid(Event, frozen=True, kw_only=True):
    text: str


class ThoughtShown(Event, frozen=True, kw_only=True):
    text: str


def words_key(agent: str, text: str) -> str:
    """Names words of an agent by themselves: who carries its traffic knows no other name that a transcript has too."""
    return "said:" + digest(" ".join((agent, *text.split())), 8)


class TodosUpdated(Event, frozen=True, kw_only=True):
    items: tuple[str, ...]


class ToolProposed(Event, frozen=True, kw_only=True):
    call: ToolCall


class ToolFinished(Event, frozen=True, kw_only=True):
    """`call` has at least its id; the rest too wherever the source shows or remembers it."""

    call: ToolCall
    outcome: Outcome
    output: str = ""
    before: str | None = None
    """What the client found in the file when it wrote it; None where it does not say so."""
    after: str | None = None
    """How it left the file."""


class FilesChanged(Event, frozen=True, kw_only=True):
    """The work tree differs from the last known one in these paths, relative to its root."""

    paths: tuple[str, ...]
    call: str = ""
    """The tool call after which it was seen, when only one was open."""
    by_git: bool = False
    """Git put them there, from a commit or a stash: nobody wrote them then."""
    changed_before: tuple[str, ...] = ()
    """Those that were in no commit before it, either."""
    line: str = ""
    """What ran meanwhile, redacted and in quotes for a sentence; empty where nobody can tell."""
    comments: tuple[str, ...] = ()
    """Comments that let a finding stand and came meanwhile, each as its path and line."""
    guard: bool = False
    """It is what the guard stands on: wherever it lies, compared by digest."""
    lost: tuple[LostWork, ...] = ()
    """What a person had there and in no commit, and what is gone."""


class TreeChecked(Event, frozen=True, kw_only=True):
    """The work tree was compared with the commit the work began at."""

    change: TreeChange
    acceptance: tuple[AcceptanceRun, ...] = ()
    """Runs over exactly this tree."""
    untrusted: tuple[str, ...] = ()
    """Acceptance commands that somebody wanted to be run, and nobody trusted here."""
    shared: tuple[str, ...] = ()
    """Paths that another task in progress may touch: nobody can tell whose they are."""
    directed: tuple[str, ...] = ()
    """Globs of what a person asked for or let in by word, outside the contract."""
    strayed: tuple[str, ...] = ()
    """What a session changed although hardly anything it was asked led there, where its words are the contract."""


class TurnEnded(Event, frozen=True, kw_only=True):
    calls: tuple[str, ...] = ()


class Stopped(Event, frozen=True, kw_only=True):
    already_blocked: bool = False
    """The client says that a stop hook has already kept the agent going."""
    text: str = ""


class AgentStarted(Event, frozen=True, kw_only=True):
    agent_type: str = ""


class AgentEnded(Event, frozen=True, kw_only=True):
    agent_type: str = ""


class ContextCompacted(Event, frozen=True, kw_only=True):
    summary: str = ""


class SessionEnded(Event, frozen=True, kw_only=True):
    reason: str = ""


CALLS = (ToolProposed, ToolFinished)
"""What tells of a tool call."""
WORDS = (MessageSaid, ThoughtShown)
"""What an agent put into words."""
