"""Halves of surrogate pairs, which odd file names and broken JSON bring, can be held by neither JSON nor SQLite.

They become question marks, and only once writing has failed on one: whole text pays nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


def json_bytes(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_clean(msgspec.to_builtins(value)))


def json_text(value: object) -> str:
    return json_bytes(value).decode()


def clean_row(parameters: Sequence[object]) -> Sequence[object]:
    return [_clean(parameter) for parameter in parameters]


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value
