"""What any client told at one moment, and what a client has to offer: nothing here knows how one of them spells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from leeboard.model.event import Event, Outcome
from leeboard.model.verdict import Action, Moment, MomentKind, Verdict

if TYPE_CHECKING:
    from leeboard.clients.transcript_lines import Proof, SessionReader, TranscriptEvents


class AgentTask(msgspec.Struct, frozen=True):
    """What a sub-agent is started with, where the words may be changed."""

    prompt: str
    agent_type: str


class HookCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of our hook: what it tells, and what can be answered to it."""

    client: str
    """The folder of the client in `leeboard.clients`."""
    name: str
    """The client's own name of the moment, for people who read receipts; empty where it gave none."""
    events: tuple[Event, ...]
    moment: Moment
    session: str
    agent: str = ""
    """Empty for the main agent."""
    agent_type: str = ""
    cwd: str = ""
    transcript: str = ""
    """Path of the main transcript, also inside a sub-agent; empty where the client keeps none."""
    prompt: str = ""
    """What the user typed, as they typed it."""
    last_message: str = ""
    """What the agent said last, where it stops."""
    kept_going: bool = False
    """It was held back from stopping before."""
    in_background: bool = False
    """The line runs on after its call has come back."""
    silent_refusal: bool = False
    """The client tells nothing more of a call that was refused: it has ended with the answer."""
    changed_settings: str = ""
    """The file whose change the client asks about."""
    task: AgentTask | None = None
    fields: Mapping[str, object] = msgspec.field(default_factory=dict)
    """All that the client told, as it told it: for the client's own answer, and for nobody else."""

    @property
    def kind(self) -> MomentKind:
        return self.moment.kind


def keeping_on(call: HookCall) -> HookCall:
    """The same call at a moment in which the agent can be kept going, whichever agent and however often before."""
    return msgspec.structs.replace(call, moment=Moment(kind="stop", actions=(Action.ALLOW, Action.INJECT)))


class HookFault(msgspec.Struct, frozen=True, kw_only=True):
    """A failure of our hook that the client wrote down by itself."""

    event: str
    """The client's own name of the moment."""
    time: float
    text: str
    """What went wrong, in a few words of ours: what the hook printed may hold anything."""
    call: str = ""
    port: int = 0
    """Of the hook that was posted: ours, where our own record names that port. Zero: it was our command."""


class SettingsState(msgspec.Struct, frozen=True, kw_only=True):
    """What of a client's settings file decides whether and how an agent is guarded."""

    hooks: tuple[tuple[str, str], ...] = ()
    """Each event at which our hook stands, with its command line."""
    asked_first: tuple[str, ...] = ()
    """Those lines of them that are run before a call, when it can still be refused."""
    posted: tuple[tuple[str, str], ...] = ()
    """Each event that is posted to a listener named as ours is, with its address: whose that is, a record says."""
    env: Mapping[str, object] = msgspec.field(default_factory=dict)
    """The variables that the file sets."""
    switched_off: bool = False
    """The file keeps the client from running any hook."""
    plugin: bool = False
    """The file lets a plugin of ours run, which brings hooks of its own."""


class PostedTo(msgspec.Struct, frozen=True, kw_only=True):
    """Where a client posts what happened, in place of running the command."""

    url: str
    headers: Mapping[str, str]


class TrustQuestion(msgspec.Struct, frozen=True):
    """How a client is asked whether its user lets it run our hooks."""

    arguments: tuple[str, ...]
    """Behind its program."""
    told: bytes
    """On its stdin, which stays open until it has answered."""
    answered: bytes
    """What stands in the line that answers it."""


class ClientSettings(Protocol):
    """What a client says of its settings files: texts in, texts out. Where they lie, its `client.txt` says.

    All but `version_trouble` raise ConfigError for a text that is no settings file of the client.
    """

    HOOK_EVENTS: tuple[str, ...]
    """The client's names of the moments at which our hook is put."""

    def install(self, text: str, command: str, posted_to: PostedTo | None = None) -> str:
        """The settings with our hook at each of HOOK_EVENTS, once. Where an address is given, what the client is known
        to post (`posted-event`) is posted there. An empty text stands for no file.
        """

    def remove(self, text: str) -> str:
        """The settings without our hooks, the rest byte for byte; empty where the whole file was ours."""

    def read_state(self, text: str) -> SettingsState:
        """What of a settings file counts for the guard."""

    def first_payload(self, session: str, folder: str) -> bytes:
        """What the client tells a hook when a session begins, to try a hook line with."""

    def status_line_of(self, text: str) -> tuple[str, bool]:
        """The command of the client's status line, and whether it is ours; empty where it has none."""

    def with_status_line(self, text: str, command: str) -> str:
        """Settings that hold our hooks, with our status line; ValueError where another one stands there."""

    def version_trouble(self, version: tuple[int, ...]) -> str:
        """What the client can not do yet in this version; empty where it does all that is needed."""

    def trust_question(self, folder: str) -> TrustQuestion | None:
        """How the client tells whether it runs our hooks in a folder; None where it runs every one."""

    def read_trust(self, answer: bytes) -> str | None:
        """What its user has to do first, by its answer; empty: nothing; None where it tells nothing of our hooks."""


class ProbeReply(NamedTuple):
    """What a scripted model answers to a request."""

    body: bytes
    content_type: str = "application/json"
    last: bool = False
    """The client ends after it."""


class ClientProbe(Protocol):
    """How a client is tried by itself, against a scripted model."""

    def files(self, command: str, url: str) -> dict[str, str]:
        """The settings below `home/` and `repo/`: with hooks that run the command, and hooks that go to the URL."""

    def line(self, program: str) -> tuple[str, ...]:
        """Its command line: no terminal, and one prompt."""

    def variables(self, address: str) -> dict[str, str]:
        """Its environment: it speaks to the model at this address and to nobody else."""

    def reply(self, path: str, headers: Mapping[str, str], body: bytes) -> ProbeReply:
        """What the model says to a request. The calls it asks for name their part: see `leeboard.app.guard.probe`."""


class Client(Protocol):
    """What the package of a client offers, as functions of its `__init__` or as an object there, its `CLIENT`.

    `hooks_alone` has all but the two that make a client what it is.
    """

    def settings(self) -> ClientSettings:
        """How hooks are put into its settings files and taken out; loaded only when somebody asks."""

    def probe(self) -> ClientProbe | None:
        """How it is tried by itself; None where nobody has written that down."""

    def parse(self, payload: bytes, now: float) -> HookCall:
        """What a hook was told. WireError for bytes that are none of a hook."""

    def folder_told(self, payload: bytes) -> str:
        """The folder that a payload names, even one that can not be judged; empty where it names none."""

    def render(self, verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:
        """The answer as the client reads it, empty where there is nothing to say. It never grants a permission.

        `task` takes the place of the words a sub-agent is started with. `for_person` is shown to them, and not to the
        agent.
        """

    def refuse_settings(self, words: str) -> bytes:
        """The answer that keeps changed settings out of the running session."""

    def telling_person(self, answer: bytes, words: str) -> bytes:
        """An answer with words that the client shows to its user."""

    def read_result(self, text: str, *, is_error: bool) -> tuple[Outcome, str]:
        """How a call ended by what the model is told of it, and its output without the client's own words."""

    def open_reader(self, session: str, *, agent: str = "", started: bool = False) -> SessionReader:
        """For a transcript of the client."""

    def is_line(self, parsed: dict[str, object]) -> bool:
        """Whether the client writes such lines into its transcripts."""

    def is_start(self, start: bytes) -> bool:
        """The same of a line that is cut."""

    def prove(
        self, lines: Sequence[bytes], told: TranscriptEvents, is_told: Callable[[Event], bool], earlier: bytes
    ) -> Proof | None:
        """Which prompts of a transcript are the user's, by the file itself; None where it can not tell."""

    def context_left(self, tail: bytes) -> float | None:
        """The share of the model's context that is left, by the end of a transcript; None where nobody knows."""

    def transcript_folders(self, env: Mapping[str, str], home: str) -> tuple[str, ...]:
        """The folders below which the client keeps its transcripts, whether or not they are there."""

    def project_transcripts(self, root: str) -> tuple[str, ...]:
        """Globs below `transcript_folders` of the sessions in a folder or below it, files of sub-agents included. They
        may match those of other folders too.
        """

    def hook_faults(self, lines: Sequence[bytes]) -> tuple[HookFault, ...]:
        """What the client recorded of our hooks' failures, in lines of a transcript."""

    def main_transcript(self, path: str) -> str:
        """The session's own file, where `path` is that of one of its sub-agents; empty for every other file."""
