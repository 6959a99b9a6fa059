"""What each kind of sink does."""

from __future__ import annotations

import pytest

from leeboard.security.taint.harm import HARM, confidence_of
from leeboard.security.taint.table import KINDS, Kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_explained(kind: Kind) -> None:
    assert HARM[kind].noun
    assert len(HARM[kind].fix.split()) < 14


@pytest.mark.parametrize("kind", KINDS)
def test_the_more_foreign_the_surer(kind: Kind) -> None:
    request, handler = confidence_of(kind, "request"), confidence_of(kind, "handler")
    assert request >= handler >= confidence_of(kind, "parameter")
    assert confidence_of(kind, "local") <= 0.5
