"""Limits in the human's words: do not, never, only, must, without, leave alone.

Most uses of these words limit nothing ("I don't see why", "don't forget to", "users must not edit posts"). A constraint
is taken from an order to the agent, outside of pasted text. It is *checkable* when its object is paths, a kind of file
that can be told by its path, or a program, and nothing more; anything else is remembered and given to the agent, never
enforced. A limit that holds only for a time or under a condition ("until I say so") is remembered, not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.code import _constraint_clause, _constraint_tongue
from leeboard.code._constraint_clause import Limit
from leeboard.code._constraint_object import (
    git_command,
    is_all_of_git,
    is_conditional,
    names_dependency,
    names_pull_request,
    only_names_paths,
    resolve,
)
from leeboard.code._constraint_verb import ADDING, CHANGING, COMMITTING, OPENING, RUNNING, base_forms
from leeboard.code._pasted import separate
from leeboard.code._sentence import sentences
from leeboard.model.contract import Constraint

CONSTRAINT_LIMIT = 12
TEXT_LIMIT = 160

ADD_DEPENDENCY = "add-dependency"
"""Stands among a constraint's programs for every command that installs a new package."""

_NOTHING_BUT = re.compile(
    r"\s*(?:anything|(?:any\s+|the\s+|other\s+)*(?:files?|code|folders?))\s+(?:outside(?:\s+of)?|except(?:\s+for|"
        r"\s+in)?|other\s+than|but|besides|beyond|not\s+in)\s+(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DETERMINED = r"(?<!\bthe )(?<!\ba )(?<!\blast )(?<!\bthis )(?<!\bthat )(?<!\bprevious )(?<!\beach )(?<!\bevery "
    r")(?<!\bfirst )(?<!\blatest )(?<!\bour )(?<!\bgit )(?<!\bpre-)(?<!\bmy )"
_LIFTS = (
    (re.compile(rf"{_DETERMINED}\bcommit\b(?!\w|-|\s+(?:messages?|hash|hook|history|log|message)\b)|"
        r"\bgit\s+commit\b|提交|\bcommitte", re.IGNORECASE), "git commit"),
    (re.compile(rf"{_DETERMINED}\bpush\b(?!\w|-|\s+(?:notifications?|messages?|events?|button)\b)|\bgit\s+push\b", re.IGNORECASE), "git push"),
    (re.compile(r"\b(?:install|add|use|introduce|upgrade)\b[^\n]{0,60}\b(?:dependenc\w+|packages?|librar\w+|"
        r"module)\b|\binstall\s+[`\w@]|\b(?:npm|pnpm|yarn|uv|pip|cargo|poetry)\s+(?:install|add|i)\b", re.IGNORECASE), ADD_DEPENDENCY),
    (re.compile(r"\b(?:add|write|update|fix|change|edit|modify|extend|adjust|create|delete|remove|rewrite|move|"
        r"refactor|cover|adapt|correct|include)\b[^\n]{0,60}\b(?:tests?|specs?)\b", re.IGNORECASE), "tests"),
    (re.compile(r"\b(?:open|create|make|submit|raise|file)\b[^\n]{0,20}\b(?:pr|pull\s+request)\b", re.IGNORECASE), "gh pr"),
)  # fmt: skip


def find_constraints(text: str) -> tuple[Constraint, ...]:
    """The limits a human message sets, in order."""
    found: dict[str, Constraint] = {}
    own, _pasted = separate(text)
    for _start, _end, limit in _limits(own):
        constraint = _constraint(limit)
        if constraint is not None:
            found.setdefault(constraint.text, constraint)
    return tuple(found.values())[:CONSTRAINT_LIMIT]


def without_limits(text: str) -> str:
    """The text without what it forbids or sets aside: what stays is what the human asks for."""
    own, _pasted = separate(text)
    kept, at = [], 0
    for start, end, limit in _limits(own):
        if limit.form not in {"only", "exactly", "use", "must"} and not _NOTHING_BUT.match(limit.what) and start >= at:
            kept.append(own[at:start])
            at = end
    return " ".join((*kept, own[at:]))


def find_lifts(text: str) -> tuple[str, ...]:
    """Programs and kinds of file the human now asks for without a negation: an earlier ban on them ends."""
    asked = without_limits(text)
    return tuple(dict.fromkeys(what for pattern, what in _LIFTS if pattern.search(asked)))


def _limits(own: str) -> Iterator[tuple[int, int, Limit]]:
    """Limits with their places in the text, in order."""
    for offset, sentence in sentences(own):
        english = list(_constraint_clause.limits(sentence))
        found = english or list(_constraint_tongue.limits(sentence))
        for limit in sorted(found, key=lambda limit: limit.start):
            yield offset + limit.start, offset + limit.end, limit


def _constraint(limit: Limit) -> Constraint | None:
    what = limit.what.strip(" \t\n,:;.)")
    match limit.form:
        case "waived":
            return None
        case "must":
            return Constraint(text=_flat(f"MUST {limit.verbs.lower()} {what}"), kind="must")
        case "use":
            return Constraint(text=_flat(f"ONLY use {what}"), kind="only")
        case "only":
            return _only(what, checked=limit.checked)
        case "exactly":
            return _only(what, checked=True) if only_names_paths(what) else None
        case "passive":
            patterns, _areas = resolve(what, kinds=False)
            return _forbid("change", what, patterns=patterns) if patterns else None
        case _:
            return _forbidden(limit, what)


def _only(what: str, *, checked: bool) -> Constraint:
    held = checked and not is_conditional(what) and only_names_paths(what)
    return Constraint(text=_flat(f"ONLY change {what}"), kind="only", patterns=resolve(what)[0] if held else ())


def _forbidden(limit: Limit, what: str) -> Constraint | None:
    if nothing_but := _NOTHING_BUT.match(what):
        return _only(nothing_but["what"], checked=limit.checked)
    if limit.form == "no" and not what:
        return None
    verbs = _verbs_of_none(what) if limit.form == "no" else base_forms(limit.verbs)
    if limit.form == "no" and set(verbs) & COMMITTING:
        what = ""
    text = " or ".join(verbs)
    if not limit.checked:
        return _forbid(text, what)
    if set(verbs) & CHANGING:
        patterns, areas = resolve(what)
        return _forbid(text, what, patterns=patterns, areas=areas)
    return _forbid(text, what, programs=_programs(verbs, what))


def _verbs_of_none(what: str) -> tuple[str, ...]:
    """`no new dependencies`, `no commits`, `no changes to src/`."""
    if names_dependency(what):
        return ("add",)
    if re.match(r"(?:git\s+)?(?:commits?|push)", what, re.IGNORECASE):
        rest = re.sub(
            r"^(?:git\s+)?(?:commits?|push(?:es|ing)?)\b|\b(?:no|or|and|commits?|push(?:es|ing)?)\b",
            " ",
            what,
            flags=re.IGNORECASE,
        )
        return tuple(verb for verb in ("commit", "push") if verb in what.lower()) if is_all_of_git(rest) else ("make",)
    return ("change",)


def _programs(verbs: tuple[str, ...], what: str) -> tuple[str, ...]:
    if set(verbs) & COMMITTING and is_all_of_git(what):
        commits = {"commit", "git commit"} & set(verbs)
        return ("git commit", "git push") if commits else ("git push",)
    if set(verbs) & ADDING and names_dependency(what):
        return (ADD_DEPENDENCY,)
    if set(verbs) & OPENING and names_pull_request(what):
        return ("gh pr",)
    if set(verbs) & RUNNING and (command := git_command(what)):
        return (f"git {command}",)
    return ()


def _forbid(
    verb: str,
    what: str,
    *,
    patterns: tuple[str, ...] = (),
    areas: tuple[str, ...] = (),
    programs: tuple[str, ...] = (),
) -> Constraint:
    text = _flat(f"DO NOT {verb} {what}")
    return Constraint(text=text, kind="forbid", patterns=patterns, areas=areas, programs=programs)


def _flat(text: str) -> str:
    flat = re.sub(r"(?:[\s,.:;!]+(?:please|pls|thanks))+$", "", " ".join(text.split()), flags=re.IGNORECASE).rstrip(
        " ,.:;!?)"
    )
    flat = flat.removesuffix("/**") if flat.endswith(" /**") else flat
    return flat if len(flat) <= TEXT_LIMIT else flat[: TEXT_LIMIT - 1] + "…"
