"""Names that are one slip away from another package."""

from __future__ import annotations

import pytest

from leeboard.app.replay import RecordedFiles
from leeboard.contracts.manifest.lookalike import looks_like
from leeboard.model.workspace import Workspace

FILES = RecordedFiles(
    Workspace("/repo").spell, {"package.json": '{"dependencies": {"@acme/billing": "1", "acme-forms": "1"}}'}
)


@pytest.mark.parametrize(
    ("ecosystem", "name", "other"),
    [
        ("pypi", "reqeusts", "requests"),
        ("pypi", "request", "requests"),
        ("pypi", "Requests", ""),
        ("pypi", "python_dateutil", ""),
        ("pypi", "pythondateutil", "python-dateutil"),
        ("npm", "expresss", "express"),
        ("npm", "acme-form", "acme-forms"),
        ("npm", "@acme/biling", ""),
        ("npm", "vue", ""),
        ("npm", "wholly-unheard-of-thing", ""),
        ("cargo", "serdee", ""),
    ],
)
def test_what_a_name_may_be_meant_for(ecosystem: str, name: str, other: str) -> None:
    assert looks_like(ecosystem, name, FILES) == other
