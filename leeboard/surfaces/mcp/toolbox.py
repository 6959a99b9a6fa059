"""All tools of a project: listed by their schemas alone, run by handlers that are loaded with the first call."""

from __future__ import annotations

from leeboard.surfaces.mcp.protocol import tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leeboard.surfaces.mcp.desk import McpCall


class Toolbox:
    """Nothing is decided by what an earlier call saw: what does not look as it did is read from disk anew.

    In a process that `lives_on` the system tells which tracked files changed between two calls.
    """

    def __init__(self, root: str, *, lives_on: bool = False) -> None:
        self._root = root
        self._lives_on = lives_on
        self._tools = {tool.name: tool for tool in tools()}

    def listed(self) -> list[dict[str, Any]]:
        return [tool.listed for tool in self._tools.values()]

    def knows(self, name: str) -> bool:
        return name in self._tools

    def run(self, name: str, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        from leeboard.plan.disk.truth.surface import WATCHES  # noqa: PLC0415 - a listing needs no engine
        from leeboard.surfaces.mcp.handlers import handle  # noqa: PLC0415 - as above

        if self._lives_on:
            WATCHES.begin()
        return handle(self._root, self._tools[name], arguments, call)
