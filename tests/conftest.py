"""Shown after every run: what the layout tests let pass but a reviewer should look at."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from leeboard.app.hook_origin import AGENT_MARKS, agent_above
from leeboard.io.parents import GATE_MARK, LIMIT_MARK, limit_of
from tests.memory import place_in_memory
from tests.terminal import sit_down

if TYPE_CHECKING:
    from tests.team_server import TeamServer

pytest.register_assert_rewrite("tests.drift_stand", "tests.scripted_run", "tests.shared_work")

# A change is judged by the same examples each time, however busy the machine; `make explore` looks for new ones.
_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("gate", _UNHURRIED, derandomize=True, max_examples=60)
settings.register_profile("explore", _UNHURRIED, print_blob=True)
settings.load_profile(os.environ.get("LEEBOARD_EXAMPLES", "gate"))

# What tests write is flushed to no disk: that would be a good part of their time, and no test can pull the plug.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", place_in_memory())

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background has us ignore Ctrl-C, and all that we start: some tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Some tests play people, who decide in a terminal.
sit_down()

if limit_of(os.getpid()):
    pytest.exit(f"{LIMIT_MARK} says that a gate of Leeboard's runs the tests, which play people: run them yourself", 4)
if agent_above():
    # An agent or a gate may run the tests. They play clients, agents and people of their own, so its marks end here.
    for mark in (*AGENT_MARKS, GATE_MARK):
        os.environ.pop(mark, None)
    if Path("/proc/self/comm").exists():
        Path("/proc/self/comm").write_text("claude", encoding="ascii")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    notes = [
        str(note)
        for report in terminalreporter.stats.get("passed", [])
        for name, note in getattr(report, "user_properties", [])
        if name == "review"
    ]
    if notes:
        terminalreporter.section("worth a review")
        terminalreporter.write_line("\n".join(notes))


@pytest.fixture(scope="session")
def _team_server() -> Iterator[TeamServer]:
    from tests.team_server import TeamServer  # noqa: PLC0415 - few tests need it

    server = TeamServer()
    yield server
    server.stop()


@pytest.fixture
def team_server(_team_server: TeamServer) -> TeamServer:
    """A running PostgreSQL with a team's tables, and nothing in them."""
    _team_server.empty()
    return _team_server
