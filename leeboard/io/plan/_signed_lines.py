"""Lines that only this machine's Leeboard can have written: one JSON object each, with a keyed digest over it.

What somebody else appended counts as nothing and is reported. A half line, left by a writer that was killed, is passed
over. Where no key can be had, lines are neither signed nor checked.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.io.plan._folder import Folder
from leeboard.io.secret_key import secret_key

MOST_BYTES = 1 << 20


def append_signed(folder: Folder, path: str, fields: Mapping[str, Any]) -> None:
    """A line that says what the last one says is that line."""
    lines, _ = read_signed(folder, path)
    if lines and lines[-1] == msgspec.to_builtins(fields):
        return
    key = secret_key()
    signed = dict(fields) | ({"mac": _mac(key, path, fields)} if key else {})
    folder.append(path, msgspec.json.encode(signed))


def read_signed(folder: Folder, path: str) -> tuple[list[dict[str, Any]], int]:
    """The lines that count, oldest first, and how many do not."""
    key, good, bad = secret_key(), [], 0
    for line in folder.tail(path, MOST_BYTES).splitlines():
        fields = _decoded(line)
        mac = fields.pop("mac", "")
        if not fields:
            continue
        if key and not hmac.compare_digest(str(mac).encode(), _mac(key, path, fields).encode()):
            bad += 1
        else:
            good.append(fields)
    return good, bad


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _mac(key: bytes, path: str, fields: Mapping[str, Any]) -> str:
    text = msgspec.json.encode([path, fields], order="deterministic")
    return hmac.new(key, text, "sha256").hexdigest()[:32]
