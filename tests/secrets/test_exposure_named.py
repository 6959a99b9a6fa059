from __future__ import annotations

import pytest

from leeboard.secrets.exposure import exposures_named

KEY = "sk_" + "live_" + "aB3dE6gH9jK2mN5pQ8sT1vW4"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (f"hardcode {KEY} in src/config.py for now", ((KEY, ("src/config.py",)),)),
        (f"Please put the key in ./src/config.py:\n{KEY}\nthanks", ((KEY, ("src/config.py",)),)),
        (f"use `{KEY}` in src/a.ts, but never in b.ts", ((KEY, ("src/a.ts",)),)),
        ("set the password to hunter2 in config.yml", (("hunter2", ("config.yml",)),)),
        (f"don't hardcode {KEY} in src/config.py", ()),
        (f"here is my key {KEY}. Now fix src/a.py", ()),
        (f"hardcode {KEY}", ()),
        ("hardcode the key in src/config.py", ()),
        ("", ()),
    ],
)
def test_what_a_person_orders_to_expose(prompt: str, expected: object) -> None:
    """SW-161: only by naming that exact exposure."""
    assert exposures_named(prompt) == expected
