"""A client whose hooks alone tell of a session: none of its transcripts are read.

What such a client has of its own is its name and its `hooks`, with `parse` and `render`. All the rest that
`leeboard.clients.call.Client` asks for is answered as for a client of which no more is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from leeboard.clients import answer_words, hook_input
from leeboard.clients.transcript_lines import SessionReader

if TYPE_CHECKING:
    from leeboard.clients.call import ClientProbe, ClientSettings, HookCall, HookFault
    from leeboard.clients.transcript_lines import Proof, TranscriptEvents
    from leeboard.model.event import Event, Outcome
    from leeboard.model.verdict import Verdict


class ClientHooks(Protocol):
    """The module that reads what a client tells its hooks, and words the answers."""

    def parse(self, payload: bytes, now: float) -> HookCall: ...

    def render(self, verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes: ...


class HooksAlone:
    """`name` is its folder in `leeboard.clients`: `hook_settings` there says how hooks are put into its files, and
    `rehearsal`, where somebody has written it, how it is tried by itself. `words_for_person` is the field of an answer
    that it shows to its user.
    """

    def __init__(
        self, name: str, hooks: ClientHooks, *, words_for_person: str = "systemMessage", rehearsed: bool = False
    ) -> None:
        self.name = name
        self.words_for_person = words_for_person
        self._rehearsed = rehearsed
        self.parse = hooks.parse
        self.render = hooks.render

    def settings(self) -> ClientSettings:
        return cast("ClientSettings", import_module(f"leeboard.clients.{self.name}.hook_settings"))

    def probe(self) -> ClientProbe | None:
        if not self._rehearsed:
            return None
        return cast("ClientProbe", import_module(f"leeboard.clients.{self.name}.rehearsal"))

    def folder_told(self, payload: bytes) -> str:
        return hook_input.folder_told(payload)

    def refuse_settings(self, words: str) -> bytes:
        """The client asks nobody about its settings: it is told to the person."""
        return self.telling_person(b"", words)

    def telling_person(self, answer: bytes, words: str) -> bytes:
        return answer_words.telling_person(answer, words, self.words_for_person)

    # Transcripts, of which nothing is known.

    def open_reader(self, session: str, *, agent: str = "", started: bool = False) -> SessionReader:  # noqa: ARG002 - as every client has it
        return SessionReader(_Nothing())

    def read_result(self, text: str, *, is_error: bool) -> tuple[Outcome, str]:
        return ("failed" if is_error else "done"), text

    def is_line(self, parsed: dict[str, object]) -> bool:  # noqa: ARG002 - as every client has it
        return False

    def is_start(self, start: bytes) -> bool:  # noqa: ARG002 - as above
        return False

    def prove(
        self,
        lines: Sequence[bytes],  # noqa: ARG002 - as above
        told: TranscriptEvents,  # noqa: ARG002 - as above
        is_told: Callable[[Event], bool],  # noqa: ARG002 - as above
        earlier: bytes,  # noqa: ARG002 - as above
    ) -> Proof | None:
        return None

    def context_left(self, tail: bytes) -> float | None:  # noqa: ARG002 - as above
        return None

    def transcript_folders(self, env: Mapping[str, str], home: str) -> tuple[str, ...]:  # noqa: ARG002 - as above
        return ()

    def project_transcripts(self, root: str) -> tuple[str, ...]:  # noqa: ARG002 - as above
        return ()

    def hook_faults(self, lines: Sequence[bytes]) -> tuple[HookFault, ...]:  # noqa: ARG002 - as above
        return ()

    def main_transcript(self, path: str) -> str:  # noqa: ARG002 - as above
        return ""


class _Nothing:
    """Takes every line and tells nothing."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def tell(self, line: bytes) -> bool:  # noqa: ARG002 - as every teller has it
        return True

    def close(self) -> None:
        """Nothing was ever open."""
