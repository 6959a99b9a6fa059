"""A repository whose user has trusted it, for tests that are about something else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.actors import actors
from leeboard.trust import record


def trust_all(root: Path | str, state: Path | str = "") -> None:
    """All that acts there, as it is now: as `leeboard trust --yes` does. `state` is the user's state directory."""
    with pytest.MonkeyPatch.context() as patch:
        if state:
            patch.setenv("LEEBOARD_STATE_DIR", str(state))
        found = actors(str(root), os.environ)
        if found:
            record.grant(str(root), found, record.PERSON)


def in_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a fixture. In this process everything is trusted, as with `--trust`, however often the files change."""
    monkeypatch.setattr(record, "_this_run", [True])
