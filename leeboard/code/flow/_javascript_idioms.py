"""Calls of JavaScript that have a plain form in the IR."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import (
    RECEIVER,
    asked_of,
    compiled,
    itself,
    known,
    member,
    method,
    negated,
    path_joined,
    replaced,
    shaped,
)
from leeboard.code.flow._idiom import named as named_call
from leeboard.model.pattern import lazy

_SCHEMA = lazy(r"(?i)(?:schema|validator)s?\w{0,12}$|^(?:z|joi|yup)\.")


def _validated(call: ir.Call) -> ir.Expr:
    """`schema.parse(x)`: what comes out is what the schema says."""
    owner = call.callee.value if isinstance(call.callee, ir.Attr) else None
    if owner is None or not call.args or not _SCHEMA.search(ir.dotted(owner)):
        return call
    return known(call.line, "schema.validated", call.args[0])


plain_call = shaped(
    {
        **dict.fromkeys(
            (".parse", ".validate", ".safeParse", ".parseAsync", ".validateSync", ".validateAsync"), _validated
        ),
        "path.join": path_joined(),
        "path.resolve": path_joined(),
        "path.posix.join": path_joined(),
        ".includes": member(),
        ".has": member(),
        ".hasOwnProperty": member(),
        ".hasOwn": member(1, 0),
        ".startsWith": method("startswith"),
        ".endsWith": method("endswith"),
        ".test": asked_of(RECEIVER, 0),
        ".match": asked_of(0, RECEIVER, name="match"),
        ".replace": replaced(0, RECEIVER),
        ".replaceAll": replaced(0, RECEIVER),
        "RegExp": compiled(),
        "Number.isInteger": named_call("type.is_number", 0),
        "Number.isFinite": named_call("type.is_number", 0),
        "Number.isSafeInteger": named_call("type.is_number", 0),
        "isNaN": negated(named_call("type.is_number", 0)),
        "Number.isNaN": negated(named_call("type.is_number", 0)),
        "util.promisify": itself(0),
        "promisify": itself(0),
    }
)
