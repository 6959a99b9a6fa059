"""The verbs of a limit, in the two forms English uses them: `do not change`, `without changing`."""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

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
