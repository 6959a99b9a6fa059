"""Opinions of a model: what they may change, and what they never touch."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.model_judge import ModelQuestion, apply, widened
from leeboard.model.session import Session
from tests.scripted_model import Answer, ScriptedModel, scripted_model
from tests.wire_agent import WireAgent, known_session, stored

THEME = "src/styles/theme.css"
VAGUE = "fix the auth bug"


def agent_with(root: Path, tmp_path: Path, model: ScriptedModel, more: str = "") -> WireAgent:
    """An agent whose user has named a model in settings of their own."""
    (tmp_path / "config").mkdir(exist_ok=True)
    told = f'[judge]\nendpoint = "{model.address}"\nmodel = "small"\nkey_env = "JUDGE_KEY"\n{more}'
    (tmp_path / "config" / "leeboard.toml").write_text(told, encoding="utf-8")
    return WireAgent(ProxyDesk({"JUDGE_KEY": "k"}), root)


def says(serves: str, scope: str = "[]") -> Answer:
    return lambda _: f'{{"serves": {serves}, "why": "because", "scope": {scope}, "keywords": ["Session"]}}'


@pytest.mark.parametrize(("serves", "spoken"), [("true", False), ("false", True), ('"maybe"', True)])
def test_a_second_opinion_can_only_silence_what_is_unsure(
    root: Path, tmp_path: Path, serves: str, *, spoken: bool
) -> None:
    with scripted_model(says(serves)) as model:
        agent = agent_with(root, tmp_path, model)
        agent.asks(VAGUE)
        agent.answers(agent.edit(THEME))
        agent.desk.model_judge.settle()
        assert (THEME in agent.goes_on()) is spoken
        assert any("The agent now does this: edit src/styles/theme.css" in str(one) for one in model.asked)
    assert known_session().drifted == 1, "the score stands"


def test_what_is_sure_is_not_asked_about(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("true")) as model:
        agent = agent_with(root, tmp_path, model)
        agent.asks("fix the auth bug in src/auth/token.py, only touch src/auth")
        refused = agent.answers(agent.edit(THEME))
        agent.desk.model_judge.settle()
        assert THEME in refused.text
    assert model.asked == []


def test_words_that_name_no_place_are_read_once_more(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("true", '["src/auth/", "/etc", "../x", "*"]')) as model:
        agent = agent_with(root, tmp_path, model)
        agent.asks(VAGUE)
        agent.desk.model_judge.settle()
        agent.asks("and the other one")
    contract = known_session().contract
    assert "src/auth/" in contract.scope
    assert not {"/etc", "../x", "*"} & {*contract.scope}
    assert "session" in contract.keywords


def test_it_answers_before_the_model_does(root: Path, tmp_path: Path) -> None:
    """Never before forwarding: the desk has answered while the model has not even been heard."""
    heard = threading.Event()

    def slow(_: str) -> str:
        assert heard.wait(20)
        return "{}"

    with scripted_model(slow) as model:
        agent = agent_with(root, tmp_path, model)
        assert agent.asks(VAGUE) == ""
        assert agent.answers(agent.edit(THEME)).withheld == []
        heard.set()
        agent.desk.model_judge.settle()


def test_a_budget_a_cache_and_a_rest_after_failures(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("false")) as model:
        agent = agent_with(root, tmp_path, model, "budget = 2\n")
        agent.asks(VAGUE)
        for path in (THEME, "src/ui/button.py", THEME, "src/ui/new.css"):
            agent.answers(agent.edit(path))
            agent.desk.model_judge.settle()
            agent.goes_on()
        assert len(model.asked) == 2
    with scripted_model(lambda _: 500) as failing:
        agent = agent_with(root, tmp_path, failing)
        for number in range(6):
            agent.session = f"s{number}"
            agent.asks(f"{VAGUE} {number}")
            agent.desk.model_judge.settle()
        assert len(failing.asked) == 3


def test_without_its_key_or_in_a_repository_nobody_is_asked(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("true")) as model:
        agent = agent_with(root, tmp_path, model)
        agent.desk = ProxyDesk({})
        agent.asks(VAGUE)
        agent.answers(agent.edit(THEME))
        agent.desk.model_judge.settle()
        own = tmp_path / "config" / "leeboard.toml"
        (root / "leeboard.toml").write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
        own.unlink()
        stranger = WireAgent(ProxyDesk({"JUDGE_KEY": "k"}), root, "t")
        stranger.asks(VAGUE)
        stranger.desk.model_judge.settle()
    assert model.asked == []


def test_secrets_stay_here() -> None:
    secret = "sk-ant-api03-" + "Zq8" * 30
    question = ModelQuestion(
        kind="opinion", session="s", goal=f"use {secret}", action=f"bash curl -H 'x-api-key: {secret}'"
    )
    assert secret not in question.text
    assert "bash curl" in question.text


def test_an_answer_that_comes_too_late_changes_nothing(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("true")) as model:
        agent = agent_with(root, tmp_path, model)
        agent.asks(VAGUE)
        agent.answers(agent.edit(THEME))
        agent.desk.model_judge.settle()
    before = known_session()
    late = ModelQuestion(kind="intent", session="s", exchange=before.exchange - 1, goal=VAGUE)
    apply(late, {"scope": ["src/late/"]})
    apply(replace(late, session="nobody"), {"scope": ["src/late/"]})
    assert known_session().version == before.version
    assert widened(before, {"scope": "src/", "keywords": [7]}) is None
    assert widened(Session(id="x"), {}) is None


def test_the_record_tells_of_the_opinion(root: Path, tmp_path: Path) -> None:
    with scripted_model(says("true")) as model:
        agent = agent_with(root, tmp_path, model)
        agent.asks(VAGUE)
        agent.answers(agent.edit(THEME))
        agent.desk.model_judge.settle()
    store = stored()
    told = [verdict.trace for verdict in store.verdicts("s") if verdict.event == "SecondOpinion"]
    assert told == [("a second opinion: it serves the goal: because",)]
    assert {offer.state for offer in store.corrections("s")} == {"dropped"}
    store.close()
