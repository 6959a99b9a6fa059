"""An operator's word that a lost baseline may be made anew from what is there: `.baseline-ack`, signed, for one use.

It names the digest of exactly what the operator was shown. Once anything of that differs it is good for nothing, so an
agent can not slip a change under it; nor can it write one itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

import msgspec

from leeboard.errors import LeeboardError
from leeboard.model.truth import Standing, SurfaceFile
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.signed_lines import Signer
from leeboard.plan.disk.truth import places
from leeboard.plan.disk.truth.record import TruthRecord
from leeboard.plan.files.truth import BaselineAck, parse_ack, parse_thrash, ticks_to_wait

LOST: tuple[Standing, ...] = ("missing", "corrupt", "altered")


def diff_hash(slug: str, scope: str, files: Iterable[SurfaceFile]) -> str:
    """Of everything that a baseline would take as it is."""
    found = sorted((file.path, file.sha256) for file in files)
    return sha256(msgspec.json.encode([slug, scope, found])).hexdigest()


def accepted(
    folder: PlanFolder, slug: str, lost: Mapping[str, Mapping[str, SurfaceFile]]
) -> tuple[dict[str, str], list[str]]:
    """Scope to the digest an operator accepted, where it is still the one of what is there; and what is to be said."""
    good: dict[str, str] = {}
    notes = []
    for scope, files in lost.items():
        ack = read_ack(folder, slug, scope)
        if ack is None:
            if folder.names(places.below(slug, places.scope_folder(scope).rstrip("/"))).count(".baseline-ack"):
                notes.append(f"{places.ack_file(scope)} was not written by an operator: it counts for nothing")
        elif ack.diff_hash == diff_hash(slug, scope, files.values()):
            good[scope] = ack.diff_hash
        else:
            notes.append(f"files changed since the reset of {scope or 'the intent'} was accepted: accept it again")
    return good, notes


def read_ack(folder: PlanFolder, slug: str, scope: str) -> BaselineAck | None:
    """None where there is none, or somebody else wrote it."""
    path = places.below(slug, places.ack_file(scope))
    try:
        data = folder.read(path)
    except LeeboardError:
        return None
    fields = Signer(folder, path).verified(data) if data else None
    return parse_ack(msgspec.json.encode(fields)) if fields else None


def write_ack(folder: PlanFolder, slug: str, scope: str, ack: BaselineAck) -> None:
    path = places.below(slug, places.ack_file(scope))
    folder.write(path, Signer(folder, path).signed(msgspec.to_builtins(ack)) + b"\n")


def worn_for(record: TruthRecord, scope: str, tick: int) -> int:
    """Ticks that a baseline which was lost too often lately has to wait for; 0: none."""
    return ticks_to_wait(parse_thrash(record.thrash(scope)), tick)
