"""Opinions of a model, asked for beside the traffic and never before any of it. Off unless the user names one.

Two things are asked. Where the human's words name no place, which places they speak of: that can only widen what counts
as part of the work. And where a finding has low confidence, whether the action serves the goal: if so, what waits to be
said of it is dropped. Nothing is ever refused by an opinion, and whatever comes too late changes nothing.
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from leeboard.app.proxy.model_client import ask_model
from leeboard.errors import LeeboardError
from leeboard.io import clock, places
from leeboard.model.event import ToolCall
from leeboard.model.fold import put_agent
from leeboard.model.outcome import Offer, Outcome
from leeboard.model.session import Session
from leeboard.model.text import digest
from leeboard.model.verdict import Action, Verdict
from leeboard.secrets.redaction import redact
from leeboard.settings.model_judge import JudgeSettings
from leeboard.store.sqlite import open_store
from leeboard.text.words import cut

FAILURES = 3
REST_SECONDS = 60.0
_KEPT = 512
_MOST_WAITING = 64
_PLACES, _WORDS = 8, 12
_GOAL_ROOM, _ACTION_ROOM = 1_200, 500

_INTENT = """A person asked a coding agent for this:

{goal}

Which files or folders of the repository does it concern, and which words name its subject? Only what follows from the
words; be conservative. Answer with JSON alone: {{"scope": ["src/auth/"], "keywords": ["login"]}}"""
_OPINION = """A person asked a coding agent for this:

{goal}

The agent now does this: {action}

Does it serve what was asked for? Needed groundwork, tests and documentation of it do. Answer with JSON alone:
{{"serves": true, "why": "in at most 20 words"}}"""


class ModelQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked, in words without secrets."""

    kind: Literal["intent", "opinion"]
    session: str
    agent: str = ""
    exchange: int = 0
    """The words of the human it is about: an answer that comes after the next ones is of no use."""
    call: str = ""
    goal: str
    action: str = ""

    @property
    def text(self) -> str:
        goal, action = cut(redact(self.goal), _GOAL_ROOM), cut(redact(self.action), _ACTION_ROOM)
        return _INTENT.format(goal=goal) if self.kind == "intent" else _OPINION.format(goal=goal, action=action)


def about_words(session: Session | None) -> list[ModelQuestion]:
    """Words of the human that name no place may still speak of one."""
    if session is None or not session.goals or session.goals[-1].scope:
        return []
    goal, exchange = session.contract.objective, session.exchange
    return [ModelQuestion(kind="intent", session=session.id, exchange=exchange, goal=goal)]


def about_call(
    call: ToolCall, paths: tuple[str, ...], verdict: Verdict | None, session: Session | None
) -> list[ModelQuestion]:
    """A doubt about a call that is not sure of itself."""
    if verdict is None or session is None or verdict.confidence != "low" or verdict.level == "none":
        return []
    return [
        ModelQuestion(
            kind="opinion",
            session=session.id,
            agent=verdict.agent,
            exchange=session.exchange,
            call=call.id,
            goal=session.contract.objective,
            action=f"{call.action} {' '.join(paths)} {call.command}".strip(),
        )
    ]


class ModelJudge:
    """Asks in a thread of its own, one question at a time."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._waiting: queue.Queue[tuple[JudgeSettings, ModelQuestion]] = queue.Queue(_MOST_WAITING)
        self._answers: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._asked: dict[str, int] = {}
        self._failed = 0
        self._rests_until = 0.0
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def ask(self, judge: JudgeSettings, question: ModelQuestion) -> bool:
        """Have it asked some time; False where it will not be, for it would be one too many."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="model judge", daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait((judge, question))
        except queue.Full:
            return False
        return True

    def settle(self) -> None:
        """Wait until everything was asked that waits."""
        self._waiting.join()

    def _work(self) -> None:
        while True:
            judge, question = self._waiting.get()
            try:
                answer = self._answer(judge, question)
                if answer is not None:
                    apply(question, answer)
                self._failed = 0 if answer is not None else self._failed
            except LeeboardError:
                self._failed += 1
                if self._failed >= FAILURES:
                    self._failed, self._rests_until = 0, clock.monotonic() + REST_SECONDS
            finally:
                self._waiting.task_done()

    def _answer(self, judge: JudgeSettings, question: ModelQuestion) -> dict[str, Any] | None:
        """From memory where the same was asked before; None where nobody may be asked."""
        key = self._env.get(judge.key_env, "") if judge.key_env else ""
        if judge.key_env and not key:
            return None
        name = digest(f"{judge.endpoint}\x1f{judge.model}\x1f{question.text}")
        if name not in self._answers:
            asked = self._asked.get(question.session, 0)
            if asked >= judge.budget or clock.monotonic() < self._rests_until:
                return None
            self._asked[question.session] = asked + 1
            self._answers[name] = ask_model(judge, key, question.text)
            while len(self._answers) > _KEPT:
                self._answers.popitem(last=False)
        return self._answers[name]


def apply(question: ModelQuestion, answer: Mapping[str, object]) -> None:
    """Keep what the answer changes, if the session still waits for it."""
    store = open_store(places.database())
    try:
        with store.transaction(question.session) as transaction:
            session = transaction.session(question.session)
            if session is None or session.exchange != question.exchange:
                return
            outcome = widened(session, answer) if question.kind == "intent" else judged(session, question, answer)
            if outcome is not None:
                transaction.commit(outcome)
    finally:
        store.close()


def widened(session: Session, answer: Mapping[str, object]) -> Outcome | None:
    """The session with the places and words that were named; None where there is nothing new."""
    contract = session.contract
    scope = [
        place for place in _texts(answer.get("scope"), _PLACES) if _is_place(place) and place not in contract.scope
    ]
    words = [word.lower() for word in _texts(answer.get("keywords"), _WORDS) if word.lower() not in contract.keywords]
    if not scope and not words:
        return None
    told = replace(contract, scope=(*contract.scope, *scope), keywords=(*contract.keywords, *words))
    line = f"a model reads the goal as one of {', '.join((*scope, *words))}"
    return Outcome(session=replace(session, contract=told), verdict=_verdict(session, "IntentRead", "", "", line))


def judged(session: Session, question: ModelQuestion, answer: Mapping[str, object]) -> Outcome | None:
    """The session without what waits to be said of the action, where it serves the goal. Else it is only on record."""
    serves, why = answer.get("serves"), cut(redact(str(answer.get("why", ""))), 200)
    if not isinstance(serves, bool):
        return None
    agent = session.agent(question.agent)
    doubted = [one for one in agent.waiting if one.tool_use_id == question.call and one.confidence == "low"]
    line = f"a second opinion: {'it serves the goal' if serves else 'it does not serve the goal'}: {why}"
    verdict = _verdict(session, "SecondOpinion", question.agent, question.call, line)
    if not serves or not doubted:
        return Outcome(session=session, verdict=verdict)
    left = tuple(one for one in agent.waiting if one not in doubted)
    session = put_agent(session, replace(agent, waiting=left))
    return Outcome(session=session, verdict=verdict, offers=tuple(Offer(one, "dropped") for one in doubted))


def _verdict(session: Session, event: str, agent: str, call: str, line: str) -> Verdict:
    return Verdict(
        id="v" + digest(f"{session.id}\x1f{event}\x1f{session.exchange}\x1f{call}", 5),
        session=session.id,
        agent=agent,
        turn=session.agent(agent).turn,
        action=Action.ALLOW,
        event=event,
        tool_use_id=call,
        trace=(line,),
    )


def _texts(value: object, most: int) -> list[str]:
    found = [item.strip() for item in value if isinstance(item, str)] if isinstance(value, list) else []
    return [item for item in found if 0 < len(item) <= 120][:most]


def _is_place(place: str) -> bool:
    """A path inside of the repository, and not all of it."""
    return not place.startswith(("/", "~", ".", "*")) and ".." not in place.split("/") and " " not in place
