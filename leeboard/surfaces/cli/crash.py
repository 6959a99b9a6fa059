"""A fault of Leeboard itself: the person gets one line, whoever repairs it gets a file."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import leeboard
from leeboard.io.clock import iso, now
from leeboard.io.places import make_private_dir, state_dir
from leeboard.secrets.redaction import redact


def keep_crash(error: BaseException) -> str:
    """Write the exception down; the line to show, which says where."""
    what = f"this is a fault of Leeboard ({type(error).__name__})"
    trace = redact("".join(traceback.format_exception(error)))
    page = f"leeboard {leeboard.__version__}, python {sys.version}\n\n{trace}"
    path = Path(state_dir()) / "crashes" / f"{iso(now()).replace(':', '')}-{os.getpid()}.txt"
    try:
        make_private_dir(str(path.parent))
        path.write_text(page, encoding="utf-8", errors="replace")
        path.chmod(0o600)
    except OSError:
        return f"{what}: {redact(str(error))[:200]}; the report could not be written to {path}"
    return f"{what}; a report is in {path}"
