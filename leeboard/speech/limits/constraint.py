"""Limits in the human's words: do not, never, only, must, without, leave alone.

Most uses of these words limit nothing ("I don't see why", "don't forget to", "users must not edit posts"). A constraint
is taken from an order to the agent, outside of pasted text. It is *checkable* when its object is paths, a kind of file
that can be told by its path, or a program, and nothing more; anything else is remembered and given to the agent, never
enforced. A limit that holds only for a time or under a condition ("until I say so") is remembered, not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.contract import ADD_DEPENDENCY, Constraint
from leeboard.model.text import filled, lazy
from leeboard.speech.limits import clause
from leeboard.speech.limits.clause import (
    ADDING,
    CHANGING,
    COMMITTING,
    OPENING,
    RUNNING,
    Limit,
    Sources,
    base_forms,
    describes,
    expressions,
    is_addressed,
)
from leeboard.speech.limits.object import (
    TEST_GLOBS,
    asked_kind,
    git_command,
    is_all_of_git,
    is_conditional,
    names_dependency,
    names_pull_request,
    only_names_paths,
    resolve,
)
from leeboard.text.language import is_test
from leeboard.text.prose_path import MARK, scan
from leeboard.text.words import sentences, separate

CONSTRAINT_LIMIT = 12
TEXT_LIMIT = 160

_NOTHING_BUT = lazy(
    r"\s*(?:anything|(?:any\s+|the\s+|other\s+)*(?:files?|code|folders?))\s+(?:outside(?:\s+of)?|except(?:\s+for|\s+in)?|"
    r"other\s+than|but|besides|beyond|not\s+in)\s+(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTATION = lazy(r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|„[^“”\n]{1,300}[“”]')
_OF_GIT = lazy(r"(?:git\s+)?(?:commits?|push)", re.IGNORECASE)
_OF_GIT_WORDS = lazy(r"\b(?:git|no|or|and|commits?|push(?:es|ing)?)\b", re.IGNORECASE)
_BUT_NOT = lazy(r"[,\s]\s*(?:but|yet|just)\s+(?=(?:please\s+)?(?:do\s+not|don['’]?t|never|leave)\b)", re.IGNORECASE)
_TELLS = lazy(
    r"\W*(?:the|an?|it|they|this|that|these|those|my|our|your|their|its|he|she|we|i|you|users?|people|some|most|all|there|"
    r"why|how|what|when|if|both|each|every|tests?|hooks?|\w+s\s+(?:run|work|are|have|do))\b",
    re.IGNORECASE,
)
_NEXT_ORDER = lazy(r",\s*(?:and\s+)?(?:now|then|instead|please|afterwards)\b|,\s*but\s+(?!not\b)", re.IGNORECASE)
_POLITE_END = lazy(r"(?:[\s,.:;!]+(?:please|pls|thanks))+$", re.IGNORECASE)
_A_NOUN = "".join(
    rf"(?<!\b{word} )" for word in "the a last this that previous each every first latest our git my initial".split()
)
_LIFTS = tuple(
    (lazy(pattern, re.IGNORECASE), what)
    for pattern, what in (
        (
            rf"{_A_NOUN}(?<!pre-)\bcommit\b(?!\w|-|\s+(?:messages?|hash|hooks?|history|log)\b)|\bgit\s+commit\b|提交|\bcommitte",
            "git commit",
        ),
        (
            rf"{_A_NOUN}\bpush\b(?!\w|-|\s+(?:notifications?|messages?|events?|button)\b)|\bgit\s+push\b",
            "git push",
        ),
        (
            r"\binstall\s+(?!dependenc|the\s+dependenc)[`\w@]|\b(?:npm|pnpm|yarn|uv|pip|cargo|poetry)\s+(?:install|add|i)\b",
            ADD_DEPENDENCY,
        ),
        (r"\b(?:open|create|make|submit|raise|file)\b[^\n]{0,20}\b(?:pr|pull\s+request)\b", "gh pr"),
    )
)


def find_constraints(text: str) -> tuple[Constraint, ...]:
    """The limits a human message sets, in order."""
    found: dict[str, Constraint] = {}
    own, _pasted = separate(text)
    for _start, _end, limit in _limits(own):
        constraint = _constraint(limit)
        if constraint is not None:
            found.setdefault(constraint.text, constraint)
    return tuple(found.values())[:CONSTRAINT_LIMIT]


@lru_cache(maxsize=8)
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
    """Programs, areas and globs the human now asks for without a negation: an earlier ban on them ends.

    `**` stands for leave to go anywhere, which ends an "only".
    """
    asked = _QUOTATION.sub(_muted, without_limits(text))
    programs = (what for pattern, what in _LIFTS if pattern.search(asked))
    return tuple(dict.fromkeys((*programs, *lifts(separate(text)[0], asked))))


@lru_cache(maxsize=8)
def _limits(own: str) -> tuple[tuple[int, int, Limit], ...]:
    """Limits with their places in the text, in order. One message asks for them several times."""
    return tuple(_find_limits(own))


def _find_limits(own: str) -> Iterator[tuple[int, int, Limit]]:
    for offset, spoken in sentences(own):
        for start, sentence in _halves(_QUOTATION.sub(_muted, spoken)):
            english = list(clause.limits(sentence))
            found = [_ended(limit, sentence) for limit in english or limits(sentence)]
            for limit in sorted(found, key=lambda limit: limit.start):
                yield offset + start + limit.start, offset + start + limit.end, limit


def _halves(sentence: str) -> Iterator[tuple[int, str]]:
    """The second half of `do this but don't do that` is an order of its own; a sentence about hooks is none."""
    at = 0
    for turn in () if _TELLS.match(sentence) else _BUT_NOT.finditer(sentence):
        yield at, sentence[at : turn.end()]
        at = turn.end()
    yield at, sentence[at:]


def _ended(limit: Limit, sentence: str) -> Limit:
    """In `don't edit a, now do b` the limit ends where the next order begins."""
    turn = _NEXT_ORDER.search(limit.what)
    if turn is None or not sentence[: limit.end].endswith(limit.what):
        return limit
    left = len(limit.what) - turn.start()
    return limit._replace(what=limit.what[: turn.start()], end=limit.end - left)


def _muted(quotation: re.Match[str]) -> str:
    """`put "do not edit" on top` orders nothing. A quoted path stays; every place stays the same."""
    is_path = scan(quotation.group())[1] == MARK
    return quotation.group() if is_path else "·" * len(quotation.group())


def _constraint(limit: Limit) -> Constraint | None:
    what = limit.what.lstrip(" \t\n,:;").rstrip(" \t\n,:;.?!)")
    match limit.form:
        case "must" | "use":
            text = f"MUST {limit.verbs.lower()} {what}" if limit.form == "must" else f"ONLY use {what}"
            return Constraint(text=_flat(text), kind="must" if limit.form == "must" else "only")
        case "only":
            return _only(what, checked=limit.checked)
        case "exactly" if only_names_paths(what):
            return _only(what, checked=True)
        case "passive" if resolve(what, kinds=False)[0]:
            return _forbid("change", what, patterns=resolve(what, kinds=False)[0])
        case "waived" | "exactly" | "passive":
            return None
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
    if _OF_GIT.match(what):
        whole = is_all_of_git(_OF_GIT_WORDS.sub(" ", what))
        return tuple(verb for verb in ("commit", "push") if verb in what.lower()) if whole else ("make",)
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
    flat = _POLITE_END.sub("", " ".join(text.split())).rstrip(" ,.:;!?)")
    return flat if len(flat) <= TEXT_LIMIT else flat[: TEXT_LIMIT - 1] + "…"


# The commonest limits in German, French, Spanish, Portuguese, Italian, Russian, Chinese and Japanese.
#
# Less is read into them than into English ones: only an object that is nothing but paths, tests or the schema counts.


Form = Literal["forbid", "only", "without", "commit"]


class _Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trigger: str
    forms: tuple[tuple[Form, str], ...]
    """What a limit does, and how it is said."""
    parts: dict[str, str]


_LIMITS = load("speech/limits_abroad", _Limits)
_TRIGGER = lazy(_LIMITS.trigger, re.IGNORECASE)
_FORMS = tuple((form, lazy(filled(said, _LIMITS.parts), re.IGNORECASE)) for form, said in _LIMITS.forms)


def limits(sentence: str) -> Iterator[Limit]:
    """Limits in other languages than English. A question sets none."""
    if not _TRIGGER.search(sentence) or sentence.rstrip().endswith(("?", "？", "か", "吗")):
        return
    for form, pattern in _FORMS:
        for match in pattern.finditer(sentence):
            if form == "commit":
                yield Limit("forbid", "commit", "", match.start(), match.end())
            else:
                yield Limit(form, "change", match["what"], match.start(), match.end())


# What the human now asks for or allows, in so many words: an earlier ban on it ends.
#
# An order to change it (`also update the schema`), a permission (`you may touch the tests now`, `schema changes are
# fine`) and a rule taken back (`forget what I said about the docs`) count. A mention (`the schema has a users table`),
# a question (`did you change the tests?`) and a promise (`we can update the docs later`) do not.


GRANT_LIMIT = 300
"""A permission is short."""


class _Lifted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verbs: tuple[str, ...]
    new_package: frozenset[str]
    gentle: frozenset[str]
    grants: tuple[str, ...]
    taken_back: tuple[str, ...]
    parts: Sources
    patterns: Sources


_TABLE = load("speech/limits_lifted", _Lifted)
_GIVEN = {"verb": "|".join(sorted(_TABLE.verbs, key=lambda verb: -len(verb)))}
_SAID = expressions(_TABLE.patterns, _TABLE.parts, _GIVEN)
_GRANTS = tuple(expressions({grant: f"{{clause}}{grant}" for grant in _TABLE.grants}, _TABLE.parts, _GIVEN).values())
_TAKEN_BACK = tuple(expressions({taken: taken for taken in _TABLE.taken_back}, _TABLE.parts, _GIVEN).values())
_ITEM = lazy(r"\s*(?:,\s*(?:and\b|or\b)?|\b(?:and/or|and|or|plus|und|et|y|e)\b|&|、|和)\s*", re.IGNORECASE)


def lifts(own: str, asked: str) -> Iterator[str]:
    """Globs, areas and ADD_DEPENDENCY of what is asked for; `own` is the message, `asked` is it without its limits."""
    for sentence in _telling(own):
        if _SAID["takes_back"].search(sentence):
            for match in _each(_TAKEN_BACK, sentence):
                yield from _things(match["what"], place=False)
    for sentence in _telling(asked):
        if not _SAID["later"].search(sentence):
            yield from _ordered(sentence)
            yield from _granted(sentence)


def _telling(text: str) -> Iterator[str]:
    """Sentences that may speak of a kind of file; most do not."""
    if _SAID["trigger"].search(text):
        for _offset, sentence in sentences(text):
            if _SAID["trigger"].search(sentence):
                yield sentence


def _each(patterns: tuple[re.Pattern[str], ...], sentence: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        yield from pattern.finditer(sentence)


def _granted(sentence: str) -> Iterator[str]:
    if len(sentence) > GRANT_LIMIT or sentence.rstrip().endswith("?") or _SAID["condition"].match(sentence):
        return
    if not _SAID["granting"].search(sentence):
        return
    for match in _each(_GRANTS, sentence):
        for what in match.groupdict().values():
            yield from _things(what or "", place=False)
            if names_dependency(_bare(what or "")):
                yield ADD_DEPENDENCY


def _ordered(sentence: str) -> Iterator[str]:
    heads = [head for head in _SAID["head"].finditer(sentence) if _is_order(sentence, head)]
    for head, stop in zip(heads, [*(head.start() for head in heads[1:]), len(sentence)], strict=False):
        verb = " ".join(head["verb"].lower().split())
        what = sentence[head.end() : stop]
        if verb in _TABLE.new_package:
            yield from _packages(what)
        if verb == "use" or (verb in _TABLE.gentle and not _SAID["change_noun"].search(_SAID["cut"].sub("", what))):
            continue
        if _SAID["anywhere"].fullmatch(what.strip(" .!?,")):
            yield "**"
        yield from _things(what, place=True)


def _is_order(sentence: str, head: re.Match[str]) -> bool:
    if sentence.rstrip().endswith("?"):
        return bool(head["asked"])
    before = sentence[: head.start()]
    if head["told"] or head["asked"]:
        return not before.strip() or not _SAID["condition"].match(sentence)
    if not before.strip() or is_addressed(before):
        return True
    return head["lead"] in {",", ";", "(", "."} and not describes(before)


def _packages(what: str) -> Iterator[str]:
    named = any(names_dependency(_bare(item)) and not _SAID["our_own"].search(item) for item in _ITEM.split(what))
    if named or _SAID["as_dependency"].search(what):
        yield ADD_DEPENDENCY


def _things(what: str, *, place: bool) -> Iterator[str]:
    """Kinds of file in a list; what stands between other things counts as well, and so does a path of a test."""
    if any(is_test(path) for path in scan(what)[0]):
        yield "tests"
    items = _ITEM.split(what)
    places = [match["place"] for item in items if place and (match := _SAID["place"].search(item))]
    extras = [match["what"] for match in _SAID["with"].finditer(what)] if place else []
    for item in (*(item for item in items if not place or item.strip(" .!").lower() != "test"), *places, *extras):
        globs, areas = asked_kind(_bare(item))
        yield from globs
        yield from areas
        if "tests" in areas:
            yield from TEST_GLOBS


def _bare(item: str) -> str:
    """`the schema to fit` and `the schema changes` are about the schema."""
    return _SAID["change_noun"].sub("", _SAID["cut"].sub("", item).strip(" \t\n.!?,`'\"*")).strip(" `'\"")
