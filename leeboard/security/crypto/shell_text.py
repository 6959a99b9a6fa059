"""Weak cryptography in shell scripts: openssl, curl, ssh and their options, line by line."""

from __future__ import annotations

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.security.crypto.weakness import SHOWN, Weakness, each_once
from leeboard.text.language import is_sample, is_test_path

_LINE_ROOM = 2_000
_COMMENT = lazy(r"(?:\A|\s)#.*\Z")
_GUARDED = lazy(r"(?i)passw|pwd|secret|token|salt|login|auth|key")
_LOCAL = lazy(r"(?i)(?:https?://|@|\bssh\s(?:[^|;&]{0,200}\s)?)(?:localhost|127\.0\.0\.1|\[?::1\]?)(?![\w.-])")
_FOLDER = lazy(r"\$\{?(?:OLD)?PWD\b|\bpwd\b")
"""The folder somebody is in: no password."""
_KNOWING = lazy(r"(?i)legacy|self-?signed|required|compat|insecure|on purpose|local")
_COMMENT_REACH = 120


class _Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    what: str
    always: bool
    fix: str
    patterns: tuple[str, ...]


class _ShellSignatures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hints: tuple[str, ...]
    signatures: tuple[_Signature, ...]


_TABLE = load("crypto/shell", _ShellSignatures)
HINTS = _TABLE.hints
_COMPILED = tuple((signature, lazy("|".join(signature.patterns))) for signature in _TABLE.signatures)


def find_weak_shell(text: str, path: str) -> tuple[Weakness, ...]:
    """Every weakness of a script, in the order of its lines."""
    lower = text.encode("utf-8", "replace").lower()  # bytes: letters beyond ASCII take ten times as long
    if not any(hint.encode() in lower for hint in HINTS):
        return ()
    found = []
    for number, raw in enumerate(text.replace("\\\n", " \0").split("\n"), 1):
        line = _COMMENT.sub("", raw[:_LINE_ROOM])
        for signature, pattern in _COMPILED:
            if pattern.search(line) and (weakness := _weighed(signature, raw, number, path)) is not None:
                found.append(weakness)
    return each_once(_renumbered(found, text), _is_one_habit)


def _is_one_habit(first: Weakness, other: Weakness) -> bool:
    """What a script does again and again."""
    return (first.kind, first.what) == (other.kind, other.what)


def _renumbered(found: list[Weakness], text: str) -> list[Weakness]:
    """Lines that were joined at a backslash count as many as they are."""
    if "\\\n" not in text or not found:
        return found
    firsts, at = [], 1
    for raw in text.replace("\\\n", " \0").split("\n"):
        firsts.append(at)
        at += 1 + raw.count("\0")
    return [_moved(weakness, firsts[weakness.line - 1]) for weakness in found]


def _moved(weakness: Weakness, line: int) -> Weakness:
    from msgspec.structs import replace  # noqa: PLC0415 - few scripts come here

    return replace(weakness, line=line, end=line)


def _is_known(line: str) -> bool:
    """Whether a comment gives a reason."""
    return any("#" in line[max(0, word.start() - _COMMENT_REACH) : word.start()] for word in _KNOWING.finditer(line))


def _weighed(signature: _Signature, line: str, number: int, path: str) -> Weakness | None:
    guarded = bool(_GUARDED.search(_FOLDER.sub("", line[:_LINE_ROOM])))
    if signature.kind == "predictable random" and not guarded:
        return None
    if signature.kind == "unverified connection" and _LOCAL.search(line[:_LINE_ROOM]):
        return None
    log_only = "test file" if is_test_path(path) else SHOWN if is_sample(path) else ""
    if not log_only and not guarded and _is_known(line[:_LINE_ROOM]):
        log_only = "chosen knowingly, with a comment"
    queues = (signature.always or guarded) and not log_only
    return Weakness(
        kind=signature.kind,
        what=signature.what,
        line=number,
        end=number,
        confidence=0.9 if signature.always or guarded else 0.6,
        context="auth" if guarded else "neutral",
        queues=queues,
        log_only=log_only,
        fix=signature.fix,
        trace=(f"signature: {signature.kind} ({signature.what}) in a shell line",),
    )
