"""The judge of the splicing figures: what `leeboard replay --json` says of a transcript."""

from __future__ import annotations

from leeboard.surfaces.replay import replay_bytes

__all__ = ["replay_bytes"]
