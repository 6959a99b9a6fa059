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

from leeboard.model.contract import ADD_DEPENDENCY, Constraint, Until
from leeboard.model.text import lazy
from leeboard.speech.limits import clause
from leeboard.speech.limits.abroad import limits
from leeboard.speech.limits.action import NOTHING, ban_on, ban_on_no, lifted_by
from leeboard.speech.limits.clause import (
    CHANGING,
    COMMITTING,
    Limit,
    base_forms,
    begins_list,
    is_asked,
)
from leeboard.speech.limits.lift import lifts
from leeboard.speech.limits.object import (
    in_brackets,
    is_all_of_git,
    is_conditional,
    is_else,
    is_pronoun,
    names_dependency,
    of_none,
    only_names_paths,
    only_places,
    resolve,
    spoken_of,
    without_waiting,
)
from leeboard.text.prose_path import MARK, scan
from leeboard.text.words import sentences, separate

CONSTRAINT_LIMIT = 12
TEXT_LIMIT = 160

_CHANGES = lazy(r"(?<=\w)\s+(?:changes?|edits?|modifications?)\Z", re.IGNORECASE)
"""`no code changes` rules out to change code."""
_NOTHING_BUT = lazy(
    r"\s*(?:anything|(?:any\s+|the\s+|other\s+)*(?:files?|code|folders?))\s+(?:outside(?:\s+of)?|except(?:\s+for|\s+in)?|"
    r"other\s+than|but|besides|beyond|not\s+in)\s+(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTATION = lazy(r'"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|„[^“”\n]{1,300}[“”]')
_BULLET = lazy(r"[ \t]*(?:[-*•·–]|\d{1,3}[.)]|[a-z]\)|\[[ xX]?\])[ \t]+")
_LAST_VERB = lazy(r",\s*[\w\s-]+\Z")
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
_NEW_FILES = lazy(r"(?:new|extra|additional|more)\s+files?\b", re.IGNORECASE)
_LIFTS = tuple(
    (hints, lazy(pattern, re.IGNORECASE), what)
    for hints, pattern, what in (
        (
            ("commit", "提交"),
            rf"{_A_NOUN}(?<!pre-)\bcommit\b(?!\w|-|\s+(?:messages?|hash|hooks?|history|log)\b)|\bgit\s+commit\b|提交|\bcommitte",
            "git commit",
        ),
        (
            ("push",),
            rf"{_A_NOUN}\bpush\b(?!\w|-|\s+(?:notifications?|messages?|events?|button)\b)|\bgit\s+push\b",
            "git push",
        ),
        (
            ("install", "npm", "yarn", "uv", "pip", "cargo", "poetry"),
            r"\binstall\s+(?!dependenc|the\s+dependenc)[`\w@]|\b(?:npm|pnpm|yarn|uv|pip|cargo|poetry)\s+(?:install|add|i)\b",
            ADD_DEPENDENCY,
        ),
    )
)


def find_constraints(text: str) -> tuple[Constraint, ...]:
    """The limits a human message sets, in order."""
    return tuple(constraint for _place, constraint in placed_constraints(text))[:CONSTRAINT_LIMIT]


def placed_constraints(text: str) -> Iterator[tuple[int, Constraint]]:
    """The limits that a text sets, each once, with the line on which each begins, from one."""
    own, _pasted = separate(text)
    told: set[str] = set()
    for start, _end, limit in _limits(own):
        constraint = _constraint(limit)
        if constraint is not None and constraint.text not in told:
            told.add(constraint.text)
            yield own.count("\n", 0, start) + 1, constraint


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
    lowered = asked.lower()
    programs = (what for hints, told, what in _LIFTS if any(hint in lowered for hint in hints) and told.search(asked))
    return tuple(dict.fromkeys((*programs, *lifted_by(asked), *lifts(separate(text)[0], asked))))


@lru_cache(maxsize=8)
def _limits(own: str) -> tuple[tuple[int, int, Limit], ...]:
    """Limits with their places in the text, in order. One message asks for them several times."""
    return tuple(_find_limits(own))


def _find_limits(own: str) -> Iterator[tuple[int, int, Limit]]:
    listing = False
    for offset, spoken in sentences(own):
        said = _QUOTATION.sub(_muted, spoken)
        item = listing and _is_item(own, offset)
        listing = item or begins_list(said)
        if item and base_forms(said.partition(" ")[0]):
            verb, _, what = said.partition(" ")
            yield offset, offset + len(said), Limit("forbid", verb, what, 0, len(said))
            continue
        for start, sentence in _halves(said):
            english = list(clause.limits(sentence))
            found = [_ended(_resolved(limit, said, start), sentence) for limit in english or limits(sentence)]
            for limit in sorted(found, key=lambda limit: limit.start):
                if limit.form == "not" and not any(resolve(limit.what.strip(" ,.!;"))):
                    continue
                yield offset + start + limit.start, offset + start + limit.end, limit


def _is_item(own: str, offset: int) -> bool:
    """Whether a sentence is an item of a list: a sign of one stands before it on its line."""
    return bool(_BULLET.fullmatch(own[own.rfind("\n", 0, offset) + 1 : offset]))


def _resolved(limit: Limit, sentence: str, start: int) -> Limit:
    """`the tests are right, don't change them`: with what the pronoun stands for, where the sentence has said it.

    `edit a.py and don't touch anything else` leaves a.py; `don't rebase, merge instead` leaves merging.
    """
    before = sentence[: start + limit.start]
    what = limit.what.strip(" ,.!;")
    if limit.form == "forbid" and not what and sentence[start + limit.end :].lstrip().startswith("instead"):
        return limit._replace(verbs=_LAST_VERB.sub("", limit.verbs))
    if limit.form != "forbid" or not before.strip():
        return limit
    if is_pronoun(what) and (meant := spoken_of(before)):
        return limit._replace(what=f" {meant}")
    if is_else(what) and set(base_forms(limit.verbs)) & CHANGING and (paths := scan(before)[0]):
        return limit._replace(form="only", what=" and ".join(f"`{path}`" for path in paths))
    return limit


def _halves(sentence: str) -> Iterator[tuple[int, str]]:
    """The second half of `do this but don't do that` is an order of its own; a sentence about hooks is none."""
    at = 0
    sentence = sentence.rstrip("?") if is_asked(sentence) and _BUT_NOT.search(sentence) else sentence
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


def _constraint(limit: Limit) -> Constraint | None:  # noqa: PLR0911 - one for each form
    what = limit.what.lstrip(" \t\n,:;").rstrip(" \t\n,:;.?!)")
    match limit.form:
        case "must" | "use":
            text = f"MUST {limit.verbs.lower()} {what}" if limit.form == "must" else f"ONLY use {what}"
            return Constraint(text=_flat(text), kind="must" if limit.form == "must" else "only")
        case "only":
            return _only(limit.meant or what, checked=limit.checked)
        case "exactly" if only_names_paths(what):
            return _only(what, checked=True)
        case "passive":
            return _left_as_is(in_brackets(what))
        case "banned":
            return _off_the_table(limit, what)
        case "not":
            return _banned(limit, ("change",), what)
        case "waived" | "exactly":
            return None
    return _forbidden(limit, what)


def _left_as_is(what: str) -> Constraint | None:
    """`package.json must not be changed`. Of kinds of file only tests: programs must not change their schema either."""
    patterns, areas = resolve(what, kinds=False)
    areas = areas or resolve(what)[1]
    if not patterns and not areas and not scan(what)[0]:
        return None
    return Constraint(text=_flat(f"DO NOT change {what}"), kind="forbid", patterns=patterns, areas=areas)


def _off_the_table(limit: Limit, what: str) -> Constraint | None:
    """`git push is off the table`, `installing packages is forbidden`. The rest may tell of a program."""
    verb, _, rest = what.partition(" ")
    done = base_forms(verb)
    told = _banned(limit, done, rest) if done and verb.lower().endswith("ing") else _none_of(limit, what)
    is_checked = told is not None and (told.patterns or told.areas or told.programs)
    return told if is_checked else _left_as_is(in_brackets(what))


def _only(what: str, *, checked: bool) -> Constraint:
    settled, _waits = without_waiting(what)
    patterns, areas = only_places(settled) if checked and not is_conditional(settled) else ((), ())
    return Constraint(text=_flat(f"ONLY change {what}"), kind="only", patterns=patterns, areas=areas)


def _forbidden(limit: Limit, what: str) -> Constraint | None:
    if nothing_but := _NOTHING_BUT.match(what):
        return _only(nothing_but["what"], checked=limit.checked)
    if limit.form == "no":
        return _none_of(limit, limit.meant or what) if what else None
    return _banned(limit, base_forms(limit.verbs), what)


def _banned(limit: Limit, verbs: tuple[str, ...], what: str) -> Constraint:
    settled, waits = without_waiting(what)
    ban = ban_on(verbs, limit.meant or settled) if limit.checked else NOTHING
    if ban == NOTHING and limit.checked and limit.verbs == "change":
        ban = ban_on(("use",), settled)  # who is to stay away from docker is not to run it
    until: Until = "word" if waits and not ban.until and not ban.programs else ban.until
    told = _CHANGES.sub("", what) if verbs == ("change",) else what
    return Constraint(
        text=_flat(f"DO NOT {' or '.join(verbs)} {told}"),
        kind="forbid",
        patterns=ban.patterns,
        areas=ban.areas,
        programs=ban.programs,
        deeds=ban.deeds,
        until=until if ban != NOTHING else "",
    )


def _none_of(limit: Limit, what: str) -> Constraint | None:
    """`no new dependencies`, `no commits`, `no changes to src/`, `no deletions`, `no network access`."""
    what = without_waiting(what)[0] if _OF_GIT.match(what) else what
    if names_dependency(what):
        return _banned(limit, ("add",), what)
    if _OF_GIT.match(what):
        whole = is_all_of_git(_OF_GIT_WORDS.sub(" ", what))
        verbs = tuple(verb for verb in ("commit", "push") if verb in what.lower()) if whole else ("make",)
        return _banned(limit, verbs, "" if set(verbs) & COMMITTING else what)
    verb, about = of_none(what)
    if verb == "only":
        return _only("tests", checked=limit.checked)
    if verb:
        return _banned(limit, (verb,), about or "files")
    programs = (ban_on_no(what).programs or ban_on(("use",), what).programs) if limit.checked else ()
    if programs:
        return Constraint(text=_flat(f"NO {what}"), kind="forbid", programs=programs)
    return _banned(limit, ("create",) if _NEW_FILES.match(what) else ("change",), what)


def _flat(text: str) -> str:
    flat = _POLITE_END.sub("", " ".join(text.split())).rstrip(" ,.:;!?)")
    return flat if len(flat) <= TEXT_LIMIT else flat[: TEXT_LIMIT - 1] + "…"
