"""Which prompts of a transcript are the user's; `tests/test_who_spoke.py` has made-up ones before real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.clients.claude_code.transcript import TranscriptReader
from leeboard.clients.claude_code.transcript_proof import Chain
from leeboard.clients.transcript_lines import Proof
from leeboard.model.event import Event, PromptGiven

FIXTURES = Path(__file__).parents[2] / "fixtures"
RECORDED = (
    *sorted((FIXTURES / "transcripts").glob("claude*.jsonl")),
    *(FIXTURES / "hook_runs").glob("*transcript.jsonl"),
)


class Read:
    """A recorded session, told line by line."""

    def __init__(self, data: bytes) -> None:
        reader = TranscriptReader("s")
        self.lines = data.split(b"\n")[:-1]
        self.told: list[tuple[int, list[Event]]] = [
            (len(line) + 1, list(reader.feed(line + b"\n"))) for line in self.lines
        ]

    @property
    def prompts(self) -> list[PromptGiven]:
        return [event for _, events in self.told for event in events if isinstance(event, PromptGiven) and event.text]

    def proof(self, untold: PromptGiven, earlier: bytes = b"") -> Proof:
        """Where hooks told of everything but this."""
        return Chain(self.lines, self.told, lambda event: event is not untold and bool(event.key), earlier).proof()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_no_honest_prompt_is_lost(path: Path) -> None:
    """The hook of any one may have failed: the chain shows it, or nothing comes after it that could."""
    read = Read(path.read_bytes())
    for prompt in read.prompts:
        proof = read.proof(prompt)
        kept = [event for _, events in proof.believed(read.told) for event in events]
        rest = [event for _, events in read.told[proof.until :] for event in events]
        assert proof.made_up == proof.unshown == ()
        assert prompt in kept or not any(isinstance(event, PromptGiven) for event in rest if event is not prompt)


def test_all_are_believed_that_hooks_told_of() -> None:
    read = Read(RECORDED[0].read_bytes())
    assert Chain(read.lines, read.told, lambda _: True, b"").proof() == Proof(until=len(read.told))


def test_a_call_that_stood_there_before_proves_nothing() -> None:
    """Who makes a prompt up may copy a call of the session's below it."""
    data = (FIXTURES / "hook_runs" / "long-work.transcript.jsonl").read_bytes()
    read = Read(data)
    assert read.proof(read.prompts[0]).until == len(read.told)
    assert read.proof(read.prompts[0], earlier=data).until < len(read.told)


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b'{"uuid": 5, "parentUuid": []}', b"\xff"])
def test_odd_lines_are_passed_over(line: bytes) -> None:
    prompt = PromptGiven(session="s", key="prompt:p", text="hello")
    told: list[tuple[int, list[Event]]] = [(len(line) + 1, [prompt]), (len(line) + 1, [])]
    assert Chain([line, line], told, lambda _: False, b"").proof().until == 0
