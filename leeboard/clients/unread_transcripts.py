"""What a client offers of transcripts where none of its own are read: its hooks alone tell of the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from leeboard.clients.transcript_lines import SessionReader

if TYPE_CHECKING:
    from leeboard.clients.call import HookFault
    from leeboard.clients.transcript_lines import Proof, TranscriptEvents
    from leeboard.model.event import Event, Outcome

__all__ = [
    "context_left",
    "hook_faults",
    "is_line",
    "is_start",
    "main_transcript",
    "open_reader",
    "project_transcripts",
    "prove",
    "read_result",
    "transcript_folders",
]


def open_reader(session: str, *, agent: str = "", started: bool = False) -> SessionReader:  # noqa: ARG001 - as every client has it
    return SessionReader(_Nothing())


def read_result(text: str, *, is_error: bool) -> tuple[Outcome, str]:
    return ("failed" if is_error else "done"), text


def is_line(parsed: dict[str, object]) -> bool:  # noqa: ARG001 - as every client has it
    return False


def is_start(start: bytes) -> bool:  # noqa: ARG001 - as above
    return False


def prove(
    lines: Sequence[bytes],  # noqa: ARG001 - as above
    told: TranscriptEvents,  # noqa: ARG001 - as above
    is_told: Callable[[Event], bool],  # noqa: ARG001 - as above
    earlier: bytes,  # noqa: ARG001 - as above
) -> Proof | None:
    return None


def context_left(tail: bytes) -> float | None:  # noqa: ARG001 - as above
    return None


def transcript_folders(env: Mapping[str, str], home: str) -> tuple[str, ...]:  # noqa: ARG001 - as above
    return ()


def project_transcripts(root: str) -> tuple[str, ...]:  # noqa: ARG001 - as above
    return ()


def hook_faults(lines: Sequence[bytes]) -> tuple[HookFault, ...]:  # noqa: ARG001 - as above
    return ()


def main_transcript(path: str) -> str:  # noqa: ARG001 - as above
    return ""


class _Nothing:
    """Takes every line and tells nothing."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def tell(self, line: bytes) -> bool:  # noqa: ARG002 - as every teller has it
        return True

    def close(self) -> None:
        """Nothing was ever open."""
