"""What a shell line does, remembered: the way in for everybody who only asks about lines that an agent runs."""

from __future__ import annotations

import re
from functools import lru_cache

from leeboard.model.event import ToolCall
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects


@lru_cache(maxsize=64)
def shell_effects(command: str, cwd: str) -> ShellEffects:
    """Each line is asked about when it is proposed and again when it is done."""
    from leeboard.shell.understand import (  # noqa: PLC0415 - as much import cost as all the rest, for shell lines only
        understand,
    )

    return understand(command, cwd)


# Which calls may change files that nobody can name beforehand, for all that anybody knows.
#
# Wider than what counts as opaque: a test runner that only checks may write snapshots, or what a plugin of it makes.


_ONLY_LOOKS = lazy(
    r"(?:awk|basename|bat|cat|cd|cut|date|df|diff|dirname|du|echo|egrep|env|export|false|fgrep|file|grep|head|id|jq|less"
    r"|ls|md5sum|more|nl|printf|ps|pwd|readlink|realpath|rg|seq|sha256sum|sleep|sort|stat|tac|tail|test|tr|tree|true"
    r"|type|uname|uniq|wc|which|whoami|xxd|\[|git (?:blame|branch|diff|grep|log|ls-files|rev-parse|show|status))$"
)
_OF_A_SERVER = "mcp__"
_READS = lazy(
    r"(?:check|count|describe|fetch|find|get|list|look|query|read|search|show|status|think|view)", re.IGNORECASE
)


def may_change(call: ToolCall, effects: ShellEffects) -> bool:
    """Any shell line but one that only looks, and any tool of a server whose name does not say that it reads."""
    if call.action == "bash":
        return effects.opaque or not all(map(_ONLY_LOOKS.match, effects.programs))
    name = call.tool.rpartition("__")[2]
    return call.action == "other" and call.tool.startswith(_OF_A_SERVER) and not _READS.match(name)
