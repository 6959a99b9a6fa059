"""What changed in a text, as people read it: bounded, and without any secret."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

from leeboard.code.redaction import redact

MOST_LINES, MOST_CHARACTERS = 200, 64 << 10
_LONGEST_LINE = 1000
_MOST_PAIRS = 200_000
"""Of lines that are compared with each other; above it the old text is shown as replaced by the new one."""


def unified(before: str, after: str, path: str) -> str:
    """Of two texts; `before` is empty for a new file."""
    old, new = before.splitlines(), after.splitlines()
    start, end = _common(old, new)
    if (len(old) - start - end) * (len(new) - start - end) > _MOST_PAIRS:
        lines = _replaced(old, new, start, end)
    else:
        lines = list(islice(unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""), MOST_LINES + 1))
    shown = [line[:_LONGEST_LINE] for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"[cut after {MOST_LINES} lines: read the file]")
    return redact("\n".join(shown) + "\n")[:MOST_CHARACTERS]


def _common(old: list[str], new: list[str]) -> tuple[int, int]:
    """Lines that are the same at the beginning, and at the end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return start, end


def _replaced(old: list[str], new: list[str], start: int, end: int) -> list[str]:
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    head = f"@@ -{start + 1},{len(gone)} +{start + 1},{len(come)} @@ [replaced as a whole]"
    each = MOST_LINES // 2
    return [head, *(f"-{line}" for line in gone[:each]), *(f"+{line}" for line in come[: each + 1])]
