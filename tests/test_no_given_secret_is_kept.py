"""Secrets go into every text that any command or tool takes; afterwards none is found in anything written or said."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.surfaces.cli.main import COMMANDS, FINDINGS, ONLY_READ, PROSE, cli, run, takes_text
from leeboard.surfaces.mcp.handlers import PROSE as PROSE_FIELDS
from leeboard.surfaces.mcp.tools import Tool, tools
from tests.flow_desk import FlowDesk
from tests.planted_secrets import Planted, found_in, grams, planted
from tests.written_bytes import written_below

KINDS = planted(45)
ALONE = [one for one in KINDS if one.alone]
_FOREVER = frozenset({"watch", "monitor", "redirect", "steer-tree", "mcp", "hook", "demo"})
"""Run until somebody ends them, or ask stdin: asked for one round, where they have one."""
_ONCE = {"watch": ["--once"], "monitor": ["--once"], "redirect": ["--once"], "steer-tree": ["--once"]}
FREE: dict[str, Callable[[Planted], str]] = {
    "as it is": lambda one: one.value,
    "in code": lambda one: one.assigned,
    "in a sentence": lambda one: f"Please use {one.assigned} until the vault works, then ask Kim.",
    "in a shell line": lambda one: f"{one.name.upper()}='{one.value}' pytest -q tests",
}
NAMES: dict[str, Callable[[Planted], str]] = {
    "as it is": lambda one: one.value,
    "as a file": lambda one: f"src/{one.value}.py",
    "as a glob": lambda one: f"src/{one.value}/**",
}


def text_parameters() -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """Every parameter of every command that takes text, with the words that lead to the command."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from _below((name,), command)


def _below(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    yield from ((path, parameter) for parameter in command.params if takes_text(parameter))
    for name, each in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _below((*path, name), each)


PARAMETERS = {f"{' '.join(path)} {parameter.name}": (path, parameter) for path, parameter in text_parameters()}


def line_with(path: tuple[str, ...], parameter: click.Parameter, text: str) -> list[str]:
    """The command with this text there, and something harmless wherever else it needs a word."""
    command: click.Command = cli
    for word in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(cli), word) or command
    words = [*path, *_ONCE.get(path[0], ())]
    for each in command.params:
        given = text if each is parameter else _harmless(each) if each.required else None
        if given is not None and isinstance(each, click.Option):
            words += [f"{max(each.opts, key=len)}={given}"]
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    last = max(
        (at for at, each in enumerate(arguments) if each is parameter or each.required or each.name == "what"),
        default=-1,
    )
    return [*words, "--", *(text if each is parameter else _harmless(each) for each in arguments[: last + 1])]


def _harmless(parameter: click.Parameter) -> str:
    if isinstance(parameter.type, click.Choice):
        return str(parameter.type.choices[0])
    return {"unit": "unit-01-left", "finding": "FB-01", "what": "scope_drift", "age": "30d"}.get(
        parameter.name or "", "src"
    )


class Given:
    """A desk at a gate of a workflow, with a contract and a finding, and all that was said there."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        for name in ("CONFIG", "CACHE", "RUNTIME"):
            patch.setenv(f"LEEBOARD_{name}_DIR", str(folder / name.lower()))
        patch.setenv("HOME", str(folder / "home"))
        self.desk = FlowDesk(folder, patch)
        self.folder = folder
        self.desk.at_plan_gate()
        self.said: list[tuple[str, bytes]] = []
        for line in (
            ["contract", "start", "--goal", "do it", "--touch", "src/**"],
            ["flow", "feedback", "add", "It is slow", "--as", "inline_fix"],
        ):
            assert run(line) == 0

    def command(self, words: list[str]) -> None:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            if words[:2] == ["contract", "start"]:
                run(["contract", "end"])  # else another would be in its way
            run(words)
        self.said.append((" ".join(words[:3]), (out.getvalue() + err.getvalue()).encode("utf-8", "replace")))

    def tool(self, name: str, arguments: dict[str, Any]) -> None:
        answer = self.desk(name.removeprefix("haiku_"), **arguments)
        self.said.append((name, f"{answer.json}{answer.words}".encode()))

    def leaks(self, secrets: list[Planted]) -> set[tuple[str, bytes]]:
        wanted = grams(secrets)
        told = (*written_below(self.folder), *self.said)
        return {(place, piece) for place, data in told for piece in found_in(data, wanted)}


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Given:
    return Given(tmp_path, monkeypatch)


def test_every_text_of_every_command_is_watched() -> None:
    """A new option is refused where it holds a secret, unless somebody says here that it may be prose."""
    assert {*PROSE, *ONLY_READ, *FINDINGS} <= set(PARAMETERS)
    assert len(PARAMETERS) > 100
    for name, (_path, parameter) in PARAMETERS.items():
        assert type(parameter.callback).__name__ == "Watched", name


def test_no_secret_in_any_text_of_any_command_is_kept_or_said(stand: Given) -> None:
    secrets: list[Planted] = []
    for number, (name, (path, parameter)) in enumerate(PARAMETERS.items()):
        if path[0] in {"mcp", "hook", "demo"}:
            continue
        forms = FREE if name in PROSE or name == "contract start acceptance" else NAMES
        kinds = KINDS if forms is FREE else ALONE
        for at, (form, made) in enumerate(forms.items()):
            one = kinds[(number * len(forms) + at) % len(kinds)]
            one = one if one.alone or form != "as it is" else ALONE[number % len(ALONE)]
            secrets.append(one)
            stand.command(line_with(path, parameter, made(one)))
    assert stand.leaks(secrets) == set()


def string_fields(tool: Tool) -> Iterator[tuple[str, ...]]:
    """Every field that takes text, as the way there."""
    for name, schema in tool.fields.items():
        yield from _ways((name,), schema)


def _ways(way: tuple[str, ...], schema: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    if schema.get("type", "string") == "string" and "enum" not in schema:
        yield way
    elif schema.get("type") == "array":
        yield from _ways((*way, "[]"), schema["items"])
    for name, inner in schema.get("properties", {}).items():
        yield from _ways((*way, name), inner)


FIELDS = {f"{tool.name} {'.'.join(way)}": (tool, way) for tool in tools() for way in string_fields(tool)}


def arguments_with(tool: Tool, way: tuple[str, ...], text: str) -> dict[str, Any]:
    made = {name: _plain(name, tool.fields[name]) for name in tool.required}
    made[way[0]] = _filled(tool.fields[way[0]], way[1:], text)
    return made


def _filled(schema: dict[str, Any], way: tuple[str, ...], text: str) -> Any:
    if not way:
        return text
    if way[0] == "[]":
        return [_filled(schema["items"], way[1:], text)]
    inner = schema["properties"]
    return {
        **{name: _plain(name, inner[name]) for name in schema.get("required", ())},
        way[0]: _filled(inner[way[0]], way[1:], text),
    }


def _plain(name: str, schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") in {"boolean", "array"}:
        return (schema["type"] == "boolean" and False) or ([] if schema["type"] == "array" else False)
    known = {"unit": "unit-01-left", "feedback_id": "FB-01", "intent": "thing", "path": "knowledge/a.md"}
    return known.get(name, "plain")


def test_no_secret_in_any_field_of_any_tool_is_kept_or_said(stand: Given) -> None:
    assert len(FIELDS) > 120
    assert {way[-1] if way[-1] != "[]" else way[-2] for _tool, way in FIELDS.values()} >= PROSE_FIELDS
    secrets: list[Planted] = []
    for number, (tool, way) in enumerate(FIELDS.values()):
        for at, made in enumerate(FREE.values()):
            one = KINDS[(number * 4 + at) % len(KINDS)]
            one = one if one.alone or at else ALONE[number % len(ALONE)]
            secrets.append(one)
            stand.tool(tool.name, arguments_with(tool, way, made(one)))
    assert stand.leaks(secrets) == set()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(PROSE | {"contract start acceptance"})),
    number=st.integers(0, 10_000),
    form=st.sampled_from(sorted(FREE)),
    before=st.text(max_size=40),
)
def test_a_secret_anywhere_in_what_is_said_is_not_kept(
    stand: Given, name: str, number: int, form: str, before: str
) -> None:
    one = planted(number + 1)[number] if number < 200 else KINDS[number % len(KINDS)]
    one = one if one.alone or form != "as it is" else ALONE[number % len(ALONE)]
    path, parameter = PARAMETERS[name]
    stand.command(line_with(path, parameter, f"{before.replace(chr(0), '')} {FREE[form](one)}"))
    assert stand.leaks([one]) == set()


def test_what_was_looked_for_would_be_found(stand: Given) -> None:
    """In a file, a database, a commit, the name of a branch, and what was said."""
    (first, second, third, *_rest) = ALONE
    stand.desk.repository.write("a.txt", first.value)
    stand.desk.repository.commit(second.value)
    stand.desk.repository.remove("a.txt")
    stand.desk.repository.run("branch", third.value)
    for one in (first, second, third):
        assert stand.leaks([one])
