"""The files in which the truth of an intent is kept, under one seal: baselines, markers, the open dispatch.

Whoever writes one of them by hand could make a change vanish. So each is sealed by its digest: a baseline that the
engine did not write is `altered`; markers and a dispatch like that count for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

import msgspec

from leeboard.errors import LeeboardError, WireError
from leeboard.model.truth import ABSENT, INTENT_SCOPE, BaselineEntry, Dispatch, Marker, Standing, SurfaceFile
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.seal import DRIFT_SEAL, Seal, Signer
from leeboard.plan.disk.truth.action_log import was_established
from leeboard.plan.disk.truth.surface import MOST_BYTES, digest_of
from leeboard.plan.files.truth import (
    BaselineAck,
    parse_ack,
    parse_baseline,
    parse_dispatch,
    parse_markers,
    parse_thrash,
    ticks_to_wait,
)
from leeboard.plan.surface import KNOWLEDGE

Found = tuple[Standing, str]
"""How a baseline stands, and why."""
_UNREAD = ""


def kept_files(scopes: tuple[str, ...]) -> tuple[str, ...]:
    """All that is sealed, below the intent's folder."""
    of_scopes = (each for scope in scopes for each in (layout.baseline_file(scope), layout.thrash_file(scope)))
    return (*of_scopes, layout.MARKERS, layout.DISPATCH)


def digests_now(folder: PlanFolder, slug: str, scopes: tuple[str, ...]) -> dict[str, str]:
    """The digests of the files that are there; empty for one that can not be read."""
    found = {path: digest_of(folder, layout.below(slug, path)) for path in kept_files(scopes)}
    return {path: digest or _UNREAD for path, digest in found.items() if digest != ABSENT}


class TruthRecord:
    """As it was found: `digests` are those of the files that are there. Their contents are read when they are needed.

    `known` are digests of baselines that were read before, and are in order.
    """

    def __init__(
        self, folder: PlanFolder, slug: str, digests: Mapping[str, str], known: Collection[str] = frozenset()
    ) -> None:
        self._folder = folder
        self._slug = slug
        self._digests = dict(digests)
        self._known = known
        self._parsed: dict[str, dict[str, BaselineEntry]] = {}
        self._seal = Seal(folder, slug, DRIFT_SEAL)
        self._seal.check({path: {"sha256": digest} for path, digest in self._digests.items()})
        self.notes: list[str] = []
        """What is there and counts for nothing."""

    def standing(self, scope: str) -> Found:
        path = layout.baseline_file(scope)
        digest = self._digests.get(path)
        if digest is None:
            return self._absent(scope, path)
        if digest == _UNREAD:
            return "corrupt", f"{path} is no file that can be read"
        if not self._is_ours(path):
            return "altered", f"{path} was written by somebody else"
        if digest not in self._known:
            try:
                self._entries(scope)
            except WireError as error:
                return "corrupt", f"{path} can not be read as a baseline: {error}"
        return "established", ""

    def entries(self, scope: str) -> dict[str, BaselineEntry]:
        """Nothing where there is no baseline that can be read, whoever wrote it."""
        try:
            return self._entries(scope)
        except WireError:
            return {}

    def digest(self, scope: str) -> str:
        """The digest of the baseline's file; empty where there is none."""
        return self._digests.get(layout.baseline_file(scope), "")

    def earlier_knowledge(self, stage: str) -> dict[str, BaselineEntry]:
        """What an earlier tool kept of the intent's knowledge in the baseline of this stage."""
        path = layout.baseline_file(stage)
        try:
            found = parse_baseline(self._data(path) or b"{}") if self._is_ours(path) else {}
        except WireError:
            return {}
        return {path: entry for path, entry in found.items() if path.startswith(f"{KNOWLEDGE}/")}

    def markers(self) -> tuple[Marker, ...]:
        """All of them; none where somebody else wrote the file, so that nothing is hidden by it."""
        data = self._trusted(layout.MARKERS)
        try:
            return parse_markers(data) if data else ()
        except WireError as error:
            self.notes.append(f"{layout.MARKERS} can not be read and counts for nothing: {error}")
            return ()

    def dispatch(self) -> Dispatch | None:
        data = self._trusted(layout.DISPATCH)
        return parse_dispatch(data) if data else None

    def thrash(self, scope: str) -> bytes:
        return self._trusted(layout.thrash_file(scope)) or b""

    def write(self, changes: Mapping[str, bytes | None]) -> None:
        """Each file whole or not at all; None takes one away. Killed in between, what is there is still ours."""
        coming = {path: _sealed(data) for path, data in changes.items()}
        self._seal.expect(coming.items())
        for path, data in changes.items():
            if data is None:
                self._folder.remove(layout.below(self._slug, path))
            else:
                self._folder.write(layout.below(self._slug, path), data)
        self._seal.settle(coming)

    def is_good(self, scope: str, data: bytes) -> bool:
        """Whether this was the baseline that the engine wrote last."""
        path = layout.baseline_file(scope)
        return self._seal.knows(path) and self._seal.admits(path, _sealed(data))

    def forget(self) -> None:
        """An intent begins anew: nothing is known of its files."""
        self._seal.begin()
        self._folder.remove(layout.below(self._slug, DRIFT_SEAL))

    def _data(self, path: str) -> bytes | None:
        """What is there, if it is still what its digest says."""
        try:
            data = self._folder.read(layout.below(self._slug, path), MOST_BYTES)
        except LeeboardError:
            return None
        return data if data is not None and sha256(data).hexdigest() == self._digests.get(path) else None

    def _is_ours(self, path: str) -> bool:
        digest = self._digests.get(path)
        return self._seal.admits(path, {} if digest is None else {"sha256": digest})

    def _trusted(self, path: str) -> bytes | None:
        if path not in self._digests and self._is_ours(path):
            return None
        data = self._data(path) if self._is_ours(path) else None
        if data is None:
            self.notes.append(f"{path} was changed by somebody else, and counts for nothing")
        return data

    def _absent(self, scope: str, path: str) -> Found:
        """It was there once where the seal knows it or is gone itself, or the log says so."""
        known = DRIFT_SEAL in self._seal.tampered or not self._is_ours(path)
        if known or was_established(self._folder, self._slug, scope):
            return "missing", f"{path} is gone"
        return "unestablished", ""

    def _entries(self, scope: str) -> dict[str, BaselineEntry]:
        found = self._parsed.get(scope)
        if found is None:
            path = layout.baseline_file(scope)
            data = self._data(path)
            if data is None and path in self._digests:
                raise WireError("it changed while it was read")
            found = parse_baseline(data or b"{}")
            if scope != INTENT_SCOPE and any(path.startswith(f"{KNOWLEDGE}/") for path in found):
                found = {path: entry for path, entry in found.items() if not path.startswith(f"{KNOWLEDGE}/")}
            self._parsed[scope] = found
        return found


def _sealed(data: bytes | None) -> dict[str, str]:
    return {} if data is None else {"sha256": sha256(data).hexdigest()}


# An operator's word that a lost baseline may be made anew from what is there: `.baseline-ack`, signed, for one use.
#
# It names the digest of exactly what the operator was shown. Once anything of that differs it is good for nothing, so
# an agent can not slip a change under it; nor can it write one itself.


LOST: tuple[Standing, ...] = ("missing", "corrupt", "altered")


def diff_hash(slug: str, scope: str, files: Iterable[SurfaceFile]) -> str:
    """The digest of everything that a baseline would take as it is."""
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
            if folder.names(layout.below(slug, layout.scope_folder(scope).rstrip("/"))).count(".baseline-ack"):
                notes.append(f"{layout.ack_file(scope)} was not written by an operator: it counts for nothing")
        elif ack.diff_hash == diff_hash(slug, scope, files.values()):
            good[scope] = ack.diff_hash
        else:
            notes.append(f"files changed since the reset of {scope or 'the intent'} was accepted: accept it again")
    return good, notes


def read_ack(folder: PlanFolder, slug: str, scope: str) -> BaselineAck | None:
    """None where there is none, or somebody else wrote it."""
    path = layout.below(slug, layout.ack_file(scope))
    try:
        data = folder.read(path)
    except LeeboardError:
        return None
    fields = Signer(folder, path).verified(data) if data else None
    return parse_ack(msgspec.json.encode(fields)) if fields else None


def write_ack(folder: PlanFolder, slug: str, scope: str, ack: BaselineAck) -> None:
    path = layout.below(slug, layout.ack_file(scope))
    folder.write(path, Signer(folder, path).signed(msgspec.to_builtins(ack)) + b"\n")


def worn_for(record: TruthRecord, scope: str, tick: int) -> int:
    """Ticks that a baseline which was lost too often lately has to wait for; 0: none."""
    return ticks_to_wait(parse_thrash(record.thrash(scope)), tick)
