"""A human message to what it asks for: goal, scope, constraints, keywords and areas. No model, no network."""

from __future__ import annotations

import re

from leeboard.code._nod import is_nod, is_remark
from leeboard.code._pasted import separate
from leeboard.code._prose_path import scan
from leeboard.code.area import areas_of_words
from leeboard.code.breadth import asks_everywhere
from leeboard.code.constraint import find_constraints, find_lifts, without_limits
from leeboard.code.names import keywords, path_like
from leeboard.code.redaction import redact_start
from leeboard.model import folder
from leeboard.model.analysis import Intent
from leeboard.model.pattern import lazy
from leeboard.model.workspace import Workspace

GOAL_LIMIT = 400
SCOPE_LIMIT = 40
PROMPT_LIMIT = 20_000
PASTED_KEYWORDS = 40
"""Keywords from code and logs, after those of the human's own sentences."""

_SOURCE = lazy(
    r"\b(?:read|see|follow|implement|according\s+to|described\s+in|per|as\s+in|based\s+on|look\s+at|refer\s+to|consult)\s+"
    r"(?:the\s+)?[`\"@]?[\w./\-]{1,200}\.(?:md|mdx|txt|rst|adoc|pdf)\b[`\"]?",
    re.IGNORECASE,
)
"""A text to work from tells what to do, not where."""
_DIFF_SIDE = lazy(r"^(?:\+\+\+|---|diff --git) .*$", re.MULTILINE)
_SIDE = lazy(r"(?<=\s)[ab]/")
_LIBRARIES = ("/usr/lib", "lib/python3")


_COMMAND_JOINT = lazy(r"[/:_\-]+")
"""`/git:commit-push` is asked for in so many words."""


def understand_prompt(text: str, command: str = "", workspace: Workspace | None = None) -> Intent:
    """What the human wants. A nod ("looks good") or a remark ("that's wrong") steers nothing: the old goal stands."""
    text = redact_start(text, PROMPT_LIMIT)
    ordered = find_lifts(_COMMAND_JOINT.sub(" ", command)) if command else ()
    if not text.strip() or (is_nod(text) and not command):
        return Intent(text=_shorten(text), steers=False, lifts=ordered)
    place = workspace or Workspace()
    local = text.replace(place.root.rstrip("/") + "/", "") if place.root.strip("/") else text
    asked = without_limits(local)
    words = keywords(asked)
    scope = find_scope(local, place)
    pasted = [word for word in keywords(separate(local)[1]) if word not in words]
    return Intent(
        text=_shorten(f"{command} {text}" if command else text),
        wanted=asked,
        wide=asks_everywhere(asked),
        steers=bool(command or scope or pasted) or not is_remark(asked),
        scope=scope,
        constraints=find_constraints(local),
        lifts=(*ordered, *find_lifts(local)),
        keywords=(*words, *pasted[:PASTED_KEYWORDS]),
        areas=areas_of_words(words) or areas_of_words(pasted[:PASTED_KEYWORDS]),
    )


def find_scope(text: str, workspace: Workspace) -> tuple[str, ...]:
    """Paths, folders and globs the text asks for, as scope patterns, in order; what it forbids is left out.

    Paths of pasted traces and diffs come last. What lies outside of a known work tree is no scope.
    """
    asked, _marked = scan(_SOURCE.sub(" ", without_limits(text)))
    found: dict[str, None] = {}
    for token in (*asked, *_pasted_paths(separate(text)[1])):
        spelled = workspace.spell(token.strip(",;:"))
        if spelled in {".", ""} or spelled.startswith("..") or (workspace.root and not workspace.holds(spelled)):
            continue
        found[f"{spelled}/" if token.endswith("/") and not spelled.endswith("/") else spelled] = None
    return tuple(found)[:SCOPE_LIMIT]


def _pasted_paths(pasted: str) -> list[str]:
    """Logs are full of slashes: only files in folders count, and only the project's own."""
    sides_cut = _DIFF_SIDE.sub(lambda line: _SIDE.sub("", line.group()), pasted)
    named = [path for path in path_like(sides_cut) if "/" in path and "." in path.rsplit("/", 1)[-1][1:]]
    return [path for path in named if not _is_of_a_library(path)]


def _is_of_a_library(path: str) -> bool:
    """As the paths of a stack trace mostly are."""
    return any(f"{name}/" in path for name in folder.folders_with("trace")) or any(part in path for part in _LIBRARIES)


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= GOAL_LIMIT else flat[: GOAL_LIMIT - 1].rsplit(" ", 1)[0] + "…"
