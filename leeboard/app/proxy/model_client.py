"""One question to a model, by the API of Anthropic or of OpenAI: a text there, a JSON object back."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.errors import EffectError
from leeboard.settings.model_judge import JudgeSettings

MOST_TOKENS = 500
_LONGEST_ANSWER = 1 << 20


class _StayHere(urllib.request.HTTPRedirectHandler):
    """An answer that leads elsewhere is none: the key is for the place that the user named."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_StayHere)


def ask_model(judge: JudgeSettings, key: str, text: str) -> dict[str, Any]:
    """The first object in the answer. EffectError where there is none, or none in time; no error names the key."""
    request = urllib.request.Request(_address(judge), _body(judge, text), _headers(judge, key))  # noqa: S310 - the user's own setting
    try:
        with _OPENER.open(request, timeout=judge.seconds) as answer:
            told = msgspec.json.decode(answer.read(_LONGEST_ANSWER))
    except urllib.error.HTTPError as error:
        error.close()
        raise EffectError(f"the model judge answered {error.code}") from None
    except (OSError, ValueError) as error:
        raise EffectError(f"the model judge can not be asked: {type(error).__name__}") from None
    return _object(_text(told))


def _address(judge: JudgeSettings) -> str:
    base = judge.endpoint.rstrip("/")
    end = "/messages" if judge.api == "anthropic" else "/chat/completions"
    if base.endswith(end):
        return base
    return f"{base}{end}" if base.endswith("/v1") else f"{base}/v1{end}"


def _headers(judge: JudgeSettings, key: str) -> Mapping[str, str]:
    headers = {"content-type": "application/json"}
    if judge.api == "anthropic":
        headers["anthropic-version"] = "2023-06-01"
    if key:
        headers |= {"x-api-key": key} if judge.api == "anthropic" else {"authorization": f"Bearer {key}"}
    return headers


def _body(judge: JudgeSettings, text: str) -> bytes:
    messages = [{"role": "user", "content": text}]
    return msgspec.json.encode({"model": judge.model, "max_tokens": MOST_TOKENS, "messages": messages})


def _text(told: object) -> str:
    match told:
        case {"content": [*blocks]}:
            return "".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            return text
    raise EffectError("the model judge gave no text")


def _object(text: str) -> dict[str, Any]:
    """Models write words around what they are asked for."""
    start, end = text.find("{"), text.rfind("}")
    try:
        return msgspec.json.decode(text[start : end + 1], type=dict[str, Any])
    except ValueError:
        raise EffectError("the model judge gave no JSON object") from None
