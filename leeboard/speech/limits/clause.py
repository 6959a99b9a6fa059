"""English limits in one sentence: where an imperative to the agent begins, and how far its object goes.

`Users must not edit posts` and `the job does not touch package.json` describe a program. A limit is an order: it stands
at the start of a sentence, or after a comma or a conjunction when what comes before is an order as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from leeboard.model.text import lazy

# The verbs of a limit, in the two forms English uses them: `do not change`, `without changing`.


CHANGING = frozenset(
    ("modify", "change", "touch", "edit", "alter", "update", "write to", "mess with", "tamper with", "fiddle with")
)
"""Not to do this to a file is to leave it as it is. Not to delete or rename it leaves edits free."""
ADDING = frozenset({"add", "install", "introduce", "pull in", "bring in"})
COMMITTING = frozenset({"commit", "push", "git commit", "git push"})
OPENING = frozenset({"open", "create", "make", "submit", "raise", "file"})
RUNNING = frozenset({"run", "execute", "use", "do"})

_MORE = (
    "rewrite, overwrite, refactor, rename, move, delete, remove, write, replace, reformat, format, break, import, "
    "call, rely on, depend on, hardcode, hard-code, log, print, deploy, merge, publish, release, downgrade, upgrade, "
    "bump, lint, mock, skip, disable, "
    "comment out, revert, reset, rebase, amend, stage, force push, force-push, start, restart, "
    "generate, regenerate, drop, duplicate, copy, expose, store, implement, build, work on, reorder, reorganize, "
    "restructure, clean up, fix, squash, stash, checkout, check out, cherry-pick, switch, tag, bypass, silence, "
    "suppress, weaken, extend, "
    "migrate, convert, translate, simplify, optimize, inline, extract, split, put, set, send, fetch, "
    "download, invent, redesign, restyle, reintroduce, cache, return, throw, catch, swallow, vendor, patch, fork, "
    "guess, assume"
)
_VERBS = (*CHANGING, *ADDING, *COMMITTING, *OPENING, *RUNNING, *_MORE.split(", "))
_DOUBLED = frozenset("commit drop skip run log set put split squat tag stop".split())


def _gerund(base: str) -> str:
    verb, space, particle = base.rpartition(" ") if base.startswith(("git ", "force ")) else base.partition(" ")
    if base.startswith(("git ", "force ")):
        return f"{verb} {_gerund(particle)}"
    if verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    elif verb in _DOUBLED:
        verb += verb[-1]
    return f"{verb}ing{space}{particle}"


_BASE = {form: base for base in _VERBS for form in (base, _gerund(base))}


def _any_of(forms: list[str]) -> str:
    ordered = sorted(set(forms), key=lambda form: (-len(form), form))
    return "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in ordered)


_JOINED = r"(?:\s*[,/&]\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|and/or)\s+)"
_PLAIN = _any_of(list(_VERBS))
_GERUNDS = _any_of([_gerund(base) for base in _VERBS])
PLAIN = rf"(?:{_PLAIN})\b(?:{_JOINED}(?:{_PLAIN})\b)*+(?!-)"
GERUND = rf"(?:{_GERUNDS})\b(?:{_JOINED}(?:{_GERUNDS})\b)*+"
_SPLIT = lazy(_JOINED)

CHANGE_WORDS = r"(?:touch|edit|change|modify|alter|update)"

IMPERATIVES = frozenset(
    """
    add adapt adjust allow analyse analyze apply ask avoid bump build bring call change check clean close complete
    compute
    configure connect consider continue convert copy correct create debug define delete deploy describe design detect
    disable do document drop edit enable ensure enhance examine expand explain explore export expose extend extract
    fetch
    figure fill find finish fix focus follow format generate get give go group handle help hide hook implement import
    improve include increase initialize inline insert inspect install instead integrate introduce investigate invert
    keep
    leave let limit link list load localize log look lower make map merge migrate mock modify move name only open
    optimise optimize organize parse pass patch paste pin polish port prepare prevent print produce profile provide
    publish
    push put raise read rebuild reduce refactor refine reformat register reimplement remove rename render reorder
    reorganize
    repair replace replicate report reproduce resolve restore restrict restructure return reuse revert review revise
    rewrite
    rework run save scaffold scan search see send separate set setup ship show simplify skip solve sort speed split
    start
    stay stick stop store streamline stub support swap switch sync take tell test tidy touch track translate trim try
    tweak
    type undo unify update upgrade use validate verify wait wire work wrap write
    """.split()
)


def base_forms(verbs: str) -> tuple[str, ...]:
    """The verbs of a joined group, each in its base form."""
    parts = (" ".join(part.lower().split()) for part in _SPLIT.split(verbs))
    return tuple(dict.fromkeys(_BASE[part] for part in parts if part in _BASE))


class Limit(NamedTuple):
    """A limit as it stands in a sentence, from `start` to `end`."""

    form: str
    """Of `forbid`, `only`, `must`, `leave`, `no`, `passive`, `without`, `waived`."""
    verbs: str
    what: str
    start: int
    end: int
    checked: bool = True
    """False where the sentence may just as well describe a program."""


_NOT = r"(?:do\s+not|don['’]?t|do\s+n['’]t|never|under\s+no\s+circumstances(?:\s+should\s+you)?)"
_LABEL = (
    r"(?:(?:important|very\s+important|note|nb|n\.b\.|remember|constraints?|rules?|ground\s+rules?|hard\s+rules?|"
    r"requirements?|restrictions?|limits?|limitations?|"
    r"caveats?|attention|caution|reminder|please\s+note(?:\s+that)?|keep\s+in\s+mind|one\s+(?:more\s+)?thing|btw|"
    r"ps|p\.s\.|scope|guidelines?|warning|heads[\s-]up|"
    r"also|don['’]?ts?|critical|crucially|importantly|instructions?|non-goals?|out\s+of\s+scope)\b\s*[:!,–—-]+|"
    r"(?:(?:please\s+)?note\s+that|keep\s+in\s+mind\s+that)\b)"
)
_SOFT = (
    r"(?:please|pls|plz|kindly|and|but|so|also|just|then|again|ok|okay|absolutely|really|however|though|instead|"
    r"meanwhile|otherwise|still|finally|"
    r"lastly|first|second|third|above\s+all|as\s+always|for\s+this(?:\s+\w+)?|in\s+this\s+\w+|from\s+now\s+on|"
    r"in\s+any\s+case|whatever\s+you\s+do|"
    r"while\s+(?:doing|at)\s+(?:so|that|it)|at\s+the\s+same\s+time|in\s+general|"
    r"this\s+time|you\s+guys|hey|hi|hello|claude|no(?=,)|bitte)\b[\s,:!]*"
)
_OPENING = rf"(?:[\s*_>•\"“(]*+(?:{_LABEL}|{_SOFT}))*+[\s*_•]*+"
_TO_YOU = (
    r"(?:(?:please\s+)?(?:(?:make\s+sure|ensure|be\s+sure|be\s+careful|take\s+care|see\s+to\s+it|"
    r"mind)(?:\s+that)?(?:\s+you)?\s+|remember(?:\s+that\s+you|\s+to)?\s+|try\s+|"
    r"you\s+(?:must\s+|should\s+|can\s+|need\s+to\s+)?|i\s+(?:really\s+)?(?=(?:do\s+not|"
    r"don['’]?t)\s+want\s+you\s+to)))?"
)
_FORBIDDING = (
    rf"{_TO_YOU}(?:(?:{_NOT}(?:\s+want\s+you\s+to)?|not\s+to|(?P<modal>must\s+not|mustn['’]?t|should\s+not|"
    r"shouldn['’]?t|may\s+not)|"
    rf"are\s+not\s+(?:allowed|permitted)\s+to|aren['’]?t\s+(?:allowed|permitted)\s+to|must\s+never|should\s+never)"
    r"\s+(?:(?:ever|please|even|you\s+dare(?:\s+to)?|under\s+any\s+circumstances|try\s+to|attempt\s+to|go\s+and|"
    rf"accidentally)\s+)*(?P<verbs>{PLAIN})"
    rf"|(?:avoid|refrain\s+from|stop|no)\s+(?P<gerund>{GERUND}))"
)
_HEAD = lazy(
    rf"(?P<lead>\A|[,;(\n]|\s(?=(?:and|but|or)\s))(?P<opening>{_OPENING})(?:(?:or|and|but)\s+)?(?:{_FORBIDDING}"
    r"|(?P<away>hands\s+off(?:\s+of)?|stay\s+away\s+from|stay\s+out\s+of|keep\s+(?:away\s+from|out\s+of|"
    r"your\s+hands\s+off)|steer\s+clear\s+of)\s"
    r"|no\s+(?P<none>(?:(?:changes?|edits?|modifications?|updates?)\s+(?:to|in|inside|under|of)|(?=(?:new|extra|"
    r"additional|external|third[- ]party|more)\s+(?:dep|pack|lib|npm))|(?=(?:git\s+)?(?:commits?|push(?:es|"
    r"ing)?)\b)))\s?"
    rf"|(?P<waived>{_TO_YOU}(?:do\s+not|don['’]?t)\s+(?:worry|bother|care|think)\s+(?:about|with)|never\s*mind|"
    r"ignore|forget\s+about|"
    r"(?:there\s+is\s+|there['’]s\s+)?no\s+need\s+to\s+\w+|(?:you\s+)?(?:do\s+not|don['’]?t)\s+(?:need|"
    r"have)\s+to\s+(?:worry\s+about|\w+)|skip)\s"
    r"|(?P<leave>leave|keep)\s+(?=\S[^\n]{0,200}?\s(?:alone|unchanged|untouched|as[\s-]is|as\s+(?:it\s+is|"
    r"they\s+are)|intact)\b)"
    r"|(?:you\s+(?:may|can|should|must|are\s+(?:only\s+)?allowed\s+to)\s+)?(?P<only>(?:only|"
    rf"exclusively)\s+(?:ever\s+)?(?:{CHANGE_WORDS}|work\s+(?:in|on|within|inside)|write\s+to)|"
    rf"{CHANGE_WORDS}\s+(?:only|nothing\s+but|just)(?:\s+(?:in|inside|within))?|"
    r"work\s+(?:only|exclusively|strictly)\s+(?:in|on|within|inside)|stay\s+(?:in|inside|within)|(?:limit|"
    r"restrict|confine|keep)\s+(?:yourself|(?:all\s+|any\s+|your\s+|the\s+)?(?:changes|edits|modifications|"
    r"work))\s+(?:to|inside|within|in))\s"
    r"|(?P<use>only\s+use|use\s+only)\s"
    r"|(?:you\s+)?must\s+(?!not\b|never\b)(?P<must>use|keep|stay|remain|support|follow|preserve|maintain|stick|"
    r"respect)\s)",
    re.IGNORECASE,
)
_WITHOUT = lazy(rf"\bwithout\s+(?:ever\s+|actually\s+)?(?P<gerund>{GERUND})", re.IGNORECASE)
_PASSIVE = lazy(
    rf"\A{_OPENING}(?P<what>\S[^\n]{{0,200}}?)\s+(?:(?:must|should|may|can)(?:\s+not|n['’]t|not|"
    r"\s+never)\s+be\s+(?:changed|modified|touched|edited|altered)|"
    r"(?:is|are)\s+(?:strictly\s+)?(?:off[\s-]limits|not\s+to\s+be\s+(?:changed|modified|touched|edited)|"
    r"untouchable))(?:\s+(?:at\s+all|please|in\s+any\s+way|ever))*\W*\Z",
    re.IGNORECASE,
)
_PATH_ONLY = lazy(
    rf"\A{_OPENING}{CHANGE_WORDS}\s+(?P<what>\S[^\n]{{0,200}}?)(?:\s+only|,?\s+(?:and\s+)?nothing\s+else|"
    r",?\s+and\s+no\s+other\s+files?)\W*\Z",
    re.IGNORECASE,
)
_ADDRESSED = lazy(
    rf"\A{_OPENING}(?:(?:can|could|would|will)\s+you\b|you\s+(?:should|must|can|may|need)\b|let['’]?s\b|"
    r"i\s+(?:want|need|['’]d\s+like|would\s+like)\s+(?:you\s+)?to\b|i['’]d\s+like\s+(?:you\s+)?to\b|"
    r"we\s+(?:need|want|have)\s+to\b|your\s+task\s+is\b|help\s+me\b|(?P<verb>[a-z]+)\b)",
    re.IGNORECASE,
)
_DESCRIBES = lazy(
    r"\b(?:that|which|who|whose|where|users?|when|if|whenever|unless|while|once|until|because|why|how|so\s+that)\b",
    re.IGNORECASE,
)
_CONDITIONAL_START = lazy(
    rf"\A{_OPENING}(?:if|when|whenever|unless|while|once|until|in\s+case|as\s+long\s+as|before|after\s+(?!that|"
    r"this))\b",
    re.IGNORECASE,
)
_REASON = lazy(
    r"\s(?:because|since|as\s+(?:it|they|we|this|that|i)\b|so\s+that|so\s+(?:it|we|they|i)\b|or\s+(?:i|else|it|"
    r"you)\b|otherwise|given\s+that|instead\b)"
    r"|[,(]\s*(?:it|they|that|this|those|these|we|i|he|she|which|who|since|because|as|instead|rather|otherwise|"
    r"even|ok|okay|right|thanks|thank|got|do|will)\b"
    r"|[,(]\s*(?:it|they|that|i|we)['’]|\s[–—]|\s-{1,2}\s|\s\((?=[a-z]+\s)",
    re.IGNORECASE,
)
_NEXT_ORDER = lazy(
    r"(?:[,;\n]|\s(?:and|but|then)\s)\s*(?:(?:and|but|then|instead|just|please|also|only|simply|"
    rf"rather)\s+)*(?:{'|'.join(sorted(IMPERATIVES))}|make\s+sure|i|you|we|don['’]?t|do\s+not|never|"
    r"without)\b(?![./\\\-])",
    re.IGNORECASE,
)
_BREAK = lazy(r"[,;\n]\s*(?:but\s+|and\s+)?|\s+but\s+", re.IGNORECASE)
_LEFT = lazy(r"\s(?:alone|unchanged|untouched|as[\s-]is|as\s+(?:it\s+is|they\s+are)|intact)\b", re.IGNORECASE)
_FREE_VERBS = frozenset(
    "refactor rewrite convert migrate port rename fix simplify clean speed optimise optimize extract move split "
    "solve resolve do".split()
)
_LOOSE = lazy(
    r"\b(?:to\s+(?!the\b|a\b|an\b|our\b|use\b|[`\x00])|can|could|will|should|must|works?|runs?|be|is|are|able|let|"
    r"allow)\b",
    re.IGNORECASE,
)
_GETS_GREEN = lazy(r"\b(?:pass|passing|green|compile|build)\s*$", re.IGNORECASE)


def limits(sentence: str) -> Iterator[Limit]:
    """Every limit of a sentence, in order; those the sentence may only describe are marked as not to be checked."""
    if passive := _PASSIVE.match(sentence):
        start = _after_order(sentence, passive.start("what"), passive.end("what"))
        yield Limit("passive", "change", sentence[start : passive.end("what")], start, len(sentence))
        return
    if (named := _PATH_ONLY.match(sentence)) and not sentence.rstrip().endswith("?"):
        yield Limit("exactly", "change", named["what"], 0, len(sentence))
        return
    heads = [match for match in _HEAD.finditer(sentence) if _is_order(sentence, match)]
    starts = [match.start() for match in heads]
    for head, end in zip(heads, [*starts[1:], len(sentence)], strict=False):
        yield _limit(sentence, head, end)
    yield from _without(sentence, starts[0] if starts else len(sentence))


def _after_order(sentence: str, start: int, stop: int) -> int:
    """Where the subject begins in `fix it, package.json is off limits`."""
    breaks = [match for match in _BREAK.finditer(sentence, start, stop) if _is_command(sentence[: match.start()])]
    return breaks[-1].end() if breaks else start


def _without(sentence: str, stop: int) -> Iterator[Limit]:
    if match := _WITHOUT.search(sentence, 0, stop):
        end = _object_end(sentence, match.end(), stop)
        before, after = sentence[: match.start()], sentence[end:].lstrip(", ")
        checked = _is_attached(before) if before.strip() else _is_command(after)
        yield Limit("without", match["gerund"], sentence[match.end() : end], match.start(), end, checked)


def _is_order(sentence: str, head: re.Match[str]) -> bool:
    question = sentence.rstrip().endswith("?")
    before = sentence[: head.start()]
    if not before.strip():
        return not question
    if is_addressed(before):
        return True
    # Only after a comma: "the hooks run but don't change package.json" goes on about the hooks.
    plain = head["lead"] in {",", ";", "("} and (head["verbs"] or head["leave"]) and not head["modal"]
    return bool(plain) and not question and not _DESCRIBES.search(before.removeprefix("if "))


def is_addressed(before: str) -> bool:
    """Whether what comes before is an order: the sentence as a whole, or its last part."""
    parts = [before, re.split(r"[,;\n]|\s(?:and|but|then)\s", before)[-1]]
    return any(_is_command(part) for part in parts if part.strip())


def describes(text: str) -> bool:
    """Whether it tells of a program or gives a condition, rather than an order."""
    return bool(_DESCRIBES.search(text))


def _is_command(part: str) -> bool:
    match = _ADDRESSED.match(part)
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
        left = _LEFT.search(sentence, head.end(), stop)
        what, end = (sentence[head.end() : left.start()], left.end()) if left else (what, end)
    checked = _modal_speaks_to_agent(sentence, head) if head["modal"] else not _CONDITIONAL_START.match(sentence)
    return Limit(
        form, verbs, what, start, end, checked and not re.search(r"\bif\b|\bunless\b|\bwhen\b", sentence[end:stop])
    )


def _modal_speaks_to_agent(sentence: str, head: re.Match[str]) -> bool:
    """`You must not edit` is an order; a bare `must not` is one only for what programs are not said to do."""
    if _CONDITIONAL_START.match(sentence):
        return False
    return bool(re.search(r"\byou\s+(?:\w+\s+)?$", sentence[: head.start("modal")], re.IGNORECASE)) or head[
        "verbs"
    ].lower() in {"touch", "edit"}


def _form(head: re.Match[str]) -> str:
    for form in ("waived", "leave", "only", "use", "must"):
        if head[form]:
            return form
    return "no" if head["none"] is not None else "forbid"


def _object_end(sentence: str, start: int, stop: int) -> int:
    ends = [match.start() for pattern in (_REASON, _NEXT_ORDER) if (match := pattern.search(sentence, start, stop))]
    return min([*ends, stop])


def _is_attached(before: str) -> bool:
    """`fix it without touching tests/` limits the fix; `add a mode that runs without writing` describes the mode."""
    last = re.split(r"[,;\n]|\s(?:and|but)\s", before)[-1]
    for part in (last, before):
        if _is_command(part) and not _DESCRIBES.search(part):
            verb = _ADDRESSED.match(part)
            named = (verb["verb"] or "").lower() if verb else ""
            rest = part[verb.end() :] if verb else part
            if named in _FREE_VERBS or not _LOOSE.search(rest) or _GETS_GREEN.search(rest):
                return named not in {"allow", "let", "enable", "ensure", "check", "verify", "support"} and (
                    named != "make" or bool(_GETS_GREEN.search(rest))
                )
    return False
