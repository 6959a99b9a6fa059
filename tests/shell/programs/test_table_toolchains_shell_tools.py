"""Checkers leave sources alone by intent, formatters do not."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("pytest -q tests/a.py", ""),
    ("python -m pytest", ""),
    ("jest && vitest run && tox && mypy . && eslint src && ruff check . && tsc --noEmit", ""),
    ("jest -u", "opaque"),
    ("tsc", "opaque"),
    ("ruff check --fix a.py", "write:a.py"),
    ("ruff check --fix", "opaque"),
    ("ruff format a.py b.py", "write:a.py write:b.py"),
    ("ruff format .", "opaque"),
    ("ruff format --check .", ""),
    ("black a.py", "write:a.py"),
    ("black src a.py", "write:a.py opaque"),
    ("black --check .", ""),
    ("isort --profile black a.py", "write:a.py"),
    ("prettier --write a.ts", "write:a.ts"),
    ("prettier --check .", ""),
    ("prettier --write 'src/**/*.ts'", "opaque"),
    ("eslint --fix a.js", "write:a.js"),
    ("eslint --fix .", "opaque"),
    ("gofmt -l .", ""),
    ("gofmt -w a.go", "write:a.go"),
    ("biome check --write a.ts", "write:a.ts"),
    ("rustfmt a.rs", "write:a.rs"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
