"""From the verdict on a call to what becomes of it on the wire: the words, and the harmless call in its place."""

from __future__ import annotations

from collections.abc import Callable

from leeboard.app.team_files import LOUD, team_past
from leeboard.judge.briefing import told_of_team
from leeboard.model.outcome import Step
from leeboard.model.session import Session
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Verdict
from leeboard.store.sqlite import SqliteStore
from leeboard.text.words import cut
from leeboard.wire.seam import RELEASE, UNCHECKED, CallRuling, RequestFacts, Substitute

_PAST_ROOM = 300
_ECHO_ROOM = 1_500
_MARKS = str.maketrans(dict.fromkeys("'\"`$\\!<>|&;(){}*?[]#~", ""))
_ELEMENT = lazy(r"</?leeboard[^>\n]*>")
HELD = "Leeboard held this call back."

_ECHO: dict[str, Callable[[str], dict[str, object]]] = {
    "Bash": lambda line: {"command": line, "description": "Read why the call was held back"},
    "bash": lambda line: {"command": line, "description": "Read why the call was held back"},
    "exec_command": lambda line: {"cmd": line},
    "shell_command": lambda line: {"command": line},
    "shell": lambda line: {"command": ["bash", "-lc", line]},
}
"""How each client's shell is asked to print a line, by the name of its tool."""


def ruling_on(verdict: Verdict | None, words: str, facts: RequestFacts) -> CallRuling:
    """A call that is refused is answered in the loop where there is a shell to print the words, else by the words."""
    if verdict is None or verdict.action is not Action.DENY:
        return RELEASE
    text = words or HELD
    return CallRuling("withhold", text, _printed(text, facts.tools))


def ruling_on_unread(why: str, facts: RequestFacts, *, is_refused: bool) -> CallRuling:
    """On a call of which nobody knows what it does: refused where low scores are, else released and told of."""
    if not is_refused:
        return UNCHECKED
    text = f"The arguments of this call can not be read: {why}. Nobody can tell what it does. Write it anew, plainer."
    return CallRuling("withhold", text, _printed(text, facts.tools))


def _printed(text: str, tools: tuple[str, ...]) -> Substitute | None:
    """One plain line, so that no shell and no client takes it for anything but words."""
    name = next((tool for tool in tools if tool in _ECHO), "")
    if not name:
        return None
    plain = " ".join(_ELEMENT.sub("", text).translate(_MARKS).split())
    return Substitute(name, _ECHO[name](f"echo '{cut(f'{HELD} {plain}', _ECHO_ROOM)}'"))


def words_of(verdict: Verdict, session: Session | None, store: SqliteStore, team_steps: str = "") -> str:
    """What is said, with the steps that the way back can start from, and what others in the team did on these files. A
    nudge stays as brief as it is.
    """
    words = "\n\n".join(filter(None, (verdict.message, verdict.briefing)))
    if not verdict.message or session is None or verdict.level not in LOUD:
        return words
    past = past_steps(store, session, verdict.paths)
    told = [_told(past)] if past else []
    return "\n".join((words, *told, *told_of_team(team_past(team_steps, *_asked(session, verdict.paths)))))


def past_steps(store: SqliteStore, session: Session, paths: tuple[str, ...]) -> tuple[Step, ...]:
    """What was done on course, by key decision, file, folder and the words of the goal; what strayed is left out."""
    found = store.past_steps(session.id, *_asked(session, paths))
    return tuple(step for step in found if step.is_validated and step.action_type in {"edit", "write"} and step.files)


def _asked(session: Session, paths: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The files, folders and keywords that past steps are looked for by."""
    scope = session.contract.scope
    files = (*paths, *(entry for entry in scope if not entry.endswith("/")))
    folders = (*(path.rpartition("/")[0] + "/" for path in paths if "/" in path), *scope)
    return files, tuple(one for one in folders if one.endswith("/")), session.contract.keywords


def _told(steps: tuple[Step, ...]) -> str:
    by_file = {path: step.is_key_decision for step in reversed(steps) for path in step.files}
    named = ", ".join(f"{path} (key decision)" if decisive else path for path, decisive in by_file.items())
    return cut(f"Work on course to come back to: {named}.", _PAST_ROOM)
