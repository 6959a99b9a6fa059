"""What each kind of sink does."""

from __future__ import annotations

import pytest

from leeboard.security.taint.table import HARM, KINDS, Kind, confidence_of


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_explained(kind: Kind) -> None:
    assert HARM[kind].noun
    assert len(HARM[kind].fix.split()) < 14


@pytest.mark.parametrize("kind", KINDS)
def test_the_more_foreign_the_surer(kind: Kind) -> None:
    request, handler = confidence_of(kind, "request"), confidence_of(kind, "handler")
    assert request >= handler >= confidence_of(kind, "parameter")
    assert confidence_of(kind, "local") <= 0.5
