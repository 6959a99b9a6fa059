"""The files of a recorded session, as far as the recording itself shows them: what was read whole and what was written.

Held in memory while a session is played, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from leeboard.model.event import Event, ToolFinished
from leeboard.model.pattern import lazy

LARGEST = 2 << 20

_NUMBERED = lazy(r"^[ \t]{0,8}(\d{1,7})[\t→](.*)$")


class RecordedFiles:
    """`given` are files known beforehand; with them, what is not known does not exist."""

    def __init__(self, spell: Callable[[str, str], str], given: Mapping[str, str] | None = None) -> None:
        self._spell = spell
        self._texts: dict[str, str] = dict(given or {})
        self._all_known = given is not None

    def text(self, path: str) -> str | None:
        return self._texts.get(path)

    def exists(self, path: str) -> bool | None:
        return True if path in self._texts else False if self._all_known else None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - a recording tells of its own project alone
        return None

    def ignored(self, path: str) -> bool | None:
        known = self._texts.get(".gitignore")
        if known is None:
            return None
        return path in known.split() or path.rpartition("/")[2] in known.split()

    @property
    def texts(self) -> Mapping[str, str]:
        return self._texts

    def change(self, path: str, text: str) -> None:
        """Somebody the recording does not tell of has written it."""
        self._texts[path] = text

    def observe(self, event: Event) -> None:
        """What the result of a call shows of the files, before the event is judged: the file is as the call left it."""
        if not isinstance(event, ToolFinished) or event.outcome != "done":
            return
        call = event.call
        for path in call.paths[:1]:
            spelled = self._spell(path, event.cwd)
            if call.action == "read" and call.tool.lower() == "read" and call.span == (0, 0):
                shown = _unnumbered(event.output)
                self._keep(spelled, self._texts.get(spelled) if shown is None else shown)
            elif call.action in {"write", "edit"} and len(call.paths) == 1:
                self._keep(spelled, self._edited(spelled, event))

    def _edited(self, path: str, event: ToolFinished) -> str | None:
        text = self._texts.get(path)
        for edit in event.call.edits:
            if not edit.old and not edit.at:
                text = edit.new
            elif text is None or edit.old not in text:
                return None
            else:
                text = text.replace(edit.old, edit.new, 1)
        return text

    def _keep(self, path: str, text: str | None) -> None:
        if text is None or len(text) > LARGEST:
            self._texts.pop(path, None)
        else:
            self._texts[path] = text


def _unnumbered(output: str) -> str | None:
    """The file in a listing with line numbers that begins at the first line; None for anything else."""
    lines = output.split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    while found and found[-1] is None:
        found.pop()
    if not found or any(one is None for one in found):
        return None
    numbers = [int(one[1]) for one in found if one is not None]
    if numbers != list(range(1, len(numbers) + 1)):
        return None
    return "\n".join(one[2] for one in found if one is not None) + "\n"
