from __future__ import annotations

import pytest

from leeboard.surfaces.agent_marks import AGENT_MARKS, agent_mark, in_agent_shell
from leeboard.surfaces.hook_client import TOLD


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_each_agent_is_known_by_its_mark(mark: str) -> None:
    assert agent_mark({mark: "1"}) == mark
    assert agent_mark({mark: ""}) == ""


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_a_hook_of_the_client_is_not_a_command_of_the_agent(mark: str) -> None:
    assert in_agent_shell({mark: "1"})
    assert not in_agent_shell({mark: "1", "CLAUDE_PROJECT_DIR": "/x"})
    assert not in_agent_shell({})
    assert mark.encode() in TOLD
