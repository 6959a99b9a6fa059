"""`pyproject.toml` and `Pipfile`: every place in them that names packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.code.manifest._json_text import table, word, words
from leeboard.code.manifest._toml_text import parse_toml
from leeboard.code.manifest.package import Package, python_name
from leeboard.code.manifest.python_requirement import requirements

_NOT_OF_PIPFILE = {"source", "requires", "pipenv", "scripts"}


def read_pyproject(text: str) -> Iterator[Package]:
    """Packages of the project, its groups and its build; the project itself and its neighbours are none."""
    whole = parse_toml(text)
    ours = {python_name(word(table(whole, "project").get("name"))), *_local_sources(whole)}
    yield from (found for found in _all(whole) if found.name not in ours)


def read_pipfile(text: str) -> Iterator[Package]:
    for category, packages in parse_toml(text).items():
        if category not in _NOT_OF_PIPFILE and isinstance(packages, dict):
            yield from _by_name(packages)


def _all(whole: dict[str, Any]) -> Iterator[Package]:
    project, tool = table(whole, "project"), table(whole, "tool")
    yield from requirements(words(project.get("dependencies")))
    yield from requirements(words(table(whole, "build-system").get("requires")))
    for group in (
        table(project, "optional-dependencies"),
        table(whole, "dependency-groups"),
        table(tool, "pdm", "dev-dependencies"),
    ):
        for lines in group.values():
            yield from requirements(words(lines))
    for manager in ("uv", "rye"):
        yield from requirements(words(table(tool, manager).get("dev-dependencies")))
    for environment in table(tool, "hatch", "envs").values():
        yield from requirements(words(table(environment).get("dependencies")))
        yield from requirements(words(table(environment).get("extra-dependencies")))
    yield from _poetry(table(tool, "poetry"))


def _poetry(poetry: dict[str, Any]) -> Iterator[Package]:
    yield from _by_name(table(poetry, "dependencies"))
    yield from _by_name(table(poetry, "dev-dependencies"))
    for group in table(poetry, "group").values():
        yield from _by_name(table(group, "dependencies"))


def _by_name(packages: dict[str, Any]) -> Iterator[Package]:
    for name, spec in packages.items():
        if name.lower() != "python" and not ("path" in table(spec) or "file" in table(spec)):
            yield Package("pypi", python_name(name), _version(spec))


def _version(spec: object) -> str:
    if isinstance(spec, list):
        return ", ".join(_version(item) for item in spec)
    given = table(spec)
    return word(spec) or next((word(given.get(key)) for key in ("version", "tag", "rev", "ref") if given.get(key)), "")


def _local_sources(whole: dict[str, Any]) -> Iterator[str]:
    """Packages that are taken from this repository."""
    for name, source in table(whole, "tool", "uv", "sources").items():
        if {"workspace", "path"} & set(table(source)):
            yield python_name(name)
