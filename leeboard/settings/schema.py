"""The settings as a JSON Schema (draft 7), for editors that complete and check `leeboard.toml` while it is written.

It is made from the same tables and defaults as the parser, so that a new key or rule is in it without being written
down twice. What a schema can not say (a glob that leads out of the project) only the parser says.
"""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.contracts.table import KEYS as CONTRACT_KEYS
from leeboard.contracts.table import OTHER_NAMES
from leeboard.model.contract import MODES, PIT_STOP_AFTER, SCHEMA
from leeboard.model.policy import Policy
from leeboard.rule import discover
from leeboard.settings.model_judge import APIS, MOST_BUDGET, MOST_SECONDS, JudgeSettings
from leeboard.settings.otel import ENDPOINT, VARIABLE
from leeboard.settings.settings import KeepSettings
from leeboard.settings.team import NAME, POLICY_KEY, URL_START
from leeboard.settings.toml import INTERRUPTS, LONGEST_IDLE, MOST_INTERRUPTS, MOST_KEPT, PROFILES

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The draft that the TOML extensions of editors read."""

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "pattern": r"\S"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_YES: Schema = {"type": "boolean", "default": True}
_NUMBER_MEANS = {
    "budget": "Interrupts of the classes A to D that may fire in a session.",
    "cooldown_turns": "Turns of silence after an interrupt.",
    "grace_turns": "First turns of a session in which classes C and D stay silent.",
    "queued": "Queued signals that are spoken in a session, one at a pause.",
}


def settings_schema() -> Schema:
    """The schema of a whole `leeboard.toml`, or of the table [tool.leeboard]."""
    policy = Policy()
    return {
        "$schema": DIALECT,
        "title": "Leeboard settings",
        **_table(
            "What the user decided; every key has a default.",
            {
                "profile": {
                    "enum": list(PROFILES),
                    "default": policy.profile,
                    "description": "What is done about a verdict; scoring is the same in all three.",
                },
                "idle_minutes": {
                    "type": "number",
                    "minimum": 1 / 60,
                    "maximum": LONGEST_IDLE / 60,
                    "default": policy.idle_seconds // 60,
                    "description": "A session without a sign of life for so long counts as abandoned.",
                },
                "rules": _rules(),
                "interrupts": _interrupts(policy),
                "goal": _goal(),
                "truth": _table(
                    "Files that are watched.",
                    {"track": _texts("Files whose changes by others are told to every agent, as globs.")},
                ),
                "protect": _table(
                    "Files that are kept.",
                    {"files": _texts("Files that no agent changes, as globs; `!` in front leaves some out.")},
                ),
                "keep": _keep(),
                "contract": _contract(),
                "judge": _judge(),
                "team": _team(),
                "otel": _otel(),
            },
        ),
    }


def _table(means: str, properties: Schema, *, closed: bool = True) -> Schema:
    made: Schema = {"type": "object", "description": means, "properties": properties}
    return made | {"additionalProperties": False} if closed else made


def _texts(means: str) -> Schema:
    return {"type": "array", "items": _TEXT, "default": [], "description": means}


def _rules() -> Schema:
    found: Schema = {}
    for rule in discover():
        one = _table(f"{rule.code}: {rule.rule.summary}", {"enabled": _YES})
        found |= {rule.id: one, rule.code: one}
    return _table("Rules by their name or code.", found)


def _interrupts(policy: Policy) -> Schema:
    numbers: Schema = {
        name: _COUNT
        | {"maximum": MOST_INTERRUPTS, "default": getattr(policy, field), "description": _NUMBER_MEANS[name]}
        for name, field in INTERRUPTS.items()
    }
    return _table("How much is said in a session.", numbers)


def _keep() -> Schema:
    means = {
        "file_mb": "Megabytes of the largest file that is copied.",
        "total_mb": "Megabytes of room for all copies of a work tree; the oldest go.",
    }
    numbers: Schema = {
        name: {"type": "integer", "minimum": 1, "maximum": most, "default": getattr(KeepSettings(), name)}
        | {"description": means[name]}
        for name, most in MOST_KEPT.items()
    }
    enabled = _YES | {"description": "Whether work that is in no commit is noted and copied."}
    return _table("Copies of your work; counts in your own settings alone.", {"enabled": enabled, **numbers})


def _goal() -> Schema:
    return _table(
        "What holds in every session.",
        {
            "scope": _texts("Places that belong to the work of every session, as globs."),
            "constraints": _texts("Limits every session starts with, as you would write them in a prompt."),
        },
    )


def _contract() -> Schema:
    """Keys that nobody knows are left alone in it, because other tools keep theirs in the same table."""
    properties: Schema = {
        "schema": {"const": SCHEMA, "default": SCHEMA, "description": "Version of the contract's keys."},
        "mode": {"enum": list(MODES), "default": "core", "description": "Kind of work: which checks hold."},
        "objective": {"type": "string", "description": "What is to be done."},
        "non_goals": _texts("What is not to be done."),
        "touch": _texts("What the work may touch, as globs from the repository's root; empty: anything."),
        "acceptance": _texts("Shell commands that show that it is done, for `leeboard check --run-acceptance`."),
        "max_files": _COUNT | {"description": "Files the work may change."},
        "max_loc": _COUNT | {"description": "Lines it may add and delete."},
        "pit_stop_after": _COUNT
        | {"default": PIT_STOP_AFTER, "description": "Checks in a row that are not green before a pit stop; 0: never."},
        "auto_followups": _YES | {"description": "Whether `--create-followups` makes tasks."},
    }
    known = {key: properties[key] for key in CONTRACT_KEYS}
    others: Schema = {
        other: {"anyOf": [_TEXT, _texts("")], "description": f"What other tools call `{key}`."}
        for key, names in OTHER_NAMES.items()
        for other in names
    }
    return _table("What the work has promised.", known | others, closed=False)


def _judge() -> Schema:
    defaults = {field.name: field.default for field in msgspec.structs.fields(JudgeSettings)}
    number: Schema = {"type": "number", "exclusiveMinimum": 0}
    return {
        **_table(
            "A model that may be asked for a second opinion; counts in your own settings alone.",
            {
                "endpoint": {"type": "string", "pattern": "^https?://", "description": "The address of its API."},
                "model": _TEXT | {"description": "Its name there."},
                "api": {
                    "enum": list(APIS),
                    "default": defaults["api"],
                    "description": "The form in which it is asked.",
                },
                "key_env": _TEXT | {"description": "The variable that holds the key; the key stands in no file."},
                "budget": number
                | {"type": "integer", "maximum": MOST_BUDGET, "default": defaults["budget"]}
                | {"description": "Questions in one session."},
                "seconds": number
                | {"maximum": MOST_SECONDS, "default": defaults["seconds"]}
                | {"description": "How long an answer may take."},
            },
        ),
        "required": ["endpoint", "model"],
    }


def _team() -> Schema:
    return {
        **_table(
            "A PostgreSQL database that a team shares; counts in your own settings alone.",
            {
                "url": {
                    "type": "string",
                    "pattern": URL_START,
                    "description": "Its address, without a password: that stands in ~/.pgpass.",
                },
                "projects": {
                    "type": "object",
                    "description": "The name of each project that is copied, and its folder.",
                    "propertyNames": {"pattern": NAME},
                    "additionalProperties": {"type": "string", "pattern": "^[/~]"},
                },
                "policy_keys": {
                    "type": "array",
                    "description": "Ed25519 public keys, as .pub files have them, that sign the team's policies.",
                    "items": {"type": "string", "pattern": POLICY_KEY},
                },
            },
        ),
        "required": ["url"],
    }


def _otel() -> Schema:
    return _table(
        "Whom the guard tells what it does; counts in your own settings alone.",
        {
            "endpoint": {
                "type": "string",
                "pattern": ENDPOINT,
                "description": "Of an OpenTelemetry collector that speaks OTLP over HTTP.",
            },
            "prometheus": {
                "type": "integer",
                "minimum": 0,
                "maximum": 65_535,
                "description": "The port on this machine where metrics can be read, by who has the token.",
            },
            "variables": {
                "type": "object",
                "description": "OpenTelemetry's own settings, by the names of its variables.",
                "propertyNames": {"pattern": VARIABLE},
                "additionalProperties": {"type": "string"},
            },
        },
    )
