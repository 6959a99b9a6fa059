from __future__ import annotations

from leeboard.surfaces.mcp.protocol import tools
from leeboard.surfaces.mcp.server import Toolbox


def test_all_tools_are_listed_and_known() -> None:
    box = Toolbox("/not/there")
    assert [tool["name"] for tool in box.listed()] == [tool.name for tool in tools()]
    assert box.knows("haiku_run_next")
    assert not box.knows("haiku_unheard_of")
