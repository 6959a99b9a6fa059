"""What would be thought of a command or a file, in the newest session of a project. Nothing of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import exists
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.app.archive import find_session, opened_archive
from leeboard.app.handle import RunSetting, Supposed, foresee
from leeboard.app.settings import setting_for
from leeboard.io import clock
from leeboard.io.places import database
from leeboard.model.event import Event, PromptGiven, TextEdit, ToolCall, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.lookup import Files, Store
from leeboard.model.outcome import Judged, Outcome
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Finding, Moment
from leeboard.rule import code_of
from leeboard.store.memory import MemoryStore
from leeboard.text.words import body_of

Thought = Literal["passes", "noted", "said", "refused"]

_BEFORE = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))
_AFTER = Moment(kind="after_call", actions=(Action.ALLOW, Action.INJECT))
_ID = "leeboard-test"
FETCHED_BEFORE = "the remote is compared as it was last fetched: `git fetch` first tells what others have pushed since"


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to know: a shell line, or a text for a file."""

    command: str = ""
    path: str = ""
    """As the client would send it: a whole path."""
    text: str = ""
    goal: str = ""
    """Asked for by a user who says nothing else; empty: in the newest session, or the one named."""
    session: str = ""

    @property
    def call(self) -> ToolCall:
        if self.command:
            return ToolCall(id=_ID, tool="Bash", action="bash", command=self.command)
        return ToolCall(id=_ID, tool="Write", action="write", paths=(self.path,), edits=(TextEdit("", self.text),))


class FoundView(msgspec.Struct, frozen=True, kw_only=True):
    """One finding, and what would become of it."""

    rule: str
    code: str
    subject: str
    fate: Thought
    evidence: tuple[tuple[int, str], ...]
    """What each reason takes from the score, and the reason."""
    remedy: str
    why: tuple[str, ...] = ()
    """How its urgency came about, where it is weighed so."""


class TrialView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "test"
    verdict: Thought
    score: int
    """0 where it is not scored."""
    level: str
    profile: str
    session: str | None
    goal: str
    findings: tuple[FoundView, ...]
    words: str
    """What the agent would read; empty where nothing is said at once."""
    note: str = ""
    """What the judgement rests on, where that may be out of date."""


def try_out(trial: Trial, root: str, cwd: str, env: Mapping[str, str]) -> TrialView:
    """ConfigError where a session is named that there is none of."""
    if not exists(database()):
        return _tried(trial, MemoryStore(), None, root, cwd, env)
    with opened_archive() as store:
        session = None
        if not trial.goal and (trial.session or store.sessions(root, 1)):
            session = find_session(store, trial.session, root)
        return _tried(trial, store, session, root, cwd, env)


def _tried(
    trial: Trial, store: Store, session: Session | None, root: str, cwd: str, env: Mapping[str, str]
) -> TrialView:
    owner = session.id if session else _ID
    setting = setting_for(cwd or root, owner, store, env)
    steps = _steps(trial, owner, setting, cwd)
    outcomes = foresee(steps, session, store)
    proposed, *after = outcomes[1:] if trial.goal else outcomes
    view = _view(proposed, after, setting, session)
    return replace(view, note=FETCHED_BEFORE) if _takes_from_remote(trial, cwd) else view


def _takes_from_remote(trial: Trial, cwd: str) -> bool:
    if "push" not in trial.command and "send-pack" not in trial.command:
        return False
    from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - for lines that push alone
    from leeboard.shell.losses.git_words import discards  # noqa: PLC0415 - as above

    return any(one.kind == "push" for one in discards(shell_effects(trial.command, cwd), cwd))


def _steps(trial: Trial, owner: str, setting: RunSetting, cwd: str) -> list[Supposed]:
    call, now = trial.call, clock.now()
    proposed = ToolProposed(session=owner, cwd=cwd, time=now, key=f"{_ID}:proposed", call=call)
    path = setting.workspace.spell(trial.path, cwd) if trial.path else ""
    if path and setting.tree.files.text(path) == trial.text:
        setting = _with(setting, path, None)  # of a file as it lies there all of it is asked about
    steps = [Supposed(proposed, _BEFORE, setting)]
    if trial.goal:
        asked = PromptGiven(session=owner, cwd=cwd, time=now, key=f"{_ID}:prompt", text=trial.goal)
        steps.insert(0, Supposed(asked, Moment(), setting))
    written = _with(setting, path, trial.text) if path else setting
    done: tuple[Event, ...] = (
        ToolFinished(session=owner, cwd=cwd, time=now, key=f"{_ID}:done", call=call, outcome="done"),
        TurnEnded(session=owner, cwd=cwd, time=now),
    )
    return [*steps, *(Supposed(event, _AFTER, written) for event in done)]


def _with(setting: RunSetting, path: str, text: str | None) -> RunSetting:
    return replace(setting, tree=replace(setting.tree, files=_Written(setting.tree.files, path, text)))


class _Written:
    """The files of a work tree as if one had been written, or were not there."""

    def __init__(self, files: Files, path: str, text: str | None) -> None:
        self._files, self._path, self._text = files, path, text

    def text(self, path: str) -> str | None:
        return self._text if path == self._path else self._files.text(path)

    def exists(self, path: str) -> bool | None:
        return self._text is not None if path == self._path else self._files.exists(path)

    def lies_at(self, place: str) -> bool | None:
        return self._files.lies_at(place)

    def ignored(self, path: str) -> bool | None:
        return self._files.ignored(path)


def _view(proposed: Outcome, after: list[Outcome], setting: RunSetting, session: Session | None) -> TrialView:
    refused = proposed.verdict.action in {Action.DENY, Action.ASK}
    outcomes = [proposed] if refused else [proposed, *after]
    judged = {f"{one.rule}:{one.subject}": one for outcome in outcomes for one in outcome.judged}
    found = {finding.fingerprint: finding for outcome in outcomes for finding in outcome.findings}
    views = tuple(_found(one, judged.get(name), proposed, refused=refused) for name, one in found.items())
    spoken = next((one.verdict for one in outcomes if one.verdict.message or _tells(one)), None)
    thought: Thought = "refused" if refused else "passes"
    if not refused and (spoken is not None or any(one.fate == "said" for one in views)):
        thought = "said"
    elif not refused and views:
        thought = "noted"
    return TrialView(
        verdict=thought,
        score=proposed.verdict.score,
        level=proposed.verdict.level,
        profile=setting.policy.profile,
        session=session.id if session else None,
        goal=proposed.session.contract.objective,
        findings=views,
        words=body_of(spoken.message or spoken.briefing) if spoken else "",
    )


def _tells(outcome: Outcome) -> bool:
    return outcome.verdict.action is Action.INJECT


def _found(finding: Finding, judged: Judged | None, proposed: Outcome, *, refused: bool) -> FoundView:
    drifts = bool(finding.delta) and finding.signal is None and proposed.verdict.level != "none"
    fate: Thought = "said" if drifts or (judged is not None and judged.state != "logged") else "noted"
    if refused and (finding.rule in proposed.verdict.rules):
        fate = "refused"
    return FoundView(
        rule=finding.rule,
        code=code_of(finding.rule),
        subject=finding.subject,
        fate=fate,
        evidence=tuple((item.delta, item.text) for item in finding.evidence),
        remedy=finding.remedy,
        why=judged.trace[len(finding.evidence) :] if judged else (),
    )
