"""A hook that keeps what it is told: `python keep_payload.py FILE`, one JSON line a call."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, sys.stdin.buffer.read().strip() + b"\n")  # one write: hooks of parallel calls do not mix
    os.close(file)
