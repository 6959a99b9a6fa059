"""SARIF 2.1.0: what code hosts and editors read findings from. One direction only, since nobody sends us any."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from leeboard.model.digest import digest
from leeboard.model.shown import shown_line
from leeboard.model.signal import Disposition
from leeboard.model.signal_class import class_of
from leeboard.rule import LoadedRule, code_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Disposition, str] = {"FIRE": "error", "QUEUE": "warning", "LOG": "note"}
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@")


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One finding, as far as the format has a place for it."""

    rule: str
    subclass: str
    path: str
    line: int
    confidence: float
    disposition: Disposition
    message: str
    note: str = ""
    """Why it is only logged."""
    fingerprint: str


def render(
    results: Iterable[Result], rules: tuple[LoadedRule, ...], version: str, problems: Iterable[tuple[str, str]] = ()
) -> dict[str, Any]:
    """The whole log. `problems` are files that were not analysed, with the reason."""
    places = {rule.id: number for number, rule in enumerate(rules)}
    driver = {
        "name": "Leeboard",
        "semanticVersion": version,
        "version": version,
        "rules": [_rule(rule) for rule in rules],
    }
    invocation: dict[str, Any] = {"executionSuccessful": True}
    notes = [_notification(path, reason) for path, reason in problems]
    if notes:
        invocation["toolExecutionNotifications"] = notes
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, places) for result in results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: LoadedRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(part.capitalize() for part in rule.id.split("_")),
        "shortDescription": {"text": rule.rule.summary},
        "fullDescription": {"text": rule.page.partition("\n## Why")[0].replace("## What it catches\n", "").strip()},
        "help": {"text": rule.page},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"code": rule.code, "tags": _tags(rule.traits.subclass)},
    }


def _tags(subclass: str) -> list[str]:
    return [class_of(subclass).tag, subclass] if subclass else ["contract"]


def _result(result: Result, places: dict[str, int]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": result.rule,
        "level": LEVELS[result.disposition],
        "message": {"text": _text(result)},
        "locations": [_location(result.path, result.line)] if result.path else [],
        "partialFingerprints": {"leeboardFinding/v1": digest(result.fingerprint, 16)},
        "rank": round(100 * result.confidence, 1),
        "properties": {
            "code": code_of(result.rule),
            "subclass": result.subclass,
            "disposition": result.disposition,
            "confidence": result.confidence,
        },
    }
    if result.note:
        made["properties"]["note"] = result.note
    if result.rule in places:
        made["ruleIndex"] = places[result.rule]
    return made


def _text(result: Result) -> str:
    text = shown_line(result.message or result.rule)
    return f"{text} (only logged: {result.note})" if result.note else text


def _notification(path: str, reason: str) -> dict[str, Any]:
    words = shown_line(f"not analysed: {reason}")
    return {"level": "note", "message": {"text": words}, "locations": [_location(path, 0)]}


def _location(path: str, line: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if line > 0:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}


def _artifact(path: str) -> dict[str, str]:
    """Relative to where the scan ran, unless it lies elsewhere."""
    quoted = "".join(
        chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in path.encode("utf-8", "surrogateescape")
    )
    if path.startswith("/"):
        return {"uri": f"file://{quoted}"}
    return {"uri": quoted.removeprefix("./"), "uriBaseId": "%SRCROOT%"}
