"""A human message to what it asks for: goal, scope, constraints, keywords and areas. No model, no network."""

from __future__ import annotations

import re

from leeboard.code.area import areas_of_words
from leeboard.code.constraint import find_constraints, find_lifts
from leeboard.code.names import keywords, path_like
from leeboard.code.redaction import redact
from leeboard.model.analysis import Intent
from leeboard.model.workspace import Workspace

GOAL_LIMIT = 400
SCOPE_LIMIT = 40
PROMPT_LIMIT = 20_000

_NOD = re.compile(
    r"""^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|y|sure|right|fine|great|good|nice|perfect|cool|awesome|excellent|thanks?|thank\ you|
    thx|ty|lgtm|looks?\ (?:good|great|fine|ok)|sounds?\ (?:good|great)|go(?:\ ahead|\ on|\ for\ it)?|proceed|continue|
    keep\ going|carry\ on|do\ it|please|that'?s?|works?|correct|next|done|resume|approved?|agreed|well\ done|good\ job|
    it|now|then|all|is|very|so|much|with|the|plan|you|can|this|
    ja|genau|weiter|mach\ weiter|gut|passt|danke|si|sí|vale|sigue|continúa|continua|bien|gracias|oui|d'accord|merci|
    继续|好的?|可以|是的?|谢谢|はい|続けて|続行|お願いします|ありがとう|да|продолжай|хорошо|давай)[\s,.!…:)。！、]*)+$""",
    re.VERBOSE | re.IGNORECASE,
)
_URL = re.compile(r"\b[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w.])@([\w./\-]+)")
_QUOTED = re.compile(r"`([^`\n]{2,120})`")
_GLOB = re.compile(r"(?<![\w*])((?:[\w.\-]+/)*(?:\*\*?/)*[\w.\-]*\*[\w.\-*]*(?:/[\w.\-*]+)*)")
_TOP_FOLDERS = frozenset(
    "src lib app apps packages tests test docs doc server client backend frontend cmd internal pkg scripts components "
    "pages api public config infra terraform k8s crates include examples tools bin web www".split()
)
_NOT_FILES = frozenset("e.g i.e etc.. node.js next.js vue.js react.js three.js d3.js express.js nuxt.js".split())


def understand_prompt(text: str, command: str = "", workspace: Workspace | None = None) -> Intent:
    """What the human wants. A nod ("looks good") steers nothing: the goal before it stands."""
    text = redact(text[:PROMPT_LIMIT])
    if not text.strip() or (len(text) <= 60 and _NOD.match(text.strip()) and not command):
        return Intent(text=_shorten(text), steers=False)
    words = keywords(text)
    return Intent(
        text=_shorten(f"{command} {text}" if command else text),
        scope=find_scope(text, workspace or Workspace()),
        constraints=find_constraints(text),
        lifts=find_lifts(text),
        keywords=words,
        areas=areas_of_words(words),
    )


def find_scope(text: str, workspace: Workspace) -> tuple[str, ...]:
    """Paths, folders and globs the text names, as scope patterns, in order."""
    text = _URL.sub(" ", text)
    certain = [*_MENTION.findall(text), *(quoted for quoted in _QUOTED.findall(text) if _quotes_path(quoted))]
    globs = [glob for glob in _GLOB.findall(text) if "/" in glob or "." in glob.strip("*.")]
    likely = [token for token in path_like(text) if _names_path(token, text)]
    found: dict[str, None] = {}
    for token in (*certain, *globs, *likely):
        spelled = workspace.spell(token.strip(".,;:") or token)
        if workspace.root and not token.startswith(("/", "~")):
            spelled = spelled if workspace.holds(spelled) else token
        if spelled not in {".", ""} and not spelled.startswith(".."):
            found[spelled + "/" if token.endswith("/") and not spelled.endswith("/") else spelled] = None
    return tuple(found)[:SCOPE_LIMIT]


def _quotes_path(quoted: str) -> bool:
    return (
        " " not in quoted and ("/" in quoted or bool(path_like(quoted))) and not quoted.startswith(("-", "$", "http"))
    )


def _names_path(token: str, text: str) -> bool:
    """Tell `src/auth` from `and/or`: prose has slashes too."""
    if token.lower() in _NOT_FILES or token.startswith("-"):
        return False
    name = token.rsplit("/", 1)[-1]
    if "." in name[1:]:
        extension = name.rpartition(".")[2]
        return "/" in token or (extension.islower() and 1 <= len(extension) <= 5 and not f"{token}(" in text)
    if "/" not in token:
        return False
    first = token.lstrip("./").split("/", 1)[0]
    return token.startswith(("/", "./", "~/")) or f"{token}/" in text or token.count("/") > 1 or first in _TOP_FOLDERS


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= GOAL_LIMIT else flat[: GOAL_LIMIT - 1].rsplit(" ", 1)[0] + "…"
