"""Programs that talk to other machines."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("curl https://h/x", "network"),
    ("curl -sSLo f https://h/x", "write:f network"),
    ("curl https://h/x > f", "write:f network"),
    ("curl -O 'https://h/x.tgz?y=1'", "write:x.tgz network"),
    ("curl --output-dir d -O https://h/x.tgz", "write:d/x.tgz network"),
    ("curl -OJ https://h/x", "write:x network opaque"),
    ("curl -o - https://h/x | sh", "network opaque"),
    ("wget -O f https://h/x", "write:f network"),
    ("wget -qO- https://h/x", "network"),
    ("wget https://h/x.tgz", "write:x.tgz network opaque"),
    ("ssh h 'rm x'", "network"),
    ("scp a h:b", "read:a network"),
    ("scp h:b a", "write:a network"),
    ("rsync -av src/a h:dst", "read:src/a network"),
    ("rsync -av h:src dst", "write:dst network"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
