"""The table [judge]: which model may be asked for a second opinion, and how much of it. Off where it names none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, cast

import msgspec

from leeboard.model.text import in_short

JUDGE_KEYS = ("api", "endpoint", "model", "key_env", "budget", "seconds")
APIS = ("anthropic", "openai")
MOST_BUDGET, MOST_SECONDS = 10_000, 120


class JudgeSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A model that is asked beside the traffic, and never before any of it."""

    endpoint: str
    """The address of its API, without the part that names a method of it."""
    model: str
    api: Literal["anthropic", "openai"] = "anthropic"
    key_env: str = ""
    """The variable that holds the key; empty where none is needed. The key itself stands in no file."""
    budget: int = 20
    """Questions in one session."""
    seconds: float = 8.0
    """How long an answer may take."""


def judge_of(table: Mapping[str, object]) -> tuple[JudgeSettings | None, tuple[tuple[str, str], ...]]:
    """The settings, None where the table names no model; and each key that is at fault, with what it should be."""
    faults = dict(_faults(table))
    told = {key: table[key] for key in JUDGE_KEYS if key in table and key not in faults}
    if "endpoint" not in told or "model" not in told:
        missing = [key for key in ("endpoint", "model") if key not in told and key not in faults] if table else []
        faults |= dict.fromkeys(missing, "is needed, else no model is asked")
        return None, tuple(faults.items())
    return msgspec.convert(told, JudgeSettings), tuple(faults.items())


def _faults(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key in ("endpoint", "model", "key_env"):
        value = table.get(key, "x")
        if not isinstance(value, str) or not value.strip():
            yield key, f"must be a text, not {in_short(value)}"
    endpoint = table.get("endpoint")
    if isinstance(endpoint, str) and endpoint and not endpoint.startswith(("https://", "http://")):
        yield "endpoint", f"must be an address that begins with https://, not {in_short(endpoint)}"
    if table.get("api", "anthropic") not in APIS:
        yield "api", f"is {in_short(table['api'])}; valid are {', '.join(APIS)}"
    for key, most in (("budget", MOST_BUDGET), ("seconds", MOST_SECONDS)):
        value = table.get(key, 1)
        is_number = isinstance(value, int if key == "budget" else (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 < cast("float", value) <= most:
            yield key, f"must be a number above zero and at most {most}, not {in_short(value)}"
