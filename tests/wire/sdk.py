"""The real SDKs of both providers, reading an answer that lies in memory: what they make of it is what a client sees."""

from __future__ import annotations

from typing import Any

import anthropic
import httpx2
import openai

_KEY = "none"


class _Answer(httpx2.BaseTransport):
    """Answers every request with the same bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=self._data, request=request)


def read_anthropic(data: bytes) -> dict[str, Any]:
    """The message that Anthropic's SDK puts together."""
    with (
        httpx2.Client(transport=_Answer(data)) as http,
        anthropic.Anthropic(api_key=_KEY, http_client=http, max_retries=0) as client,
        client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "go"}]) as stream,
    ):
        return stream.get_final_message().to_dict()


def read_responses(data: bytes) -> dict[str, Any]:
    """The response that OpenAI's SDK puts together."""
    with (
        httpx2.Client(transport=_Answer(data)) as http,
        openai.OpenAI(api_key=_KEY, http_client=http, max_retries=0) as client,
        client.responses.stream(model="m", input="go") as stream,
    ):
        return stream.get_final_response().to_dict()


def read_chat(data: bytes) -> dict[str, Any]:
    """The completion that OpenAI's SDK puts together."""
    with (
        httpx2.Client(transport=_Answer(data)) as http,
        openai.OpenAI(api_key=_KEY, http_client=http, max_retries=0) as client,
        client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "go"}]) as stream,
    ):
        return stream.get_final_completion().to_dict()
