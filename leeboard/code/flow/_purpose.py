"""Whether running code is what a function is for: a console, an interpreter, a debugger, a template engine."""

from __future__ import annotations

from leeboard.code.flow.state import State
from leeboard.code.flow.value import Val
from leeboard.model.pattern import lazy

_TOOL_CLASS = lazy(
    r"(?i)repl(?!ac|ic|y|i)|console|interpreter|interactive|debugger|template|sandbox|kernel|notebook|doctest|shell$"
)
_TOOL_FUNCTION = lazy(
    r"(?i)^_*(?:eval|exec|repl|interact|push|render\w*|compile\w*|template\w*)$|interpret|"
    r"(?:run|exec|execute|eval|evaluate)_?(?:code|source|src|cell|script|snippet|block|eval|ctx|statement)"
)
_KEPT_NAMES = lazy(r"^self\.|f_globals|f_locals|__dict__|^(?:globals|locals)\(\)")


def runs_code(state: State, function: str, args: tuple[Val, ...]) -> bool:
    """By the names of the function and its class, by names that are kept from one run to the next, or by `compile`."""
    if _TOOL_FUNCTION.search(function) or any(_TOOL_CLASS.search(item.owner) for item in state.active[-1:]):
        return True
    if len(args) > 1 and _KEPT_NAMES.search(args[1].path):
        return True
    return bool(args) and args[0].path in {"compile()", "codeop.compile_command()", "code.compile_command()"}
