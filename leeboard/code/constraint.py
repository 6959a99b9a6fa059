"""Limits in the human's words: do not, never, only, must, without, leave alone.

Most uses of these words limit nothing ("I don't see why", "don't forget to", "it must show only when"). A constraint is
taken from an imperative clause with a verb of change. It is *checkable* when its object names paths, a kind of file
that can be told by its path, or a program; anything else is remembered and given to the agent, never enforced.
A clause that holds only for a time or under a condition ("until I say so", "unless") is remembered, not checked.
"""

from __future__ import annotations

import re

from leeboard.code.names import path_like
from leeboard.model.contract import Constraint, ConstraintKind

CONSTRAINT_LIMIT = 12
TEXT_LIMIT = 160

ADD_DEPENDENCY = "add-dependency"
"""Stands among a constraint's programs for every command that installs a new package."""

_CHANGE = (
    r"modif(?:y|ying)|chang(?:e|ing)|touch(?:ing)?|edit(?:ing)?|alter(?:ing)?|updat(?:e|ing)|rewrit(?:e|ing)|overwrit(?:e|ing)|"
    r"refactor(?:ing)?|renam(?:e|ing)|mov(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)|creat(?:e|ing)|add(?:ing)?|writ(?:e|ing)(?:\s+to)?|"
    r"commit(?:ting)?|push(?:ing)?|install(?:ing)?|mess(?:ing)?\s+with|break(?:ing)?"
)
_FORBID = re.compile(
    rf"(?P<before>.*?)\b(?:do\s+not|don['’]?t|never|must\s+not|mustn['’]?t|should\s+not|shouldn['’]?t|avoid)\s+"
    rf"(?:ever\s+|please\s+|you\s+dare\s+)?(?P<verb>{_CHANGE})\b(?P<object>.*)",
    re.IGNORECASE,
)
_WITHOUT = re.compile(rf"\bwithout\s+(?P<verb>{_CHANGE})\b(?P<object>.*)", re.IGNORECASE)
_LEAVE = re.compile(
    r"\b(?:leave|keep)\s+(?P<object>.+?)\s+(?:alone|unchanged|untouched|as[\s-]is|as\s+it\s+is|as\s+they\s+are|intact)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"(?:^|\b(?:please|and|but|just|so|you\s+(?:may|can|should|must))\s+|[,:(]\s*)(?:"
    r"only\s+(?:touch|edit|change|modify|work\s+(?:in|on|within))|(?:touch|edit|change|modify|work\s+(?:in|on))\s+only(?:\s+(?:in|on|within|inside))?|"
    r"stay\s+(?:in|inside|within)|(?:limit|restrict|confine)\s+(?:yourself|(?:all\s+|your\s+|the\s+)?(?:changes|edits|work))\s+to)\s+(?P<object>.+)",
    re.IGNORECASE,
)
_NOTHING_BUT = re.compile(
    r"^\s*(?:anything|any\s+(?:other\s+)?(?:files?|code)|files?|code)\s+(?:outside(?:\s+of)?|except(?:\s+for)?|other\s+than|but|beyond)\s+(?P<object>.+)",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"(?:^|\byou\s+)must\s+(?!not\b)(?P<object>(?:use|keep|stay|remain|support|follow|work)\b.+)", re.IGNORECASE
)
_IMPERATIVE = re.compile(
    r"^(?:\W|\d|(?:please|pls|and|but|so|also|just|then|you|important|note|again|remember|again|make|sure|to|or|ok|okay|bitte)\b)*$",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"\b(?:until|unless|before|yet|if|when|whenever|for\s+now|right\s+now|at\s+this\s+point|too\s+much|more\s+than|except|as\s+long|once|while)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[!?;\n]+|\.(?=\s|$)|\s[–—-]\s|,?\s+\b(?:but|however|aber)\b\s+")
_NEGATION = re.compile(r"\b(?:not|don['’]?t|never|without|no|avoid|mustn['’]?t|shouldn['’]?t)\b", re.IGNORECASE)

_KINDS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        re.compile(
            r"^(?:the |any |our |existing )*(?:unit |integration |e2e )?(?:tests?|test (?:files?|suite|code)|specs?)\b",
            re.I,
        ),
        (),
        ("tests",),
    ),
    (
        re.compile(r"^(?:the |any |our |existing )*(?:database |db |sql |prisma )?schemas?\b", re.I),
        (
            "**/schema.*",
            "**/schema/**",
            "**/schemas/**",
            "**/*.sql",
            "**/*.prisma",
            "**/migrations/**",
            "**/*_schema.*",
            "**/*.schema.*",
        ),
        (),
    ),
    (
        re.compile(r"^(?:the |any |our |existing )*(?:database |db )?migrations?\b", re.I),
        ("**/migrations/**", "**/migrate/**", "**/alembic/**"),
        (),
    ),
    (
        re.compile(r"^(?:the |any |our )*(?:lock ?files?|package-lock)\b", re.I),
        ("**/*.lock", "**/package-lock.json", "**/pnpm-lock.yaml", "**/go.sum"),
        (),
    ),
    (
        re.compile(r"^(?:the |any |our )*(?:css|styles?|stylesheets?|styling)\b", re.I),
        ("**/*.css", "**/*.scss", "**/*.sass", "**/*.less"),
        (),
    ),
    (
        re.compile(r"^(?:the |any |our )*(?:docs|documentation|readme)\b", re.I),
        ("**/*.md", "**/docs/**", "**/*.rst"),
        (),
    ),
)
_DEPENDENCY = re.compile(
    r"^(?:\s|any|new|more|extra|other|external|third[- ]party|additional|npm|pip|the|a)*\b(?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies)|libs?|modules?)\b",
    re.I,
)
_FOLDER = re.compile(r"^(?:the |any |our )*[`'\"]?([\w\-]{2,40})[`'\"]?\s+(?:folder|directory|dir)\b", re.I)


def find_constraints(text: str) -> tuple[Constraint, ...]:
    """The limits a human message sets, in order."""
    found: dict[str, Constraint] = {}
    for clause in _CLAUSE.split(text):
        constraint = _of_clause(clause.strip()) if 4 < len(clause) < 600 else None
        if constraint is not None:
            found.setdefault(constraint.text, constraint)
    return tuple(found.values())[:CONSTRAINT_LIMIT]


def find_lifts(text: str) -> tuple[str, ...]:
    """Programs and kinds of file the human now asks for without a negation: an earlier ban on them ends."""
    lifted: dict[str, None] = {}
    for clause in _CLAUSE.split(text):
        if _NEGATION.search(clause):
            continue
        lowered = clause.lower()
        for word, what in (("commit", "git commit"), ("push", "git push"), ("install", ADD_DEPENDENCY), ("dependenc", ADD_DEPENDENCY),
                           ("test", "tests"), ("spec", "tests"), ("pull request", "gh pr")):  # fmt: skip
            if word in lowered:
                lifted[what] = None
    return tuple(lifted)


def _of_clause(clause: str) -> Constraint | None:
    if forbid := _FORBID.match(clause):
        if _IMPERATIVE.match(forbid["before"]):
            return _forbidden(forbid["verb"], forbid["object"])
    if without := _WITHOUT.search(clause):
        return _forbidden(without["verb"], without["object"])
    if leave := _LEAVE.search(clause):
        return _forbidden("change", " " + leave["object"])
    if only := _ONLY.search(clause):
        return _make("only", f"ONLY change {only['object']}", only["object"])
    if must := _MUST.search(clause):
        return Constraint(text=_cut(f"MUST {must['object']}"), kind="must")
    return None


def _forbidden(verb: str, what: str) -> Constraint | None:
    what = re.split(
        r"\s(?:because|since|as\s+(?:it|they|we)|so\s+that|and\s+(?:then|instead|make|use|just))\b", what, maxsplit=1
    )[0]
    if nothing_but := _NOTHING_BUT.match(what):
        return _make("only", f"ONLY change {nothing_but['object']}", nothing_but["object"])
    text = f"DO NOT {' '.join(verb.lower().split())}{what}"
    lowered = verb.lower()
    if lowered.startswith(("commit", "push")):
        programs = ("git commit", "git push") if lowered.startswith("commit") else ("git push",)
        held = not _CONDITIONAL.search(what) and not path_like(what)
        return Constraint(text=_cut(text), kind="forbid", programs=programs if held else ())
    if lowered.startswith(("add", "install", "creat")) and _DEPENDENCY.match(what.strip()):
        return Constraint(text=_cut(text), kind="forbid", programs=(ADD_DEPENDENCY,))
    if lowered.startswith(("add", "creat", "break", "updat", "install", "writ")) and not path_like(what):
        return Constraint(text=_cut(text), kind="forbid")
    return _make("forbid", text, what)


def _make(kind: ConstraintKind, text: str, what: str) -> Constraint:
    if _CONDITIONAL.search(what):
        return Constraint(text=_cut(text), kind=kind)
    patterns, areas = _object(what)
    if kind == "only":
        areas = ()
    return Constraint(text=_cut(text), kind=kind, patterns=patterns, areas=areas)


def _object(what: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = [token for token in path_like(what) if "/" in token or "." in token]
    if named:
        return tuple(dict.fromkeys(_anchor(token, what) for token in named)), ()
    trimmed = what.strip(" `'\":")
    for pattern, globs, areas in _KINDS:
        match = pattern.match(trimmed)
        if match and not re.match(
            r"\s+\w+\s+(?:in|of|for|that|which)\b|\s+(?:in|of|for|that|which|if)\b", trimmed[match.end() :]
        ):
            return globs, areas
    if folder := _FOLDER.match(trimmed):
        return (f"**/{folder[1]}/**",), ()
    return (), ()


def _anchor(token: str, what: str) -> str:
    """A path as written may be relative to any folder: match it as a suffix; a folder means all below it."""
    bare = token.lstrip("./").rstrip("/") or token
    is_folder = f"{token}/" in what or "." not in bare.rsplit("/", 1)[-1]
    return f"**/{bare}/**" if is_folder else f"**/{bare}"


def _cut(text: str) -> str:
    flat = " ".join(text.split()).rstrip(" ,.:`")
    return flat if len(flat) <= TEXT_LIMIT else flat[: TEXT_LIMIT - 1] + "…"
