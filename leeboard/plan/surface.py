"""The tracked surface of an intent: which paths are watched, how they are spelled, and where a person's word may write.

A path is relative to the intent's folder. What is managed by the engine lies beside the surface, so it is left out by
its place and never by its name: `knowledge/intent.md` is watched like any other file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from leeboard.model.text import lazy, matches
from leeboard.model.truth import TrackingClass

KNOWLEDGE = "knowledge"
STAGE_FOLDERS: dict[str, TrackingClass] = {
    "artifacts": "stage-output",
    "outputs": "stage-output",
    "knowledge": "knowledge",
    "discovery": "knowledge",
}
CANONICAL, ALIAS = "artifacts", "outputs"
IGNORED = (".DS_Store", ".git*", "*~", ".#*", "*.swp", "*.swo", "4913", ".hwm-tmp-*")
"""Names of editors, version control and temporary files: no work lies in them, at any depth."""
LONGEST_PATH, LONGEST_NAME = 1024, 255
"""Bytes."""

_DENIED_IN_INTENT = ("intent.md", "drift-markers.json", "write-audit.jsonl", "baseline.json", "feedback/*.md")
_ANSWERS = "knowledge/answers.md"
"""What people said, as it was recorded: nobody writes it anew on their behalf."""
_DENIED_IN_STAGE = (
    "units/*.md",
    "feedback/*.md",
    "state.json",
    "baseline.json",
    ".baseline-ack",
    "baseline-thrash.json",
    "drift-assessments/**",
)
_DENIED_ANYWHERE = (
    "action-log.jsonl",
    "drift-dispatch.json",
    "intent-tick.json",
    "user-turns.jsonl",
    "gate-runs.json",
    ".baseline-ack",
    "baseline-thrash.json",
    ".last_action.json",
    ".fsm_checksum",
    ".drift_checksum",
    "baseline-content/**",
    "reviews/**",
    "produced/**",
)
_ESCAPED = lazy(r"\\x([89a-f][0-9a-f]|5c)")
_STRANGE = lazy("[\udc80-\udcff]")
_CONTROL = lazy(r"[\x00-\x1f\x7f]")


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a path may not be written on a person's behalf."""

    reason: Literal["path_escape", "deny_list_match", "no_allow_match", "invalid_stage"]
    deny_rule: str = ""


def tops(stages: Iterable[str]) -> tuple[str, ...]:
    """The folders of the surface, the canonical one before its alias."""
    return (KNOWLEDGE, *(f"stages/{stage}/{folder}" for stage in stages for folder in STAGE_FOLDERS))


def canonical(place: str) -> str:
    """One spelling for both names of a stage's outputs."""
    return _renamed(place, ALIAS, CANONICAL)


def alias(path: str) -> str:
    """The other place a canonical path may really lie at; itself where there is no other."""
    return _renamed(path, CANONICAL, ALIAS)


def _renamed(path: str, old: str, new: str) -> str:
    parts = path.split("/", 3)
    if len(parts) > 2 and parts[0] == "stages" and parts[2] == old:
        parts[2] = new
        return "/".join(parts)
    return path


def tracked(place: str, stages: Collection[str], ignore: Iterable[str] = ()) -> tuple[str | None, TrackingClass] | None:
    """Whose file it is and of which class; None: it is not watched. A folder that is a link is a file of the surface.

    `ignore` are globs of the project: one without a slash is for names at any depth.
    """
    parts = place.split("/")
    found = _home(parts, stages)
    if found is None or any(ignored_name(part) for part in parts) or _left_out(place, parts, ignore):
        return None
    return found


def _home(parts: list[str], stages: Collection[str]) -> tuple[str | None, TrackingClass] | None:
    if parts[0] == KNOWLEDGE:
        return None, "knowledge"
    if len(parts) < 3 or parts[0] != "stages" or parts[1] not in stages or parts[2] not in STAGE_FOLDERS:
        return None
    return parts[1], STAGE_FOLDERS[parts[2]]


def ignored_name(name: str) -> bool:
    """Whether a file or a folder of this name is left out, at any depth."""
    return bool(_ignored_by(name))


def _ignored_by(name: str) -> str:
    if name[:1] != "." and name[-1:] not in {"~", "p", "o", "3"}:
        return ""
    return next((pattern for pattern in IGNORED if fnmatchcase(name, pattern)), "")


def _left_out(place: str, parts: list[str], ignore: Iterable[str]) -> bool:
    for pattern in ignore:
        if "/" in pattern.rstrip("/"):
            if matches(place, (pattern,)):
                return True
        elif any(fnmatchcase(part, pattern.rstrip("/")) for part in parts):
            return True
    return False


def spelled(name: bytes | str) -> str:
    r"""A name for JSON: bytes that are no text are written `\xNN`, and a backslash that looks like that `\x5c`."""
    if isinstance(name, str) and name.isascii() and "\\" not in name:
        return name
    data = name if isinstance(name, bytes) else _encoded(name)
    text = _ESCAPED.sub(r"\\x5cx\1", data.decode("utf-8", "surrogateescape"))
    return _STRANGE.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def _encoded(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")


def unspelled(text: str) -> str:
    """The name as the system gives it (`os.fsdecode`); what was never spelled here stays as it is."""
    if "\\x" not in text:
        return text
    return _ESCAPED.sub(lambda found: "\\" if found[1] == "5c" else chr(0xDC00 + int(found[1], 16)), text)


def write_place(path: str, stages: Collection[str]) -> str | Reason:
    """The canonical path (spelled) a person's word may write, or why it may not. What denies goes before what allows.

    `stages` are those that are there. A name that the gate would never look at may not be written either.
    """
    if _escapes(path):
        return Reason(reason="path_escape")
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if rule := _denied(parts):
        return Reason(reason="deny_list_match", deny_rule=rule)
    if parts[0] == "stages" and len(parts) > 1 and parts[1] not in stages:
        return Reason(reason="invalid_stage")
    names = len(parts) - (1 if parts[0] == KNOWLEDGE else 3)
    if path.endswith("/") or names < 1 or _home(parts, stages) is None:
        return Reason(reason="no_allow_match")
    return spelled(canonical(unspelled("/".join(parts))))


def _escapes(path: str) -> bool:
    """Out of the intent's folder, or no name a file can have."""
    parts = path.split("/")
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in parts]
    return (
        path.startswith(("/", "~"))
        or ".." in parts
        or not any(part not in {"", "."} for part in parts)
        or bool(_CONTROL.search(path))
        or max(sizes) > LONGEST_NAME
        or sum(sizes) + len(parts) - 1 > LONGEST_PATH
    )


def _denied(parts: list[str]) -> str:
    """The rule that denies it: the engine's own files by their place, whatever the case of their letters."""
    low = [part.casefold() for part in parts]
    of_stage = len(low) > 2 and low[0] == "stages"
    inner = "/".join(low[2:] if of_stage else low)
    rules = (*(_DENIED_IN_STAGE if of_stage else (*_DENIED_IN_INTENT, _ANSWERS)), *_DENIED_ANYWHERE)
    found = next((rule for rule in rules if matches(inner, (rule,))), "")
    return found or next((rule for part in low if (rule := _ignored_by(part) or _as_store(part))), "")


def _as_store(low: str) -> str:
    return ".DS_Store" if low == ".ds_store" else ""
