"""A batch for every run of the suite; the command of the module runs as many as one has patience for."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.clients import client_names
from tools.fuzz import fuzz_hooks, fuzz_sessions, main, payloads, sessions

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.mark.parametrize("client", client_names())
def test_broken_payloads_of_no_client_raise_or_lock_anybody_out(client: str) -> None:
    judged = fuzz_hooks(payloads(FIXTURES, client), 450, 1, client)
    assert judged > 30, "many variants should still get as far as the judge"


@pytest.mark.parametrize("seed", range(4))
def test_broken_sessions_never_raise(seed: int) -> None:
    assert fuzz_sessions(sessions(FIXTURES), 1_200, seed) == 100


def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FIXTURES), "--count", "24", "--client", "opencode"]) == 0
    assert "opencode: 24 payloads" in capsys.readouterr().out
