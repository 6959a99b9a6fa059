"""GitHub Copilot's command line run headless against the scripted API, offline and with hooks of its user."""

from __future__ import annotations

import os
import subprocess

from tests.e2e.client import LIMIT
from tests.e2e.desk import Desk
from tests.e2e.model_script import Reply, Script
from tests.e2e.scripted_api import Request, serving

COPILOT = os.environ.get("LEEBOARD_E2E_COPILOT", "")


def run_copilot(desk: Desk, prompt: str, *replies: Reply) -> tuple[int, list[Request]]:
    """How it ended, and what it asked of the model."""
    assert COPILOT, "LEEBOARD_E2E_COPILOT names no client: run `make e2e`"
    with serving(Script(main=replies)) as (api, address):
        provider = {"BASE_URL": address, "TYPE": "anthropic", "API_KEY": "fake"}
        own = {f"COPILOT_PROVIDER_{name}": value for name, value in provider.items()}
        done = subprocess.run(
            (COPILOT, "-p", prompt, "--allow-all-tools"),
            cwd=desk.repo,
            env={**desk.env, **own, "COPILOT_OFFLINE": "true", "COPILOT_MODEL": "claude-sonnet-4.5"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    return done.returncode, api.requests
