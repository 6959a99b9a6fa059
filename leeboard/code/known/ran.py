"""What of the agent's own ran while a file changed: the program of its line that may have done it, else the line."""

from __future__ import annotations

from leeboard.code._shell_interpreters import SHELLS
from leeboard.code._shell_programs import name_of
from leeboard.code._shell_table import PROGRAMS
from leeboard.code.candidate import may_change
from leeboard.code.shell_effects import shell_effects
from leeboard.code.wording import cut, on_one_line
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.world import World

_NAME_ROOM = 40
_HANDS_ON = frozenset({*PROGRAMS.wrappers, "eval", "xargs"})
"""What they run stands behind them in the list of what the line starts."""
_CODE_OPTION = lazy(r"-[A-Za-z]*c\Z")
_WRITES_NOTHING = frozenset(
    """
    : alias break continue declare disown exit false getopts hash jobs kill let local mapfile popd pushd read
    readarray readonly return set shift shopt trap typeset ulimit umask unalias unset wait
    """.split()
)
_WRITES_WHAT_IT_NAMES = frozenset("chmod chown cp install ln mkdir mv rm rmdir tee touch truncate unlink".split())
_ACTIVATES = lazy(r"(?:^|/)activate(?:\.\w+)?\Z")


def what_ran(world: World, event: ToolFinished) -> str:
    """A tool that is no shell goes by its own name."""
    call = event.call
    said = (_of_line(world, event) if call.action == "bash" else "") or call.tool
    return cut(on_one_line(said), _NAME_ROOM)


def _of_line(world: World, event: ToolFinished) -> str:
    call = event.call
    started = [one for one in shell_effects(call.command, event.cwd).started if _may_write(one, call)]
    first = next((one for one in started if _program(one) not in _WRITES_WHAT_IT_NAMES), next(iter(started), None))
    return (_name(first) if first else "") or " ".join(world.analysis.command.split())


def _may_write(started: Started, call: ToolCall) -> bool:
    program = _program(started)
    if program in _WRITES_NOTHING or _hands_on(started, program):
        return False
    if program == "find":
        return "-delete" in started.words
    if program in {".", "source"}:
        return len(started.words) > 1 and not _ACTIVATES.search(started.words[1])
    return may_change(call, ShellEffects(programs=(_name(started) or program,)))


def _hands_on(started: Started, program: str) -> bool:
    if program in SHELLS:
        return bool(started.handed) or any(map(_CODE_OPTION.match, started.words[1:]))
    runs_next = PROGRAMS.runs_next.get(program, {})
    return program in _HANDS_ON or any(word in runs_next for word in started.words[1:2])


def _program(started: Started) -> str:
    return started.words[0].rpartition("/")[2]


def _name(started: Started) -> str:
    return name_of(list(started.words))
