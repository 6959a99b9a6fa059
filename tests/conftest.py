"""Shown after every run: what the layout tests let pass but a reviewer should look at."""

from __future__ import annotations

import signal

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background has us ignore Ctrl-C, and all that we start: some tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
