"""Programs that start another one for names only they will know."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("find . -name '*.py'", ""),
    ("find . -name '*.pyc' -delete", "opaque"),
    ("find . -exec rm {} \\;", "opaque"),
    ("find . -exec grep -l x {} +", ""),
    ("find . -exec sed -i s/a/b/ {} + -o -exec touch made \\;", "write:made opaque"),
    ("find . -exec sh -c 'cat \"$1\"' _ {} \\;", ""),
    ("find . -exec sh -c 'rm \"$1\"' _ {} \\;", "opaque"),
    ("find . -fprint out", "write:out"),
    ("fd -e py", ""),
    ("fd -e py -x rm {}", "opaque"),
    ("ls | xargs rm", "opaque"),
    ("ls | xargs cat", ""),
    ("ls | xargs -n 1 -P 4 grep foo", ""),
    ("ls | xargs -I{} cp {} {}.bak", "opaque"),
    ("ls | xargs -I{} sh -c 'head {} | wc'", ""),
    ("ls | xargs", ""),
    ("xargs -a list rm", "read:list opaque"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
