"""Source files of the product that a change made such that nobody can follow a value through them.

What can not be read is usually harmless, and always where a fault would be put that is not to be seen. So it is queued,
once, until a person has reviewed it (`--reviewed`). Not where it was like that before; not in a test or an example; and
not what a tool made, under a name that says so, or in a folder for that which was there already.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from leeboard.app.scan.change import RULE, ScannedChange
from leeboard.app.scan.moved import kind_of_place
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedFiles
from leeboard.app.scan.unanalysed import unread_reason
from leeboard.app.scan.work import Before, FileScan
from leeboard.model.text import lazy
from leeboard.model.verdict import PlacedFinding
from leeboard.report.capture import NOT_PARSED
from leeboard.text.language import is_generated, is_minified, language_of

_CONFIDENCE = 0.8
_UNREAD = frozenset({"binary", "larger than 2 MB"})
_ENCODING = lazy(r"\A(?:[^\n]{0,500}\n)?[ \t\f]{0,80}\#[^\n]{0,200}?coding[:=][ \t]{0,80}([-\w.]{1,40})")
_PROBE = bytes(range(32, 127)) + b"\n\\x41\\u0041+AEE-"
_SAID_MINIFIED = lazy(r"[.\-](?:min|bundle)\.[cm]?js$")


def hidden_by(change: ScannedChange, scanned: tuple[FileScan, ...]) -> Iterator[PlacedFinding]:
    """One for each file, and one for a folder that came with the change."""
    folders: set[str] = set()
    for target, one in zip(change.targets, scanned, strict=True):
        before = change.before[target]
        if before.reviewed or not _is_followed(target.name):
            continue
        if before.new_folder:
            if one.unfollowed == "generated" and before.new_folder not in folders:
                folders.add(before.new_folder)
                why = f"the change brings the folder {before.new_folder}/, which is not looked into for injections"
                yield _finding(target, before.new_folder, why)
        elif why := _why_hidden(target, one, before):
            yield _finding(target, target.name, f"{target.name} {why}")


def _is_followed(name: str) -> bool:
    from leeboard.security.taint.table_file import LANGUAGES  # noqa: PLC0415 - where a change is looked at

    return language_of(name) in LANGUAGES


def _why_hidden(target: Target, one: FileScan, before: Before) -> str:
    kind = kind_of_place(target.name)
    if kind not in {"product", "made"} or before.was_unread:
        return ""
    if one.problem:
        return f"can not be analysed: it is {one.problem}" if one.problem in _UNREAD and kind == "product" else ""
    text = before.after if before.after is not None else ScannedFiles(target.root).text(target.name) or ""
    if one.unfollowed == "generated":
        if kind == "made" and before.text and before.name and kind_of_place(before.name) == "product":
            return "lay where people write, and is not looked into for injections where it lies now"
        return _why_no_tool(target.name, text, before.text)
    if one.unread.startswith(NOT_PARSED) and not unread_reason(target.name, before.text).startswith(NOT_PARSED):
        return f"is {NOT_PARSED}"
    return _why_otherwise_read(target.name, text, before.text)


def _why_no_tool(name: str, text: str, before: str) -> str:
    """What is not followed since its name or its long lines say that a tool made it."""
    if is_generated(name):
        is_odd = bool(_SAID_MINIFIED.search(name)) and not is_minified(name, text) and not before
        return "is called minified and is not: nobody follows a value through it" if is_odd else ""
    return "" if is_generated(name, before) else "has lines so long that it is taken for minified"


def _why_otherwise_read(name: str, text: str, before: str) -> str:
    """Python reads a file in the encoding that it names, in which harmless signs may be others."""
    if language_of(name) != "python":
        return ""
    named = _ENCODING.search(text[:2_000])
    if named is None or _reads_alike(named[1]):
        return ""
    was = _ENCODING.search(before[:2_000])
    return "" if was and was[1] == named[1] else f"is read by Python as {named[1]}, in which its text is another"


def _reads_alike(encoding: str) -> bool:
    try:
        return codecs.decode(_PROBE, encoding) == _PROBE.decode("ascii")
    except (LookupError, ValueError, TypeError):
        return False


def _finding(target: Target, place: str, why: str) -> PlacedFinding:
    return PlacedFinding(
        rule=RULE,
        subclass="",
        path=target.shown,
        line=0,
        confidence=_CONFIDENCE,
        disposition="QUEUE",
        message=f"{why[0].upper()}{why[1:]}. What it does is not known until a person has reviewed it (`--reviewed`).",
        fingerprint=f"{RULE}:{place}:not analysed",
        name=target.name,
        what="not analysed",
    )
