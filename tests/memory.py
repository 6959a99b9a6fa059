"""A folder in memory for what tests write, where the machine has one that will do."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes: many times what a run holds at once."""


def place_in_memory() -> str:
    """It, or the usual place for temporary files: programs are run from there, and room is not always enough."""
    usual = tempfile.gettempdir()
    try:
        room = os.statvfs(MEMORY)
        if room.f_bavail * room.f_frsize < ROOM:
            return usual
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            program = Path(folder, "program")
            program.write_text("#!/bin/sh\n", encoding="ascii")
            program.chmod(0o700)
            subprocess.run((program,), check=True)
    except (OSError, subprocess.CalledProcessError):
        return usual
    return str(MEMORY)
