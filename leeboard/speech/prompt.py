"""A human message to what it asks for: goal, scope, constraints, keywords and areas. No model, no network."""

from __future__ import annotations

import re

import msgspec

from leeboard.data import load
from leeboard.model.text import filled, lazy
from leeboard.model.workspace import Workspace
from leeboard.model.world import PromptIntent
from leeboard.secrets.redaction import redact_start
from leeboard.speech.limits.constraint import find_constraints, find_lifts, without_limits
from leeboard.speech.limits.lift import is_permission
from leeboard.text import language
from leeboard.text.language import areas_of_words
from leeboard.text.names import keywords, path_like
from leeboard.text.prose_path import scan
from leeboard.text.words import sentences, separate

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


def understand_prompt(text: str, command: str = "", workspace: Workspace | None = None) -> PromptIntent:
    """What the human wants. A nod ("looks good") or a remark ("that's wrong") steers nothing: the old goal stands."""
    text = redact_start(text, PROMPT_LIMIT)
    ordered = find_lifts(_COMMAND_JOINT.sub(" ", command)) if command else ()
    if not text.strip() or (is_nod(text) and not command):
        return PromptIntent(
            text=_shorten(text), steers=False, lifts=ordered, nods=bool(text.strip()), permits=permits(text)
        )
    place = workspace or Workspace()
    local = text.replace(place.root.rstrip("/") + "/", "") if place.root.strip("/") else text
    asked = without_limits(local)
    words = keywords(asked)
    scope = find_scope(local, place)
    pasted = [word for word in keywords(separate(local)[1]) if word not in words]
    return PromptIntent(
        text=_shorten(f"{command} {text}" if command else text),
        wanted=asked,
        wide=asks_everywhere(asked),
        steers=bool(command or scope or pasted) or not is_remark(asked),
        scope=scope,
        constraints=find_constraints(local),
        lifts=(*ordered, *find_lifts(local)),
        nods=permits(text),
        permits=permits(text),
        grants=not command and not pasted and only_grants(asked),
        undoes=is_undo(text),
        orders=bool(command) or not is_question(asked),
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
    return any(f"{name}/" in path for name in language.folders_with("trace")) or any(
        part in path for part in _LIBRARIES
    )


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= GOAL_LIMIT else flat[: GOAL_LIMIT - 1].rsplit(" ", 1)[0] + "…"


# Does a message ask for something everywhere? A rename, a migration or a clean-up has no one place.


_EVERYWHERE = lazy(
    r"\beverywhere\b|\b(?:across|throughout)\s+(?:the|all|our)\b|"
    r"\b(?:whole|entire|full)\s+(?:app|application|code\s?base|project|repo|repository|tree|site|package|library|test\s+suite)\b|"
    r"\ball\s+(?:the\s+|of\s+the\s+|our\s+|other\s+)?(?:files|modules|packages|apps|components|pages|places|usages|occurrences|references|"
    r"call\s?sites|services|tests|warnings|errors|features|endpoints|controllers|views|models|screens|crates|projects|callers)\b|"
    r"\b(?:every|each)\s+(?:file|module|package|app|component|page|place|usage|occurrence|service|feature|endpoint|screen|crate)\b|"
    r"\b(?:code\s?base|project|repo|app)-?\s?wide\b|\brename\s+\S+\s+(?:to|->|→)\s|\bmigrat(?:e|ion)\s+(?:from|to|all|everything|the\s+(?:whole|app))\b|"
    r"\bupgrade\s+(?:to\s+)?\S+\s+(?:from|to|\d|v\d)|\b(?:fix|clean)\s+(?:up\s+)?(?:all|the)\s+lint|"
    r"\büberall\b|\bpartout\b|\ben\s+tod[oa]s?\b|\bem\s+todos?\b|\bвезде\b|所有|全部|全て|すべて|everything\b",
    re.IGNORECASE,
)


_EVERYWHERE_HINTS = (
    *("every", "all ", "across", "throughout", "whole", "entire", "full", "each", "wide", "rename", "migrat"),
    *("upgrade", "lint", "überall", "partout", "en tod", "em tod", "везде", "所有", "全部", "全て", "すべて"),
)
"""One of these is in every such text; looking for them costs a fraction of the expression."""


def asks_everywhere(text: str) -> bool:
    """True for "rename X everywhere", "migrate the whole app", "fix all lint errors"."""
    start = text[:4_000]
    lowered = " ".join(start.lower().split())
    return any(hint in lowered for hint in _EVERYWHERE_HINTS) and bool(_EVERYWHERE.search(start))


# Nods and remarks: messages that change nothing about the goal. Nods in the languages people type them in.


NOD_LIMIT = 60
"""A longer message says something."""
REMARK_LIMIT = 240


class _Nods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: tuple[str, ...]
    words: frozenset[str]
    going_on: tuple[str, ...]
    """How a message begins that goes on with work which was begun elsewhere."""
    wide: tuple[str, ...]
    """Phrases of languages that are written without spaces."""
    remark_words: frozenset[str]
    """None of them names a thing to work on."""
    remarks: tuple[str, ...]
    parts: dict[str, str]


_NODS = load("speech/nods", _Nods)
_WIDE_NODS = lazy(f"(?:{'|'.join(_NODS.wide)})+")
_GOES_ON = lazy(
    r"\W{0,20}(?:(?:ok|okay|please|now|hey|hi|so|and|then|good|let's|bitte|also|por\s+favor|alors)[\s,.!]{1,9}){0,4}"
    rf"(?:{'|'.join(_NODS.going_on)})(?![A-Za-z])",
    re.IGNORECASE,
)
_REMARK_WORDS = _NODS.words | _NODS.remark_words
_REMARKS = tuple(lazy(filled(remark, _NODS.parts), re.IGNORECASE) for remark in _NODS.remarks)
_PIECE = lazy(r"[\w'’\-]+")
_REMARK_END = lazy(r"(?<=[.!?;])\s+|\n")
_CLAUSE_END = lazy(r"[,;:]\s*|\s+(?:and|but|then|so)\s+|\s[–—-]+\s|\.{2,}|…", re.IGNORECASE)
_ENDING = lazy(r"(?:n'?t|'(?:s|re|ve|ll|m|d))\Z")


_KEEPS = lazy(
    r"(?:(?:please|just|yes|yep|yeah|ok|okay|sure|fine|and|you\s+can|you\s+may|let's)\s+)*(?:keep|leave)\s+"
    r"(?:it|that|this|them|those|these|the|your)\b(?!\s+(?:alone|out)\b)|(?:that|this|it)(?:'s|\s+is)\s+(?:fine|ok|okay|good)\b|"
    r"(?:that|this|it|they|those|these)\s+(?:can|may|should)\s+stay\b|"
    r"i\s+(?:do\s+)?(?:like|love|want)\s+(?:it|that|this|them|those|these|the|your)\b|"
    r"fine\s+(?:by|with)\s+me\b|i(?:'m|\s+am)\s+(?:ok|okay|fine|good|happy)\s+with\s+(?:that|this|it|those|them)\b",
    re.IGNORECASE,
)
_ORDER_AS_QUESTION = lazy(
    r"\W*(?:(?:ok|okay|and|so|please|now|great|hey)[\s,]+)*(?:can|could|would|will)\s+you\s+(?!explain|tell|show|describe|list|say|see)",
    re.IGNORECASE,
)
_ASKS = lazy(
    r"\W*(?:(?:ok|okay|and|so|please|now|hm+|but|first|also)[\s,]+)*(?:(?:can|could|would)\s+you\s+)?"
    r"(?:explain|tell\s+me|show\s+me|describe|summari[sz]e|list|what\b|why\b|how\s+(?:does|do|is|are|did|would|come|much|many)\b|"
    r"which\b|where\b|who\b|does\b|is\b|are\b|did\b)",
    re.IGNORECASE,
)
_PERMITS = lazy(
    r"\b(?:yes|yep|yeah|yup|sure|fine|go\s+(?:ahead|for\s+it|on)|do\s+it|please\s+do|keep\s+(?:it|that|this|them|those|the)|allowed|"
    r"leave\s+(?:it|that|this|them|those)\b(?!\s+(?:alone|out)\b)|"
    r"no\s+problem|(?:ok(?:ay)?|good|happy)\s+with\s+(?:that|this|it)|(?:that|it|this)(?:'s|\s+is)\s+(?:ok|okay|alright|good))\b",
    re.IGNORECASE,
)
_UNDO = lazy(
    r"(?:(?:please|pls|no|nope|ok|okay|now|then|just|wait|stop|sorry|actually|hm+|can\s+you|could\s+you|let's|and|but)[\s,.!]+)*"
    r"(?:undo|revert|roll(?:\s+(?:it|that|this|them))?\s*back|back\s+(?:it|that|this)\s+out|take\s+(?:it|that|this|them|those)\s+(?:back|out)|"
    r"put\s+(?:it|that|everything)\s+back|discard|throw\s+(?:it|that)\s+away|get\s+rid\s+of\s+(?:it|that|this|those)|"
    r"remove\s+(?:it|that|what\s+you))\b",
    re.IGNORECASE,
)
_TAKES_BACK = lazy(
    r"\b(?:undo|revert|roll\s+back|take\s+\w+\s+(?:back|out)|remove|drop|don'?t|do\s+not|stop|instead|wrong)\b",
    re.IGNORECASE,
)


def goes_on(text: str) -> bool:
    """Whether a message, the first of its session, goes on with work of another one: it begins by saying so."""
    return _GOES_ON.match(text[:REMARK_LIMIT]) is not None


def is_nod(text: str) -> bool:
    """`Looks good, thanks!` and `好的，继续`; not `looks good, now the invoice`. Signs alone are a nod, too."""
    lowered = text.strip().lower().replace("’", "'")
    if len(lowered) > NOD_LIMIT:
        return False
    for phrase in _NODS.phrases:
        lowered = lowered.replace(phrase, " ")
    return all(piece in _NODS.words or _WIDE_NODS.fullmatch(piece) for piece in _PIECE.findall(lowered))


def is_undo(text: str) -> bool:
    """`Undo that`, `no, revert it please`: the way back is what is asked for now."""
    flat = text.strip().replace("’", "'")[:REMARK_LIMIT]
    return any(_UNDO.match(part.strip()) for part in _REMARK_END.split(flat))


def is_question(text: str) -> bool:
    """`Why is it slow?`, `explain the cache`: an answer is wanted, and nothing else; not `can you fix it?`."""
    return all(
        _ASKS.match(part) or (part.endswith(("?", "？")) and not _ORDER_AS_QUESTION.match(part))
        for line in text.split("\n")
        for part in (piece.strip() for piece in _REMARK_END.split(line.strip()))
        if part
    )


def permits(text: str) -> bool:
    """`That's fine, keep the colour, and make the buttons bigger`: a part of it lets stand, and none takes that back.

    A bare `ok` only says that one was heard, and thanks or praise let nothing stand.
    """
    flat = text.strip().replace("’", "'")[:REMARK_LIMIT]
    clauses = [clause.strip(" .!?") for part in _REMARK_END.split(flat) for clause in _CLAUSE_END.split(part)]
    said = [clause for clause in clauses if clause]
    taken_back = any(_TAKES_BACK.search(clause) for clause in said)
    return not taken_back and any(_PERMITS.search(clause) or _KEEPS.match(clause) for clause in said)


def only_grants(text: str) -> bool:
    """`Ok, you may change db/schema.sql now`, and at most a remark beside it: nothing else is asked for."""
    if len(text) > REMARK_LIMIT:
        return False
    said = [sentence for _offset, sentence in sentences(text) if not is_remark(sentence)]
    return bool(said) and all(map(is_permission, said))


def is_remark(text: str) -> bool:
    """`No, that's wrong`, `why did you do that?`, `perfect. now commit`: about the work, and no new work.

    What names a thing that is not the work itself (`still broken on the invoice page`) is more than a remark.
    """
    flat = text.strip().replace("’", "'")
    if len(flat) > REMARK_LIMIT:
        return False
    return all(_remarks(part.strip()) for part in _REMARK_END.split(flat))


def _remarks(sentence: str) -> bool:
    if _is_about_the_work(sentence) or _is_about_the_work(sentence.rstrip(" .!?")):
        return True
    return all(_is_about_the_work(clause.strip(" .!?")) for clause in _CLAUSE_END.split(sentence))


def _is_about_the_work(clause: str) -> bool:
    if any(pattern.fullmatch(clause) for pattern in _REMARKS):
        return True
    return is_nod(clause) or all(
        word in _REMARK_WORDS or _ENDING.sub("", word) in _REMARK_WORDS for word in _PIECE.findall(clause.lower())
    )
