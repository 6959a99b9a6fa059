"""The desk of the command line, for what the application does in files of the user's."""

from __future__ import annotations

from tests.surfaces.cli.conftest import _drifted, desk, drifted, drifted_copy

__all__ = ["_drifted", "desk", "drifted", "drifted_copy"]
