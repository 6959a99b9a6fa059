"""What stands below an example of an interface's description, and what only looks like one."""

from __future__ import annotations

import pytest

from leeboard.secrets.described import Examples
from leeboard.secrets.whereabouts import Whereabouts

DESCRIBED = "openapi: 3.0.0\npaths:\n  /login:\n    post:\n"


@pytest.mark.parametrize(
    ("path", "text", "is_shown"),
    [
        ("api/openapi.yaml", f"{DESCRIBED}      example:\n        password: x", True),
        ("api/openapi.yaml", f"{DESCRIBED}      description: |\n        For example:\n          password: x", True),
        ("api/openapi.yaml", f"{DESCRIBED}      default:\n        password: x", False),
        ("app/values.yaml", "server:\n  database:\n    password: x", False),
        ("app/values.yaml", "example:\n  database:\n    password: x", False),
        ("api/openapi.md", f"{DESCRIBED}      example:\n        password: x", False),
    ],
)
def test_a_key_further_out_says_so(path: str, text: str, is_shown: bool) -> None:  # noqa: FBT001 - a column
    file = Whereabouts(path, text)
    examples = Examples(path, text, file.starts, file.line_at)
    assert examples.holds(text.rindex("x")) is is_shown
