"""`leeboard demo`: what `make run` shows."""

from __future__ import annotations

import time
from importlib import resources
from typing import TYPE_CHECKING

import click

from leeboard.app.replay import play, summary_object, verdict_object
from leeboard.app.views.session import goal_view
from leeboard.model.event import Event, MessageSaid, PromptGiven, ToolFinished, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.session import Mode, Session
from leeboard.model.verdict import Action, Verdict
from leeboard.report.capture import capture
from leeboard.surfaces.cli.screen import (
    MODE_STYLES,
    fields,
    json_option,
    print_json,
    print_wrapped,
    score_bar,
    screen,
    words,
)
from leeboard.surfaces.cli.session_view import ending_rows, goal_rows, history_line, print_message
from leeboard.text.words import cut

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text

RECORDING = "demo_session.jsonl"
POLICY = Policy()
_PAUSE = 0.12
_LONG_PAUSE = 0.5


@click.command(epilog="Example:  leeboard demo --fast | less")
@click.option("--fast", is_flag=True, help="Without the pauses.")
@json_option
def command(*, fast: bool, as_json: bool) -> None:
    """Play a recorded session and show what Leeboard says.

    The recording goes through the same pipeline as a live session, under the default profile: the goal as it was
    understood, a score for each action, each correction exactly as the agent receives it, and the report. It takes a
    few seconds and leaves nothing behind.
    """
    recording = (resources.files("leeboard.surfaces.cli.project") / RECORDING).read_bytes()
    if as_json:
        played = play(recording, name="demo", policy=POLICY)
        for found in (*map(verdict_object, played.verdicts), summary_object(played)):
            print_json(found)
        return
    console = screen()
    stage = _Stage(console, hurry=fast or not console.is_terminal)
    stage.open()
    played = play(recording, name="demo", policy=POLICY, observer=stage.show)
    stage.close(played.session)


class _Stage:
    """Shows events as they are handled."""

    def __init__(self, console: Console, *, hurry: bool) -> None:
        self._console = console
        self._hurry = hurry
        self._mode: Mode = "NORMAL"

    def open(self) -> None:
        self._line(
            (" leeboard ", "bold reverse"), f"  a recorded session, judged as it happens (profile {POLICY.profile})"
        )
        self._console.print()

    def show(self, event: Event, verdict: Verdict | None, session: Session) -> None:
        match event:
            case PromptGiven(text=text):
                self._prompt(text, session)
            case MessageSaid(text=text):
                spoken = words((cut(" ".join(text.split()), 160), "italic"))
                print_wrapped(words(("  agent  ", "dim")), spoken, self._console)
                self._rest(_PAUSE)
            case ToolProposed():
                self._action(event, verdict, session)
            case ToolFinished():
                self._finished(event)
            case _:
                pass
        if verdict is not None and verdict.message:
            self._words(verdict)
        self._show_mode(session)

    def close(self, session: Session) -> None:
        record = capture(session, POLICY)
        self._line(("report", "bold"))
        rows = [("scores", history_line(session.history)), *ending_rows(session)]
        fields([*rows, ("tags", ", ".join(record.tags) or "none")], self._console, indent=2)
        self._console.print()
        self._line("next: ", ("leeboard init", "bold"), " in a repository of yours, then work with your agent as ever")

    def _prompt(self, text: str, session: Session) -> None:
        print_wrapped(words(("  you    ", "bold")), words(cut(" ".join(text.split()), 160)), self._console)
        if session.exchange == 1:
            fields(goal_rows(goal_view(session)), self._console, indent=9)
            self._console.print()
        self._rest(_LONG_PAUSE)

    def _action(self, event: ToolProposed, verdict: Verdict | None, session: Session) -> None:
        what = event.call.command or (event.call.paths[0].removeprefix(f"{session.root}/") if event.call.paths else "")
        name = f"  {event.call.action:<6} "
        if verdict is None or not verdict.score:
            self._line((name, "dim"), (cut(what or event.call.query, 60), "dim"))
        else:
            self._console.print(words((name, "dim"), f"{cut(what, 44):<45}"), self._bar(verdict), sep="")
        self._rest(_PAUSE)

    def _bar(self, verdict: Verdict) -> Text:
        return score_bar(verdict.score, verdict.level, self._console)

    def _finished(self, event: ToolFinished) -> None:
        if event.outcome == "denied":
            self._line(("         the call did not run", "dim"))

    def _words(self, verdict: Verdict) -> None:
        how = "refuses the call and says" if verdict.action is Action.DENY else "tells the agent"
        self._line(("         leeboard ", "bold"), how)
        print_message(verdict.message, self._console, indent=9)
        self._rest(_LONG_PAUSE)

    def _show_mode(self, session: Session) -> None:
        if session.mode != self._mode:
            old, self._mode = self._mode, session.mode
            styled = (session.mode, MODE_STYLES[session.mode])
            self._line(("         mode ", "dim"), (old, MODE_STYLES[old]), (" to ", "dim"), styled)

    def _line(self, *parts: tuple[str, str] | str) -> None:
        self._console.print(words(*parts))

    def _rest(self, seconds: float) -> None:
        if not self._hurry:
            time.sleep(seconds)
