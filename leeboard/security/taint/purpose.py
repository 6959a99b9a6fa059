"""Whether a dangerous call is what the code around it is for."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Sink
from leeboard.security.taint.unpacked import is_looked_through
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import Val

_MASK_IS_MEANT = lazy(r"umask\(\s*[a-z_]\w*\s*\)|\bsetsid\s*\(")
_MODE_IS_MEANT = lazy(r"\bsockaddr_un\b|\bAF_UNIX\b|\bbind\s*\(")
_TOOL_CLASS = lazy(
    r"(?i)repl(?!ac|ic|y|i)|console|interpreter|interactive|debugger|template|sandbox|kernel|notebook|doctest|shell$"
)
_TOOL_FUNCTION = lazy(
    r"(?i)^_*(?:eval|exec|repl|interact|push|render\w*|compile\w*|template\w*)$|interpret|"
    r"(?:run|exec|execute|eval|evaluate)_?(?:code|source|src|cell|script|snippet|block|eval|ctx|statement)"
)
_BINDING = lazy(r"(?i)binding")
_KEPT_NAMES = lazy(r"^self\.|f_globals|f_locals|__dict__|^(?:globals|locals)\(\)")


def is_meant(state: State, sink: Sink, use: Use) -> bool:
    """Whether a call that is told whatever it is given was made on purpose, and with care."""
    return _is_mode_meant(state, sink, use) or _is_looked_through(state, sink, use)


def _is_mode_meant(state: State, sink: Sink, use: Use) -> bool:
    """The mask is read by setting it, and set again in the same function; or a daemon begins, which gives each file its
    mode. Who may write to a socket may send to it: that is what it is for.
    """
    if sink.kind != "permission" or not state.active:
        return False
    meant = _MASK_IS_MEANT if use.path.endswith("umask") else _MODE_IS_MEANT
    return bool(meant.search(state.mentions.text_of(state.active[-1])))


def _is_looked_through(state: State, sink: Sink, use: Use) -> bool:
    """An archive is unpacked where the same function looks at the paths of its members."""
    asked = sink.callee.startswith("*.extract") and bool(state.active)
    return asked and is_looked_through(state.body(state.active[-1]), use.written.partition(".")[0])


def runs_code(state: State, function: str, args: tuple[Val, ...]) -> bool:
    """By the names of the function and its class, by names that are kept from one run to the next, or by `compile`."""
    if _TOOL_FUNCTION.search(function) or any(_TOOL_CLASS.search(item.owner) for item in state.active[-1:]):
        return True
    if len(args) > 1 and _KEPT_NAMES.search(args[1].path):
        return True
    if len(args) > 2 and _BINDING.search(args[1].path):
        return True  # told the file it stands in: a loader
    return bool(args) and args[0].path in {"compile()", "codeop.compile_command()", "code.compile_command()"}
