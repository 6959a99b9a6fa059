"""What a person decided at a gate: `stages/{stage}/rulings.jsonl`, on the disk before anything follows from it."""

from __future__ import annotations

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan._folder import Folder
from leeboard.io.plan._signed_lines import append_signed, read_signed
from leeboard.model.effect import RecordRuling
from leeboard.model.plan import Ruling


def write_ruling(folder: Folder, slug: str, effect: RecordRuling, now: str) -> None:
    """For a surface that made sure it is a person. EffectError where it can not be kept: then nothing was decided."""
    ruling = Ruling(
        decision=effect.decision,
        feedback=effect.feedback,
        by=effect.by,
        decided_at=now,
        visit=effect.visit,
        context=effect.context,
    )
    append_signed(folder, _path(slug, effect.stage), msgspec.to_builtins(ruling))


def read_rulings(folder: Folder, slug: str, stage: str) -> tuple[tuple[Ruling, ...], int]:
    """Oldest first, and how many lines somebody else wrote."""
    lines, bad = read_signed(folder, _path(slug, stage))
    found = []
    for line in lines:
        try:
            found.append(msgspec.convert(line, Ruling))
        except msgspec.ValidationError:
            bad += 1
    return tuple(found), bad


def _path(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/rulings.jsonl"
