"""Whether somebody asked."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.drift import asks_for_packages, speaks_of
from leeboard.contracts.manifest.package import Package
from leeboard.model.contract import Contract
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from tests.tree_rules import changed, tree_event


def world(*goals: str) -> World:
    return World(
        session=Session(id="s", goals=tuple(Goal(text=text, exchange=0) for text in goals)),
        agent=AgentState(),
        analysis=Analysis(event=tree_event(changed())),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )


@pytest.mark.parametrize(
    ("objective", "asked"),
    [
        ("Upgrade dependencies", True),
        ("Update all outdated deps and fix what breaks", True),
        ("Bump the lock file", True),
        ("Add the missing test dependencies", True),
        ("Replace moment with a new library", True),
        ("Add retries without adding dependencies", False),
        ("Do not add new dependencies", False),
        ("Add a parser; don't add any dependencies", False),
        ("Fix the date format", False),
        ("Add a package for authentication", False),
        ("Resolve dependency injection bugs", False),
    ],
)
def test_dependencies_in_general(objective: str, *, asked: bool) -> None:
    assert asks_for_packages(world(), Contract(objective=objective)) is asked
    assert asks_for_packages(world(objective), Contract()) is asked


@pytest.mark.parametrize(
    ("objective", "entry", "named"),
    [
        ("Use httpx for the client", Package("pypi", "httpx"), True),
        ("Use python_dateutil", Package("pypi", "python-dateutil"), True),
        ("Use cobra for commands", Package("go", "github.com/spf13/cobra"), True),
        ("Log with logback-classic", Package("maven", "ch.qos.logback:logback-classic"), True),
        ("Use @types/node", Package("npm", "@types/node"), True),
        ("Do not use httpx", Package("pypi", "httpx"), False),
        ("Use httpx-like calls", Package("pypi", "httpx"), False),
        ("Fix the client", Package("pypi", "httpx"), False),
    ],
)
def test_one_package(objective: str, entry: Package, *, named: bool) -> None:
    assert speaks_of(world(), Contract(objective=objective), entry) is named
    assert speaks_of(world(objective), Contract(), entry) is named


def test_acceptance_counts() -> None:
    assert speaks_of(world(), Contract(acceptance=("pytest -q",)), Package("pypi", "pytest"))
