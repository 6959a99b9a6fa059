"""English limits in one sentence: where an imperative to the agent begins, and how far its object goes.

`Users must not edit posts` and `the job does not touch package.json` describe a program. A limit is an order: it stands
at the start of a sentence, or after a comma or a conjunction when what comes before is an order as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from leeboard.data import load
from leeboard.model.text import filled, lazy

Sources = dict[str, str | tuple[str, ...]]
"""Expressions by name, whole or as alternatives."""


def expressions(patterns: Sources, parts: Sources, given: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """The patterns of a table with their parts in place: those of the table, and those that are given."""
    texts = {**given, **{name: part if isinstance(part, str) else _group(part) for name, part in parts.items()}}
    whole = {name: said if isinstance(said, str) else "|".join(said) for name, said in patterns.items()}
    return {name: lazy(filled(said, texts), re.IGNORECASE) for name, said in whole.items()}


def _group(alternatives: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(alternatives)})"


class _English(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    changing: frozenset[str]
    adding: frozenset[str]
    committing: frozenset[str]
    opening: frozenset[str]
    running: frozenset[str]
    deleting: frozenset[str]
    creating: frozenset[str]
    moving: frozenset[str]
    working: frozenset[str]
    others: tuple[str, ...]
    doubled: frozenset[str]
    hints: dict[str, tuple[str, ...]]
    """Letters of which some are in every sentence of a form."""
    imperatives: frozenset[str]
    free_verbs: frozenset[str]
    parts: Sources
    patterns: Sources


_TABLE = load("speech/limits_english", _English)
CHANGING, ADDING, COMMITTING = _TABLE.changing, _TABLE.adding, _TABLE.committing
OPENING, RUNNING, IMPERATIVES = _TABLE.opening, _TABLE.running, _TABLE.imperatives
DELETING, CREATING, MOVING, WORKING = _TABLE.deleting, _TABLE.creating, _TABLE.moving, _TABLE.working
_VERBS = tuple(
    dict.fromkeys(
        (
            *(*CHANGING, *ADDING, *COMMITTING, *OPENING, *RUNNING),
            *(*DELETING, *CREATING, *MOVING, *WORKING, *_TABLE.others),
        )
    )
)


# The verbs of a limit, in the two forms English uses them: `do not change`, `without changing`.


def _gerund(base: str) -> str:
    verb, space, particle = base.rpartition(" ") if base.startswith(("git ", "force ")) else base.partition(" ")
    if base.startswith(("git ", "force ")):
        return f"{verb} {_gerund(particle)}"
    if verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    elif verb in _TABLE.doubled:
        verb += verb[-1]
    return f"{verb}ing{space}{particle}"


def _participle(base: str) -> str:
    """The participle of a regular verb of one word; the few others do not stand behind "nothing may be"."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{base + base[-1] if base in _TABLE.doubled else base.removesuffix('e')}ed"


_SINGLE = tuple(base for base in _VERBS if " " not in base)
_BASE = {form: base for base in _VERBS for form in (base, _gerund(base))} | {_participle(it): it for it in _SINGLE}


def _any_of(forms: list[str]) -> str:
    ordered = sorted(set(forms), key=lambda form: (-len(form), form))
    return "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in ordered)


_JOINED = r"(?:\s*[,/&]\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|and/or)\s+)"
_PLAIN = _any_of(list(_VERBS))
_GERUNDS = _any_of([_gerund(base) for base in _VERBS])
PLAIN = rf"(?:{_PLAIN})\b(?>(?:{_JOINED}(?:{_PLAIN})\b)*)(?!-)"
GERUND = rf"(?:{_GERUNDS})\b(?>(?:{_JOINED}(?:{_GERUNDS})\b)*)"
_SPLIT = lazy(_JOINED)

_SAID = expressions(
    _TABLE.patterns,
    _TABLE.parts,
    {
        "plain": PLAIN,
        "gerund": GERUND,
        "imperatives": "|".join(sorted(IMPERATIVES)),
        "participle": f"(?:{_any_of([_participle(base) for base in _SINGLE])})",
    },
)


def base_forms(verbs: str) -> tuple[str, ...]:
    """The verbs of a joined group, each in its base form."""
    parts = (" ".join(part.lower().split()) for part in _SPLIT.split(verbs))
    return tuple(dict.fromkeys(_BASE[part] for part in parts if part in _BASE))


class Limit(NamedTuple):
    """A limit as it stands in a sentence, from `start` to `end`."""

    form: str
    """One of `forbid`, `only`, `exactly`, `use`, `must`, `leave`, `no`, `not`, `passive`, `banned`, `without` and
    `waived`.
    """
    verbs: str
    what: str
    start: int
    end: int
    checked: bool = True
    """False where the sentence may just as well describe a program."""
    meant: str = ""
    """The object in English, where it is said in another language."""


def limits(sentence: str) -> Iterator[Limit]:
    """Every limit of a sentence, in order; those the sentence may only describe are marked as not to be checked."""
    lowered = sentence.lower()
    if _has(lowered, "outside") and (outside := _SAID["outside"].match(sentence)):
        what = next(group for group in outside.groupdict().values() if group)
        yield Limit("only", "change", what, 0, len(sentence))
        return
    if _has(lowered, "passive") and (passive := _SAID["passive"].match(sentence)):
        start = _after_order(sentence, passive.start("what"), passive.end("what"))
        yield Limit("passive", "change", sentence[start : passive.end("what")], start, len(sentence))
        return
    question = lowered.rstrip().endswith("?")
    if _has(lowered, "banned") and not question and (banned := _SAID["banned"].match(sentence)):
        yield Limit("banned", "change", banned["what"], banned.start("what"), len(sentence))
        return
    if _has(lowered, "nothing") and not question and (nothing := _nothing(sentence)):
        yield nothing
        return
    if _has(lowered, "path_only") and not question and (named := _SAID["path_only"].match(sentence)):
        yield Limit("exactly", "change", named["what"], 0, len(sentence))
        return
    heads = [match for match in _SAID["head"].finditer(sentence) if _is_order(sentence, match)]
    starts = [match.start() for match in heads]
    for head, end in zip(heads, [*starts[1:], len(sentence)], strict=False):
        yield _limit(sentence, head, end)
    yield from _without(sentence, starts[0] if starts else len(sentence))


def _nothing(sentence: str) -> Limit | None:
    found = _SAID["nothing"].search(sentence)
    if found is None or describes(sentence[found.end() :]):
        return None
    done = found["done"] or found["done2"] or "change"
    what = found["place"] or found["place2"] or "anything"
    return Limit("forbid", done, what, found.start(), len(sentence))


def _has(lowered: str, form: str) -> bool:
    """Whether a sentence may be of a form: the expression of one costs more to make than all else that is done."""
    for hint in _TABLE.hints[form]:  # noqa: SIM110 - asked three times of every sentence: a generator doubles its cost
        if hint in lowered:
            return True
    return False


def _after_order(sentence: str, start: int, stop: int) -> int:
    """Where the subject begins in `fix it, package.json is off limits`."""
    breaks = [
        match for match in _SAID["break"].finditer(sentence, start, stop) if _is_command(sentence[: match.start()])
    ]
    return breaks[-1].end() if breaks else start


def _without(sentence: str, stop: int) -> Iterator[Limit]:
    if _has(sentence.lower(), "kept") and (kept := _SAID["kept"].search(sentence, 0, stop)):
        yield Limit("leave", "change", kept["what"], kept.start(), kept.end(), _is_attached(sentence[: kept.start()]))
    if match := _SAID["without"].search(sentence, 0, stop):
        end = _object_end(sentence, match.end(), stop)
        before, after = sentence[: match.start()], sentence[end:].lstrip(", ")
        checked = _is_attached(before) if before.strip() else _is_command(after)
        yield Limit("without", match["gerund"], sentence[match.end() : end], match.start(), end, checked)


def _is_order(sentence: str, head: re.Match[str]) -> bool:
    question = sentence.rstrip().endswith("?")
    before = sentence[: head.start()]
    if head["not"]:
        return head["lead"] == "," and not question and _is_command(before)
    if not before.strip():
        return not question
    if is_addressed(before):
        return True
    # Only after a comma: "the hooks run but don't change package.json" goes on about the hooks.
    plain = head["lead"] in {",", ";", "("} and (head["verbs"] or head["leave"]) and not head["modal"]
    return bool(plain) and not question and not _SAID["describes"].search(before.removeprefix("if "))


def is_addressed(before: str) -> bool:
    """Whether what comes before is an order: the sentence as a whole, or its last part."""
    parts = [before, re.split(r"[,;\n]|\s(?:and|but|then)\s", before)[-1]]
    return any(_is_command(part) for part in parts if part.strip())


def begins_list(sentence: str) -> bool:
    """Whether it only says that what is listed below it is forbidden: `Don't:`."""
    return bool(_SAID["listed"].match(sentence))


def is_asked(sentence: str) -> bool:
    """An order in the form of a question: `can you fix it but leave tests/ alone?`"""
    return bool(_SAID["asked"].match(sentence))


def describes(text: str) -> bool:
    """Whether it tells of a program or gives a condition, rather than an order."""
    return bool(_SAID["describes"].search(text))


def _is_command(part: str) -> bool:
    match = _SAID["addressed"].match(part)
    if not match:
        return False
    return (
        match["verb"] is None
        or match["verb"].lower() in IMPERATIVES
        or match["verb"].lower() in {"don", "dont", "never"}
    )


def _limit(sentence: str, head: re.Match[str], stop: int) -> Limit:
    start, form = head.start(), _form(head)
    verbs = head["verbs"] or head["gerund"] or head["must"] or "change"
    end = _object_end(sentence, head.end(), stop)
    what = sentence[head.end() : end]
    if form == "leave":
        left = _SAID["left"].search(sentence, head.end(), stop)
        what, end = (sentence[head.end() : left.start()], left.end()) if left else (what, end)
    checked = not _SAID["conditional_start"].match(sentence) and (not head["modal"] or _speaks_to_agent(sentence, head))
    return Limit(
        form, verbs, what, start, end, checked and not re.search(r"\bif\b|\bunless\b|\bwhen\b", sentence[end:stop])
    )


def _speaks_to_agent(sentence: str, head: re.Match[str]) -> bool:
    """`You must not edit` is an order; a bare `must not` is one only for what programs are not said to do."""
    return bool(re.search(r"\byou\s+(?:\w+\s+)?$", sentence[: head.start("modal")], re.IGNORECASE)) or head[
        "verbs"
    ].lower() in {"touch", "edit"}


def _form(head: re.Match[str]) -> str:
    for form in ("waived", "leave", "only", "use", "must", "not"):
        if head[form]:
            return form
    return "no" if head["none"] is not None else "forbid"


def _object_end(sentence: str, start: int, stop: int) -> int:
    ends = [
        match.start()
        for pattern in (_SAID["reason"], _SAID["next_order"])
        if (match := pattern.search(sentence, start, stop))
    ]
    return min([*ends, stop])


def _is_attached(before: str) -> bool:
    """`fix it without touching tests/` limits the fix; `add a mode that runs without writing` describes the mode."""
    last = re.split(r"[,;\n]|\s(?:and|but)\s", before)[-1]
    for part in (last, before):
        if _is_command(part) and not _SAID["describes"].search(part):
            verb = _SAID["addressed"].match(part)
            named = (verb["verb"] or "").lower() if verb else ""
            rest = part[verb.end() :] if verb else part
            if named in _TABLE.free_verbs or not _SAID["loose"].search(rest) or _SAID["gets_green"].search(rest):
                return named not in {"allow", "let", "enable", "ensure", "check", "verify", "support"} and (
                    named != "make" or bool(_SAID["gets_green"].search(rest))
                )
    return False
