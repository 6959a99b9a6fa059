"""The process of the server: the pipes, the loop, and the tools once they are wanted."""

from __future__ import annotations

import os

from leeboard.surfaces.mcp.channel import take_over
from leeboard.surfaces.mcp.loop import McpLoop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from leeboard.surfaces.mcp.desk import Tools


def serve(root: str = "") -> None:
    """Answer the client on stdin and stdout until it leaves. `root` is where the project is; empty: here."""
    try:
        McpLoop(take_over(), lambda: _load(root or os.getcwd())).serve()  # noqa: PTH109 - pathlib would cost a third
    except KeyboardInterrupt:
        return


def _load(root: str) -> Tools:
    from leeboard.surfaces.mcp.toolbox import Toolbox  # noqa: PLC0415 - the handshake needs none of it

    return Toolbox(root, lives_on=True)
