"""One file of a project's own rules to what is judged by it: ast-grep's format, with `when`, `then` and `samples`.

The file comes from anybody: its size, depth and aliases are bounded, and what is wrong is said with line and key. One
wrong key and the rule does not count: half a rule would hold something else than was meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.model.own_rule import Does, OwnRule, OwnRules, RuleProblem, RuleSample
from leeboard.model.text import in_short, nearest

LONGEST = 1 << 16
MOST_RULES = 50
_DEEPEST = 30
_KEYS = (
    "id",
    "language",
    "message",
    "note",
    "severity",
    "url",
    "rule",
    "constraints",
    "utils",
    "when",
    "then",
    "samples",
)
_WHEN = ("tool", "path", "command", "since-last-edit")
_THEN: tuple[Does, ...] = ("say", "refuse", "log")
_SAMPLES, _SAMPLE = ("fires", "silent"), ("path", "code", "command", "ran", "tool")
_MATCHER = ("rule", "constraints", "utils")


class _WrongError(Exception):
    """A slip in a file of rules, with the key and the line it stands on."""

    def __init__(self, text: str, key: str = "", line: int = 0) -> None:
        super().__init__(text)
        self.key = key
        self.line = line


def parse_rules(text: str, file: str) -> OwnRules:
    """Every document of the file is a rule."""
    if len(text) > LONGEST:
        return _only(RuleProblem(file=file, line=1, key="", text=f"longer than {LONGEST} characters: it is not read"))
    try:
        documents = _documents(text)
    except _WrongError as wrong:
        return _only(RuleProblem(file=file, line=wrong.line or 1, key=wrong.key, text=str(wrong)))
    rules: list[OwnRule] = []
    samples: list[RuleSample] = []
    problems: list[RuleProblem] = []
    for document in documents[:MOST_RULES]:
        try:
            rule = _rule(document, file)
            samples += _samples(document, rule)
            rules.append(rule)
        except _WrongError as wrong:
            line = wrong.line or _line(document)
            problems.append(RuleProblem(file=file, line=line, key=wrong.key, text=str(wrong)))
    return OwnRules(rules=tuple(rules), samples=tuple(samples), problems=tuple(problems))


def _only(problem: RuleProblem) -> OwnRules:
    return OwnRules(problems=(problem,))


def _documents(text: str) -> list[Any]:
    from ruamel.yaml import YAML  # noqa: PLC0415 - only where a file of rules is new
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    try:
        depth = 0
        for event in YAML(typ="safe", pure=True).parse(text):
            name = type(event).__name__
            depth += name.endswith("StartEvent") - name.endswith("EndEvent")
            if name == "AliasEvent" or depth > _DEEPEST:
                line = event.start_mark.line + 1
                what = "an alias" if name == "AliasEvent" else f"more than {_DEEPEST} levels"
                raise _WrongError(f"{what}: write it out", line=line)
        return [document for document in YAML(typ="rt", pure=True).load_all(text) if document is not None]
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "no YAML"
        raise _WrongError(str(problem), line=mark.line + 1 if mark else 1) from error
    except (ValueError, RecursionError) as error:
        raise _WrongError("it can not be read as YAML") from error


def _line(table: Any, key: str = "") -> int:
    """The line that a key stands on, counted from one."""
    place = getattr(table, "lc", None)
    if place is None:
        return 1
    if key and place.data and key in place.data:
        return int(place.data[key][0]) + 1
    return int(place.line) + 1


def _known(table: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise _WrongError(f"has to be a table, and is {in_short(table)}", where)
    for key in table:
        if key not in names:
            near = nearest(str(key), names)
            hint = f"did you mean {near}?" if near else f"there is {', '.join(names)}"
            spelled = f"{where}.{key}" if where else str(key)
            raise _WrongError(f"is not known; {hint}", spelled, _line(table, key))
    return table


def _text(table: dict[str, Any], key: str, *, needed: bool = False) -> str:
    value = table.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or not value.strip():
        raise _WrongError(f"has to be a text, and is {in_short(value)}", key, _line(table, key))
    return value.strip()


def _texts(table: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = table.get(key, [])
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(one, str) and one.strip() for one in listed):
        raise _WrongError("has to be a text or a list of texts", f"{where}.{key}", _line(table, key))
    return tuple(str(one).strip() for one in listed)


def _rule(document: Any, file: str) -> OwnRule:
    table = _known(document, _KEYS, "")
    when = _known(table.get("when") or {}, _WHEN, "when")
    since = _known(when.get("since-last-edit") or {}, ("not-run",), "when.since-last-edit")
    does = table.get("then", "say")
    if does not in _THEN:
        raise _WrongError(f"has to be one of {', '.join(_THEN)}, and is {in_short(does)}", "then", _line(table, "then"))
    matcher = {key: _plain(table[key]) for key in _MATCHER if key in table}
    rule = OwnRule(
        id=_text(table, "id", needed=True),
        file=file,
        line=_line(table, "id"),
        message=_text(table, "message", needed=True),
        note=_text(table, "note"),
        does=does,
        language=_text(table, "language").lower(),
        matcher=matcher,
        tools=tuple(tool.lower() for tool in _texts(when, "tool", "when")),
        paths=_texts(when, "path", "when"),
        commands=_texts(when, "command", "when"),
        not_run=_texts(since, "not-run", "when.since-last-edit"),
    )
    _check(rule, table)
    return rule


def _check(rule: OwnRule, table: dict[str, Any]) -> None:
    if not (rule.matcher or rule.commands or rule.paths):
        raise _WrongError(
            "needs a `rule`, or a `path` or `command` in `when`: else it would be about everything", "rule"
        )
    if rule.matcher and rule.commands:
        raise _WrongError("`rule` is about code and `command` about shell lines: write two rules", "when.command")
    if rule.matcher:
        from leeboard.settings.own_rules.match import why_wrong  # noqa: PLC0415 - the grammars, only for rules about code

        problem = why_wrong(rule)
        if problem:
            key = "language" if "language" in problem else "rule"
            raise _WrongError(problem, key, _line(table, key))


def _samples(document: dict[str, Any], rule: OwnRule) -> Iterator[RuleSample]:
    table = _known(document.get("samples") or {}, _SAMPLES, "samples")
    for side, listed in table.items():
        if not isinstance(listed, list):
            raise _WrongError("has to be a list", f"samples.{side}", _line(table, side))
        for number, entry in enumerate(listed):
            given = _known(entry, _SAMPLE, f"samples.{side}[{number}]")
            yield RuleSample(
                rule=rule.id,
                fires=side == "fires",
                line=_line(entry),
                path=_text(given, "path"),
                code=str(given.get("code") or ""),
                command=_text(given, "command"),
                ran=_texts(given, "ran", f"samples.{side}[{number}]"),
                tool=_text(given, "tool").lower(),
            )


def _plain(value: Any) -> Any:
    """Without what the reader of YAML remembers beside a value."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, bool) or value is None:
        return value
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else str(value)
