"""Findings as a SARIF 2.1.0 log, for code hosts and editors. It is only written, never read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import digest, shown_line
from leeboard.model.verdict import Disposition, PlacedFinding, class_of
from leeboard.rule import LoadedRule, code_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_CWE = "CWE"
_SUPPRESSED = {"suppressed": "inSource", "allowed": "external"}
Weights = frozenset[Disposition]
_AGAINST_BASELINE = {"baseline": "unchanged", "absent": "absent"}
"""What could not stand in the baseline was not compared with it: the standard wants no such state of it."""
LEVELS: dict[Disposition, str] = {"FIRE": "error", "QUEUE": "warning", "LOG": "note"}
_MOST_TAGS = 20
"""GitHub refuses a log in which a rule has more; each result names its own weakness beside them."""
_MOST_DESCRIBED = 1024
"""Characters of a description that GitHub takes."""
_EVERYWHERE = "."
"""Where a result is placed that belongs to no file: GitHub refuses a log with a result that has no place."""
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@")


def render_sarif(
    results: Iterable[PlacedFinding],
    rules: tuple[LoadedRule, ...],
    version: str,
    problems: Iterable[tuple[str, str]] = (),
    *,
    compared: Weights = frozenset(),
) -> dict[str, Any]:
    """The whole log. `problems` are files that were not analysed, with the reason; `compared`: results of these
    weights were held beside a baseline, so each says how it stands to that.
    """
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
        "taxonomies": [_taxonomy(rules)],
        "results": _results(results, places, compared=compared),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: LoadedRule) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": rule.rule.summary},
        "fullDescription": {"text": _described(rule.page)},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": "warning"},
        "relationships": [{"target": _taxon(number), "kinds": ["superset"]} for number in _numbers(rule.id)],
        "properties": {"code": rule.code, "tags": _tags(rule)},
    }
    name = "".join(part.capitalize() for part in rule.id.split("_"))
    if name.lower() != rule.id:
        made["name"] = name  # the same as the id it would say nothing, and validators object to it
    known = _weaknesses().rules.get(rule.id)
    if known is not None:
        made["helpUri"] = _weaknesses().page.format(known.number)
        made["properties"] |= {"precision": known.precision, "security-severity": f"{known.severity:.1f}"}
    return made


def _described(page: str) -> str:
    """What the rule catches, in whole sentences as far as a code host takes them."""
    text = page.partition("\n## ")[0].replace("## What it catches\n", "").strip()
    if len(text) <= _MOST_DESCRIBED:
        return text
    start, end, _rest = text[:_MOST_DESCRIBED].rpartition(".\n" if ".\n" in text[:_MOST_DESCRIBED] else ". ")
    return f"{start}{end}".strip()


def _tags(rule: LoadedRule) -> list[str]:
    subclass = rule.traits.subclass
    filed = [class_of(subclass).tag, subclass] if subclass else ["contract"]
    kinds = (f"external/cwe/cwe-{number:03d}" for number in _numbers(rule.id))
    return [*filed, *kinds][:_MOST_TAGS]


# Numbers of the Common Weakness Enumeration, by rule and by the kind of weakness that a rule names.


class _Weakness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    severity: float
    """As code hosts have it: from 9.0 on critical, from 7.0 high, from 4.0 medium."""
    precision: Literal["very-high", "high", "medium", "low"]
    """How often it is right, as docs/precision.md has measured it."""
    kinds: dict[str, int] = {}


class _Weaknesses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    page: str
    """Where a weakness is explained, by its number."""
    rules: dict[str, _Weakness]


@lru_cache(maxsize=1)
def _weaknesses() -> _Weaknesses:
    return load("judge/cwe", _Weaknesses)


def _numbers(rule: str) -> list[int]:
    """That of the rule first, then those of its kinds as the table has them: the most frequent ones lead."""
    known = _weaknesses().rules.get(rule)
    return list(dict.fromkeys((known.number, *known.kinds.values()))) if known else []


def _number_of(result: PlacedFinding) -> int:
    """Zero where none is known. A function may be called like a kind, and stands in front of it."""
    known = _weaknesses().rules.get(result.rule)
    if known is None:
        return 0
    parts = reversed(result.what.split(":"))
    return next((known.kinds[part] for part in parts if part in known.kinds), known.number)


def _taxonomy(rules: tuple[LoadedRule, ...]) -> dict[str, Any]:
    numbers = sorted({number for rule in rules for number in _numbers(rule.id)})
    return {"name": _CWE, "taxa": [{"id": str(number)} for number in numbers]}


def _taxon(number: int) -> dict[str, Any]:
    return {"id": str(number), "toolComponent": {"name": _CWE}}


def _results(results: Iterable[PlacedFinding], places: dict[str, int], *, compared: Weights) -> list[dict[str, Any]]:
    """Those that are known by the same are numbered: a code host takes two of one fingerprint for one."""
    made, seen = [], Counter[str]()
    for result in results:
        known = digest(_known_by(result), 16)
        seen[known] += 1
        one = _result(result, places, compared=compared)
        one["partialFingerprints"] = {
            "leeboardFinding/v2": known,
            "primaryLocationLineHash": f"{known[:16]}:{seen[known]}",
        }
        made.append(one)
    return made


def _result(result: PlacedFinding, places: dict[str, int], *, compared: Weights) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": result.rule,
        "level": LEVELS[result.disposition],
        "message": {"text": _text(result)},
        "locations": [_location(result.path or _EVERYWHERE, result.line)],
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
    if number := _number_of(result):
        made["taxa"] = [_taxon(number)]
    if len(result.steps) > 1:
        made["codeFlows"] = [_code_flow(result)]
    if compared and (result.disposition in compared or result.state in _AGAINST_BASELINE):
        made["baselineState"] = _AGAINST_BASELINE.get(result.state, "new")
    if result.state in _SUPPRESSED:
        made["suppressions"] = [{"kind": _SUPPRESSED[result.state], "justification": shown_line(result.reason)}]
    return made


def _known_by(result: PlacedFinding) -> str:
    return f"{result.rule}:{result.name}:{result.what}" if result.what else result.fingerprint


def _code_flow(result: PlacedFinding) -> dict[str, Any]:
    """The lines on the way, in order."""
    steps = [{"location": _location(result.path, line)} for line in result.steps]
    return {"threadFlows": [{"locations": steps}]}


def _text(result: PlacedFinding) -> str:
    text = shown_line(result.message or result.rule)
    why = "only logged" if result.disposition == "LOG" else "no refusal"
    return f"{text} ({why}: {result.note})" if result.note else text


def _notification(path: str, reason: str) -> dict[str, Any]:
    """Of one file, or without a path of many."""
    if not path:
        return {"level": "note", "message": {"text": shown_line(reason)}}
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
