"""The cookie as a browser sends it, among others and among nonsense."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from leeboard.surfaces.web.guard import POLICY, cookie_of


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("leeboard=abc", "abc"),
        ("a=1; leeboard=abc; b=2", "abc"),
        ("", ""),
        ("other=abc", ""),
        ("leeboard", ""),
        ("=;;\x7f", ""),
    ],
)
def test_the_cookie_is_found(given: str, found: str) -> None:
    assert cookie_of(Headers({"cookie": given})) == found


def test_the_policy_lets_in_nothing_from_elsewhere() -> None:
    assert POLICY.startswith("default-src 'none';")
    assert not {"unsafe-inline", "unsafe-eval", "http:", "https:", "*", "data:"} & {*POLICY.replace("'", "").split()}
