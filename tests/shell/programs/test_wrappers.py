"""Programs that only start another one."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("sudo rm a", "delete:a"),
    ("sudo -u me -- rm a", "delete:a"),
    ("env -u X A=1 B=2 rm a", "delete:a"),
    ("env", ""),
    ("A=1 rm a", "delete:a"),
    ("time -p rm a", "delete:a"),
    ("nohup rm a", "delete:a"),
    ("nice -n 5 rm a", "delete:a"),
    ("timeout -s KILL 5 rm a", "delete:a"),
    ("command rm a", "delete:a"),
    ("command -v rm", ""),
    ("exec rm a", "delete:a"),
    ("stdbuf -oL rm a", "delete:a"),
    ("sudo env X=1 timeout 5 nice rm a", "delete:a"),
    ("command cd s; rm a", "delete:s/a"),
    ("npx tsc --noEmit", ""),
    ("uv run pytest", ""),
    ("uv run --with x python -c 'print(1)'", ""),
    ("poetry run rm a", "delete:a"),
    ("uv run script.py", "opaque"),
    ("sudo", "opaque"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
