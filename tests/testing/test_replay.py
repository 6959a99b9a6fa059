"""The judge of the figures is the replay people run."""

from __future__ import annotations

from leeboard.surfaces import replay as surface
from leeboard.testing import replay


def test_it_is_the_same_judge() -> None:
    assert replay.replay_bytes is surface.replay_bytes
