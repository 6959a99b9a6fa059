"""The names of files that a client on Windows tells, in the one spelling that everything behind this door uses.

Drives, backslashes and the spellings of Git Bash end here, whether a hook or a transcript told them. Names in a shell
line stay as they are: whoever reads the line spells them.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.clients.call import HookCall
from leeboard.model.event import Event, FilesChanged, ToolFinished, ToolProposed
from leeboard.model.workspace import System, one_spelling


def respelled_call(call: HookCall, system: System) -> HookCall:
    """The same hook; what it was told word for word, its `fields`, stays for the client's own answer."""
    if system == "posix":
        return call
    return replace(
        call,
        cwd=_place(call.cwd, system),
        transcript=_place(call.transcript, system),
        changed_settings=_place(call.changed_settings, system),
        events=tuple(respelled_event(event, system) for event in call.events),
    )


def respelled_event(event: Event, system: System) -> Event:
    if system == "posix":
        return event
    event = replace(event, cwd=_place(event.cwd, system))
    if isinstance(event, ToolProposed | ToolFinished):
        return replace(event, call=replace(event.call, paths=_names(event.call.paths, system)))
    return replace(event, paths=_names(event.paths, system)) if isinstance(event, FilesChanged) else event


def _place(path: str, system: System) -> str:
    """A folder or a file of the client's own, without the slash that some clients end it with."""
    spelled = one_spelling(path, system)
    return spelled.rstrip("/") if spelled.count("/") > 1 else spelled


def _names(paths: tuple[str, ...], system: System) -> tuple[str, ...]:
    return tuple(one_spelling(path, system) for path in paths)
