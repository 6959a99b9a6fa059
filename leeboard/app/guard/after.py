"""Afterwards is a moment too: what slipped through, said to the agent by the judge and to the person in the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.app.guard.watch import GuardWatch, events_of
from leeboard.app.settings import Resolved
from leeboard.app.settings_files import settings_files
from leeboard.app.tree_watch import Others
from leeboard.clients.call import HookCall
from leeboard.io import clock
from leeboard.model.event import FilesChanged
from leeboard.model.session import Session

if TYPE_CHECKING:
    from leeboard.app.guard.watch import Slip


class After:
    """Over one hook call. `words` are for the person, `events` for the judge, `notes` for the receipt."""

    def __init__(self, call: HookCall, resolved: Resolved, env: Mapping[str, str]) -> None:
        self._call = call
        self._resolved = resolved
        self._env = env
        self._watch = GuardWatch(call, resolved.setting.workspace, env)
        self._compared = False
        self.words = ""
        self.events: tuple[FilesChanged, ...] = ()
        self.notes: list[str] = []

    @property
    def is_due(self) -> bool:
        return self._watch.is_due

    def compare(self, session: Session | None, others: Others) -> None:
        slips = self._watch.compare(session, others)
        self._compared = True
        self.events = events_of(slips, self._call)
        ended, back = self._hooks()
        looser = self._watch.say(self._resolved.looser)
        words = self._words(slips, looser, ended=ended, back=back) if slips or looser or ended or back else ""
        self.notes = [words.removeprefix("Leeboard: ")] if words else []
        if not self._watch.is_whole:
            self.notes.append("limits: more files than can be looked at each time")
        observes = self._resolved.setting.policy.profile == "observe"
        self.words = "" if observes else words

    def keep(self, session: Session | None, *, refused: bool) -> None:
        """Before the answer: the line may run as soon as it stands."""
        if self._compared:
            if not refused:
                self._watch.begin()
            self._watch.keep(session)

    def without_told(self, changes: tuple[FilesChanged, ...]) -> tuple[FilesChanged, ...]:
        """What git saw, without what was seen by digest already."""
        told = {path for event in self.events for path in event.paths}
        left = (replace(event, paths=tuple(p for p in event.paths if p not in told)) for event in changes)
        return tuple(event for event in left if event.paths) if told else changes

    def _hooks(self) -> tuple[bool, str]:
        """Whether our hooks have just gone from the client's settings; what is said when they are back."""
        stood, stand = self._watch.stood()
        root = self._resolved.setting.workspace.root
        if stood and not stand:
            from leeboard.app.guard.off import note_off  # noqa: PLC0415 - only where the hooks have gone

            self._watch.off_since(clock.now())
            note_off(root, "a hook that still ran saw it")
            return True, ""
        if stand and (not stood or self._call.kind == "start"):
            from leeboard.app.guard.off import told_back  # noqa: PLC0415 - only where a session begins

            self._watch.off_since(0.0)
            return False, told_back(root)
        return False, ""

    def _words(self, slips: tuple[Slip, ...], looser: tuple[str, ...], *, ended: bool, back: str) -> str:
        from leeboard.app.guard.watch import person_words  # noqa: PLC0415 - only where there is something to tell

        return person_words(slips, looser, cause=self._cause(slips), ended=ended, back=back)

    def _cause(self, slips: tuple[Slip, ...]) -> str:
        named = [slip.path for slip in slips if slip.kind == "guard"]
        if named:
            return " and ".join(named)
        set_now = [name for name in ("LEEBOARD_PROFILE", "LEEBOARD_OFF") if self._env.get(name)]
        files = settings_files(self._resolved.setting.workspace.root)
        return " and ".join(set_now or files) or "settings that are gone"
