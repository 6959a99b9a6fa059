from __future__ import annotations

import pytest

from leeboard.app.scan.moved import kind_of_place


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/app.py", "product"),
        ("tests/test_app.py", "test"),
        ("docs/a.md", "document"),
        ("examples/a.py", "sample"),
        ("vendor/a.js", "made"),
    ],
)
def test_what_kind_of_place_a_file_is(path: str, kind: str) -> None:
    assert kind_of_place(path) == kind
