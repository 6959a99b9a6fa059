"""A question to a model, over a real socket."""

from __future__ import annotations

import pytest

from leeboard.app.proxy.model_client import ask_model
from leeboard.errors import EffectError
from leeboard.settings.model_judge import JudgeSettings
from tests.scripted_model import scripted_model

KEY = "not-a-real-key"


def test_each_api_is_asked_in_its_own_form() -> None:
    with scripted_model(lambda _: 'Sure: {"serves": true}') as model:
        for judge in (
            JudgeSettings(endpoint=model.address, model="small"),
            JudgeSettings(endpoint=f"{model.address}/v1", model="small", api="openai"),
            JudgeSettings(endpoint=f"{model.address}/v1/messages", model="small"),
        ):
            assert ask_model(judge, KEY, "does it?") == {"serves": True}
    assert model.paths == ["/v1/messages", "/v1/chat/completions", "/v1/messages"]
    assert model.headers[0]["x-api-key"] == KEY
    assert model.headers[1]["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in model.headers[0]
    assert {one["model"] for one in model.asked} == {"small"}


def test_without_a_key_none_is_sent() -> None:
    with scripted_model(lambda _: "{}") as model:
        assert ask_model(JudgeSettings(endpoint=model.address, model="m"), "", "?") == {}
    assert "x-api-key" not in model.headers[0]


@pytest.mark.parametrize("said", [500, 429, 307, "no object", "{broken"])
def test_what_is_no_answer_is_an_error_that_names_no_key(said: str | int) -> None:
    with scripted_model(lambda _: said) as model, pytest.raises(EffectError) as error:
        ask_model(JudgeSettings(endpoint=model.address, model="m"), KEY, "?")
    assert KEY not in str(error.value)
    assert len(model.paths) == 1, "nobody else gets the key"


def test_nobody_there_is_an_error() -> None:
    with scripted_model(lambda _: "{}") as model:
        gone = model.address
    with pytest.raises(EffectError, match="can not be asked"):
        ask_model(JudgeSettings(endpoint=gone, model="m", seconds=2.0), KEY, "?")
