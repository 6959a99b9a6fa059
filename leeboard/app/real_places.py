"""The real places of the files that a call names: what is written through a link counts where it lands.

Only links that lead into the work tree, or to another place of it, matter here; what lies elsewhere keeps its name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from posixpath import basename, dirname, join

from msgspec.structs import replace

from leeboard.clients.call import HookCall
from leeboard.io.system import realpath
from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed
from leeboard.model.workspace import placed
from leeboard.shell.effects import shell_effects


class RealPlaces:
    """For an agent in the work tree `root` of the project at `home`; `home` is empty where there is no other."""

    def __init__(self, root: str, home: str = "") -> None:
        self._trees = tuple((tree, realpath(tree)) for tree in dict.fromkeys((root, home)) if tree)

    def told(self, call: HookCall) -> HookCall:
        """The same hook with each file under its real place."""
        if not self._trees:
            return call
        events = tuple(map(self._event, call.events))
        return call if events == call.events else replace(call, events=events)

    def _event(self, event: Event) -> Event:
        if not isinstance(event, ToolProposed | ToolFinished):
            return event
        call, cwd = event.call, event.cwd or self._trees[0][0]
        if call.action == "bash":  # once a line has run, a link may be its own
            paths = (*call.paths, *self._reached(call, cwd)) if isinstance(event, ToolProposed) else call.paths
            return event if paths == call.paths else replace(event, call=replace(call, paths=paths))
        real = tuple(self._real(path, cwd) for path in call.paths)
        if not any(real):
            return event
        paths = tuple(found or path for found, path in zip(real, call.paths, strict=True))
        links = tuple(path for found, path in zip(real, call.paths, strict=True) if found)
        return replace(event, call=replace(call, paths=paths, links=links))

    def _reached(self, call: ToolCall, cwd: str) -> Iterator[str]:
        """Where a line writes through links; who takes a link away or sets it anew leaves alone what it leads to."""
        replaced = _replaced(call.command, cwd)
        for touch in shell_effects(call.command, cwd).touches:
            if touch.modifies:
                is_link = touch.kind == "delete" or placed(cwd, touch.path) in replaced
                found = self._real(touch.path, cwd, is_link=is_link)
                yield from (found,) if found else ()

    def _real(self, path: str, cwd: str, *, is_link: bool = False) -> str:
        """Where it lands in one of the trees; empty where that is the place it names, or in none of them."""
        whole = placed(cwd, os.path.expanduser(path))  # noqa: PTH111 - hooks do without pathlib
        try:
            real = join(realpath(dirname(whole)), basename(whole)) if is_link else realpath(whole)
        except (OSError, ValueError):
            return ""
        if real == whole:
            return ""
        for tree, place in self._trees:
            if real == place or real.startswith(f"{place}/"):
                found = tree + real[len(place) :]
                return found if found != whole else ""
        return ""


def _replaced(command: str, cwd: str) -> frozenset[str]:
    if "ln" not in command:
        return frozenset()
    from leeboard.shell.reach.disk import replaced_links  # noqa: PLC0415 - few lines make links

    return replaced_links(command, cwd)


# What a call writes in the work trees of a workflow, by which it is known whose plan holds it.


_TREES = "/.haiku/worktrees/"


def written_in_trees(call: HookCall) -> tuple[str, ...]:
    """The files that a call writes, from the root of the disk, where all of them lie in work trees of a workflow."""
    found = [event for event in call.events if isinstance(event, ToolProposed | ToolFinished)]
    if not any(_TREES in text for event in found for text in (*event.call.paths, event.call.command)):
        return ()
    paths: list[str] = []
    for event in found:
        if event.call.action == "bash":
            effects = shell_effects(event.call.command, event.cwd or call.cwd)
            if effects.opaque:
                return ()
            paths += [touch.path for touch in effects.touches if touch.modifies]
        elif event.call.action in {"edit", "write"}:
            paths += event.call.paths
    spelled = tuple(placed(call.cwd, path) for path in paths)
    return spelled if all(_TREES in path for path in spelled) else ()
