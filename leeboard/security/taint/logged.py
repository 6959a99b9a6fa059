"""Passwords and keys that are written to a log, which more people read than may know them."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.state import Flow, State, TaintScope
from leeboard.security.taint.table import HARM
from leeboard.security.taint.use import Use, applies

_SECRET = lazy(
    r"(?i)(?:\w*_)?(?:password|passwd|passphrase|private_?key|secret_?key|client_?secret|api_?secret)|pwd|"
    r"\w*(?:Password|Passphrase|PrivateKey|SecretKey|ClientSecret)"
)
_OF_IT = lazy(r"(?i)(?:no|has|is|need|use|with|without|reset|forgot|change|hide|show|empty|invalid|wrong|bad)_?\w*")
"""Names that tell something of a password, and not what it is."""
_WRITTEN_OUT = frozenset(
    {"format", "Sprintf", "Sprint", "sprintf", "str", "String", "toString", "to_s", "concat", "join"}
)
_SURE = 0.65


def check_logged(state: State, scope: TaintScope, call: ir.Call, use: Use) -> None:
    """One for each call that logs a secret, by the name of what it writes."""
    if not any(sink.kind == "log" and applies(state, sink, use) for sink in state.index.sinks(use.path)):
        return
    values = (*call.args, *(value for _name, value in call.keywords))
    for read in (found for value in values for found in _written(value)):
        name = _name(read)
        known = state.evaluate(read, scope)
        if not names_secret(name) or known.is_const:
            continue
        state.report(
            Flow(
                kind="logged",
                confidence=_SURE,
                trust=None,
                source=f"`{name}`",
                source_line=use.line,
                sink=use.written[:80],
                sink_line=use.line,
                function=scope.function,
                within=scope.within,
                steps=(use.line,),
                advice=HARM["logged"].fix,
            )
        )
        return


def names_secret(name: str) -> bool:
    """Whether what is called so is a password or a key itself."""
    return _SECRET.fullmatch(name) is not None and not _OF_IT.fullmatch(name)


def _written(value: ir.Expr) -> Iterator[ir.Expr]:
    """What of an argument comes out as it is: a mask, a length or a test of it is something else."""
    if isinstance(value, ir.Name | ir.Attr | ir.Index):
        yield value
    elif isinstance(value, ir.Join):
        yield from (read for part in value.parts for read in _written(part))
    elif isinstance(value, ir.Binary) and value.op in {"+", "%"}:
        yield from (*_written(value.left), *_written(value.right))
    elif isinstance(value, ir.Container):
        yield from (read for _key, item in value.items for read in _written(item))
    elif isinstance(value, ir.Call) and ir.dotted(value.callee).rpartition(".")[2] in _WRITTEN_OUT:
        yield from (read for part in value.args for read in _written(part))


def _name(read: ir.Expr) -> str:
    if isinstance(read, ir.Name):
        return read.id
    if isinstance(read, ir.Attr):
        return read.name
    key = read.key if isinstance(read, ir.Index) else None
    return key.value if isinstance(key, ir.Const) and isinstance(key.value, str) else ""
