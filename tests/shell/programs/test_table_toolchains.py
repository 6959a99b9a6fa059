"""Package managers: what fetches, what runs project code, what only looks."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("npm install x", "network opaque"),
    ("npm ci", "network opaque"),
    ("yarn", "network opaque"),
    ("pip install x", "network opaque"),
    ("python -m pip install x", "network opaque"),
    ("uv add x", "network opaque"),
    ("cargo add x", "network opaque"),
    ("go get x", "network opaque"),
    ("apt-get install -y x", "network opaque"),
    ("npm test", ""),
    ("npm run test:unit", ""),
    ("npm run build", "opaque"),
    ("cargo test && go test ./... && cargo clippy && go vet", ""),
    ("cargo clippy --fix", "opaque"),
    ("cargo build", "opaque"),
    ("npm ls; pip list; cargo tree; go list", ""),
    ("npm --version", ""),
    ("npm audit fix", "network opaque"),
    ("gh pr view 1", "network"),
    ("gh pr checkout 1", "network opaque"),
    ("make", "opaque"),
    ("make --version", ""),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
