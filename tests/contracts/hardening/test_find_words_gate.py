from __future__ import annotations

import pytest

from leeboard.contracts.hardening.find import is_parsed, is_worth_a_look


@pytest.mark.parametrize(
    ("written", "language", "expected"),
    [
        ("except Exception:", "python", True),
        ("except KeyError:", "python", False),
        ("for i in range(3):\n    try:\n        f()\n    except E:\n        pass", "python", True),
        ("x = isNewUser(entries)", "javascript", False),
        ("if err != nil {\n\treturn err\n}", "go", False),
        ("if err != nil {\n\treturn nil\n}", "go", True),
        ("maxRetries: 3", "typescript", True),
        ("os.environ['HOME']", "python", False),
        ("os.environ['ENABLE_X']", "python", True),
        ("if a is None:\n    return\n" * 2, "python", False),
        ("if a is None:\n    return\n" * 3, "python", True),
        ("retry", "", False),
    ],
)
def test_few_lines_are_worth_it(written: str, language: str, *, expected: bool) -> None:
    assert is_worth_a_look(written, language) == expected


def test_what_is_parsed() -> None:
    assert is_parsed("kotlin")
    assert not is_parsed("bash")
