"""Calls of Rust that have a plain form in the IR."""

from __future__ import annotations

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import (
    RECEIVER,
    asked_of,
    at,
    compiled,
    itself,
    known,
    member,
    method,
    path_joined,
    replaced,
    shaped,
)
from leeboard.code.flow._text_building import appended
from leeboard.model.pattern import lazy

_SHELLS = lazy(r"(?:^|/)(?:sh|bash|zsh|dash|cmd|cmd\.exe|powershell)$")
_MOST_LINKS = 20
_UNWRAPPED = (
    "unwrap",
    "expect",
    "unwrap_or_default",
    "into",
    "as_str",
    "as_ref",
    "to_owned",
    "clone",
    "to_string",
    "as_bytes",
    "into_inner",
    "unwrap_or",
    "ok",
    "as_path",
    "to_string_lossy",
    "into_owned",
    "iter",
    "as_deref",
    "borrow",
    "unwrap_or_else",
    "map_err",
    "ok_or",
    "ok_or_else",
    "cloned",
    "display",
    "to_path_buf",
)


def _shell_argument(call: ir.Call) -> ir.Expr:
    """`Command::new("sh").arg("-c").arg(x)`: the line a shell gets."""
    current: ir.Expr | None = at(call, RECEIVER)
    for _ in range(_MOST_LINKS):
        if isinstance(current, ir.Unknown) and current.children:
            current = current.children[-1]
        if not isinstance(current, ir.Call):
            return call
        program = current.args[0] if current.args else None
        if ir.dotted(current.callee) == "Command.new" and isinstance(program, ir.Const):
            if not _SHELLS.search(str(program.value)):
                return call
            return ir.Unknown(
                call.line, (known(call.line, "Command.shell_arg", *_flat(call.args)), at(call, RECEIVER) or call)
            )
        current = current.callee.value if isinstance(current.callee, ir.Attr) else None
    return call


def _flat(values: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    return tuple(
        item
        for value in values
        for item in ([each for _, each in value.items] if isinstance(value, ir.Container) else [value])
    )


def _all_characters(call: ir.Call) -> ir.Expr:
    """`x.chars().all(|c| c.is_alphanumeric())`."""
    chars = at(call, RECEIVER)
    if isinstance(chars, ir.Call) and isinstance(chars.callee, ir.Attr) and chars.callee.name in ("chars", "bytes"):
        return known(call.line, "char.is_plain", chars.callee.value)
    return call


plain_call = shaped(
    {
        ".contains": member(),
        ".contains_key": member(),
        ".starts_with": method("startswith"),
        ".ends_with": method("endswith"),
        ".is_match": asked_of(RECEIVER, 0),
        "Regex.new": compiled(),
        ".replace": replaced(0, RECEIVER),
        ".all": _all_characters,
        ".push_str": appended,
        ".arg": _shell_argument,
        ".args": _shell_argument,
        "Path.new": itself(0),
        "PathBuf.from": itself(0),
        "String.from": itself(0),
        "String.new": lambda call: ir.Const(call.line, ""),
        "Some": itself(0),
        "Ok": itself(0),
        ".join": path_joined(RECEIVER, 0),
        **{f".{name}": itself() for name in _UNWRAPPED},
    }
)
