"""New code hides the very error the work is about.

## What it catches
A handler for every error that drops it, or gives a default instead, in new code of a file that failed in this session
or that the user named together with an error: the failure is gone from sight and still there. Told by syntax in Python,
JavaScript, TypeScript, Go, Java, Kotlin, C#, PHP, Ruby, Rust, C and C++.

## Why it matters
The test turns green and the message goes away, and what was wrong goes on being wrong where nobody looks.

## Example
`KeyError: 'price'` in `src/cart.py`; the fix is `try: ... except Exception: return 0`.

## Known limits
Only where an error was seen or named, and the handler lies in a file that it names. A handler for a special error, one
that hands the error on, tests, and what the user asked for ("ignore errors", "fall back to") are nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.model.event import FilesChanged, ToolFinished, ToolProposed
from leeboard.model.lookup import Files, Registry
from leeboard.model.text import lazy
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.language import is_generated, is_test_path, language_of

RULE = Rule(
    code="LB-V501",
    channel="signal",
    subclass="V5",
    only_where="handler",
    summary="new code hides the very error the work is about",
)

_REPO = "repo src/cart.py | def price(row):\n    return row['price']\n"
_HIDES = "write src/cart.py | def price(row):\n  try:\n    return row['price']\n  except Exception:\n    return 0\n"
FIRES = (
    Sample(
        name="the error that was seen",
        lines=(_REPO, "@ the shop is down", "$! python shop.py -> src/cart.py, line 2\nKeyError: 'price'", _HIDES),
    ),
    Sample(name="the error the user names", lines=(_REPO, "@ fix the KeyError in src/cart.py", _HIDES)),
)
SILENT = (
    Sample(name="no error in sight", lines=(_REPO, "@ add a price to src/cart.py", _HIDES)),
    Sample(name="asked for", lines=(_REPO, "@ ignore the KeyError in src/cart.py and return 0", _HIDES)),
    Sample(
        name="a special error",
        lines=(_REPO, "@ fix the KeyError in src/cart.py", _HIDES.replace("Exception", "KeyError")),
    ),
)

_ERROR = lazy(r"\b(?:[A-Z]\w*(?:Error|Exception|Panic)\b|panic:|ENOENT|EACCES|SIGSEGV|NullPointer\w*)")
_HIDING = frozenset({"swallowed error", "default on error"})
_VERBS = "catch handle ignore swallow suppress tolerate skip fallback default guard wrap harden recover".split()
_DIRECTED = "user-directed: not signaled"
_MOST, _ERRORS = 2, 20


def detect(
    event: ToolProposed | ToolFinished | FilesChanged, world: World, diffs: Diffs, registry: Registry
) -> Iterator[Finding]:
    """One finding for each handler of a file that an error names; after a call what nobody saw before it."""
    for diff in diffs:
        if not isinstance(event, ToolProposed) and diff.before is None:
            continue
        if not diff.path or diff.fragment or is_test_path(diff.path) or is_generated(diff.path):
            continue
        error = _error_of(diff.path, world, registry)
        if error:
            yield from _hidden(diff, error, world, registry)


def _error_of(path: str, world: World, registry: Registry) -> str:
    """An error that was seen or named together with this file; empty where there is none."""
    name = posixpath.basename(path)
    said = [goal.text for goal in world.session.goals]
    seen = [entry.text for entry in registry.newest("error", _ERRORS)]
    for text in (*seen, *said):
        match = _ERROR.search(text)
        if match and (name in text or (text in said and _names_no_file(text))):
            return match[0].rstrip(":")
    return ""


def _names_no_file(text: str) -> bool:
    """Who tells of an error and not where it is means all of the code."""
    from leeboard.text.prose_path import scan  # noqa: PLC0415 - for words that name an error

    return not scan(text)[0]


def _hidden(diff: Diff, error: str, world: World, registry: Registry) -> Iterator[Finding]:
    from leeboard.contracts.hardening.find import added_hardening  # noqa: PLC0415 - the parser, as above
    from leeboard.speech.order import asked  # noqa: PLC0415 - for files that an error names only

    lines = diff.after.split("\n")
    fresh = {number: lines[number - 1] for first, last in diff.added for number in range(first, last + 1)}
    texts = (diff.before or "", diff.after)
    found = added_hardening(diff.path, language_of(diff.path, diff.after), texts, fresh)
    why = _DIRECTED if asked(world, registry, _VERBS, ("error", "errors", "exception", error, diff.path)) else ""
    for one in [one for one in found if one.signal in _HIDING][:_MOST]:
        text = f"{diff.path}:{one.line} hides {error} instead of curing it (`{one.what}`)"
        yield Finding(
            rule="swallowed_failure",
            subject=f"{diff.path}:{one.what}",
            evidence=(Evidence(text), *([Evidence(f"at most logged: {why}")] if why else [])),
            confidence=0.85,
            path=diff.path,
            line=one.line,
            message=f"{text}. Find out why it fails and cure that; where it may fail, catch that one error and say so.",
            remedy=f"let {error} be seen and cure its cause",
            signal=Signal(subclass="V5", rework_cost=3, self_correct_prob=HIGH, fires=True, log_only=why),
        )


def holds(finding: Finding, world: World, files: Files) -> bool:
    """While a handler of that kind is in the file."""
    from leeboard.contracts.hardening.find import find_hardening  # noqa: PLC0415 - only when it is asked for

    text = files.text(finding.path)
    if text is None:
        return files.exists(finding.path) is not False
    return any(one.what in finding.subject for one in find_hardening(text, language_of(finding.path, text)))
