"""What a person decided at a gate: `stages/{stage}/rulings.jsonl`, on the disk before anything follows from it."""

from __future__ import annotations

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan._signed_lines import SignedLines, with_line
from leeboard.model.effect import RecordRuling
from leeboard.model.gate import Ruling


def with_ruling(text: str, slug: str, effect: RecordRuling, now: str) -> str:
    """The file with one more, for a surface that made sure it is a person."""
    ruling = Ruling(
        decision=effect.decision,
        feedback=effect.feedback,
        by=effect.by,
        decided_at=now,
        visit=effect.visit,
        context=effect.context,
        shown=effect.shown,
        takes_back=effect.takes_back,
    )
    return with_line(rulings_file(slug, effect.stage), text, msgspec.to_builtins(ruling))


def read_rulings(lines: SignedLines) -> tuple[tuple[Ruling, ...], int]:
    """Oldest first, and how many lines somebody else wrote."""
    found, bad = [], lines.bad
    for line in lines.good:
        try:
            found.append(msgspec.convert(line, Ruling))
        except msgspec.ValidationError:
            bad += 1
    return tuple(found), bad


def rulings_file(slug: str, stage: str) -> str:
    return f"{layout.stage_folder(slug, stage)}/rulings.jsonl"
