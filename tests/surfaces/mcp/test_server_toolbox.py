from __future__ import annotations

from leeboard.surfaces.mcp.server import Toolbox
from leeboard.surfaces.mcp.tools import tools


def test_all_tools_are_listed_and_known() -> None:
    box = Toolbox("/not/there")
    assert [tool["name"] for tool in box.listed()] == [tool.name for tool in tools()]
    assert box.knows("haiku_run_next")
    assert not box.knows("haiku_unheard_of")
