"""Redirecting as a process does it: alone at each folder, round after round."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import isdir, join

import msgspec

from leeboard.errors import EffectError, LeeboardError
from leeboard.io.lock import Sole
from leeboard.surfaces._rounds import Rounds
from leeboard.surfaces.cli._drift_teller import Teller
from leeboard.surfaces.drift_actions import Wanted
from leeboard.surfaces.redirect import Redirect, redirects

LOCK = "redirect.lock"
_AGAIN_SECONDS = 0.5


class How(msgspec.Struct, frozen=True, kw_only=True):
    """How a redirect goes about it."""

    wanted: Wanted
    from_start: bool = False
    wait: bool = False
    """For another redirect to end, rather than to fail."""


class RedirectDuty:
    """Of one work tree."""

    def __init__(self, root: str, env: Mapping[str, str], how: How) -> None:
        self._root, self._env, self._how = root, env, how
        self._alone: dict[str, Sole] = {}
        self._replayed: set[str] = set()

    def round(self, rounds: Rounds, teller: Teller) -> int:
        """The exit code there would be if it were the only round. Raises EffectError where another is at work."""
        try:
            found = redirects(self._root, self._env, self._how.wanted)
        except LeeboardError as error:
            teller.note(str(error), "redirect")
            return error.exit_code
        teller.is_well("redirect")
        codes = [self._acted(one, rounds, teller) for one in found if isdir(one.folder.path)]
        return max(codes, default=0)

    def end(self) -> None:
        for one in self._alone.values():
            one.give_back()

    def _acted(self, redirect: Redirect, rounds: Rounds, teller: Teller) -> int:
        path = redirect.folder.path
        if not self._is_alone(path, rounds, teller):
            return 0
        try:
            self._drained(redirect, rounds, teller)
        except (LeeboardError, OSError) as error:
            teller.note(f"not done, to be tried again: {error}", path)
            return error.exit_code if isinstance(error, LeeboardError) else EffectError.exit_code
        teller.is_well(path)
        return 0

    def _drained(self, redirect: Redirect, rounds: Rounds, teller: Teller) -> None:
        path = redirect.folder.path
        again = redirect.replay() if self._how.from_start and path not in self._replayed else iter(())
        for events in (again, redirect.round()):
            for handled in events:
                teller.handled(handled)
                if rounds.is_over:
                    return
            self._replayed.add(path)

    def _is_alone(self, path: str, rounds: Rounds, teller: Teller) -> bool:
        """Whether the folder is ours; waits for it where that is wanted, until a signal comes."""
        sole = self._alone.setdefault(path, Sole(join(path, LOCK)))
        while not sole.take():
            if not self._how.wait:
                raise EffectError(f"another redirect is at work in {path}: end it, or wait for it with --wait")
            teller.note(f"waiting for another redirect in {path}")
            if not rounds.rest(_AGAIN_SECONDS):
                return False
        return True
