"""Which processes of the machine are the guard's own: a line that ends one of them by its number ends the guard."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.handle import RunSetting
from leeboard.clients.call import HookCall
from leeboard.errors import LeeboardError
from leeboard.io import places
from leeboard.io.file import read_start
from leeboard.model.event import ToolProposed

_SIGN = "kill"
_LONGEST = 32


def knowing_processes(setting: RunSetting, call: HookCall) -> RunSetting:
    """The setting, with our own processes in it where the proposed line may be about to end one."""
    lines = (event.call.command for event in call.events if isinstance(event, ToolProposed))
    return replace(setting, own_processes=_own_processes()) if any(_SIGN in line for line in lines) else setting


def _own_processes() -> tuple[int, ...]:
    """The resident: it writes its number into the lock that it holds, and may be the very process that asks."""
    try:
        told = read_start(f"{places.socket_path()}.lock", _LONGEST).strip()
    except (OSError, LeeboardError):
        told = b""
    return (int(told),) if told.isdigit() else ()
