"""Natural pauses: when the agent is between two things and a word does least harm."""

from __future__ import annotations

from leeboard.model.analysis import Analysis
from leeboard.model.event import Event, MessageSaid, PromptGiven, Stopped, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.session import AgentState
from leeboard.model.verdict import Moment

_TESTS = frozenset({"pytest", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "tox", "nox"})
_TEST_COMMANDS = frozenset({"go test", "cargo test", "npm test", "yarn test", "pnpm test", "dotnet test", "mvn test"})


def lull_after(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """A complete diff is followed by new plans, a sub-task is said to be done, or tests run."""
    match event:
        case MessageSaid(text=text):
            return agent.lull or agent.wrote or _says_done(text)
        case ToolProposed():
            return agent.lull if not analysis.modified and not runs_tests(analysis) else runs_tests(analysis)
        case _:
            return agent.lull


def _says_done(text: str) -> bool:
    from leeboard.code.pause import is_pause_text  # noqa: PLC0415 - only for messages, and a hook pays for every import

    return is_pause_text(text)


def runs_tests(analysis: Analysis) -> bool:
    return any(
        program in _TEST_COMMANDS or program.split(" ", 1)[0] in _TESTS or "pytest" in program
        for program in analysis.programs
    )


def wrote_last(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """Whether the last call that came back changed a file."""
    if isinstance(event, ToolFinished):
        return event.outcome == "done" and bool(analysis.modified)
    return agent.wrote


def is_pause(moment: Moment, agent: AgentState) -> bool:
    return moment.pause or agent.lull


def ends_turn(event: Event) -> bool:
    """Whether the turn is over with this event: the window of what was detected a turn ago has passed."""
    return isinstance(event, TurnEnded | Stopped | PromptGiven)
