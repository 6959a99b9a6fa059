"""The features in what a call writes: things a user, an operator or a caller from outside can see and use.

A route, a flag, a command, a setting from the environment, a button, a column, a job, a dependency. A private helper,
error handling, a type or a test is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.code._feature_patterns import DEFINED, DEPENDENCIES, FEATURES, JOB_DECORATOR, JOB_HINTS, FeatureKind
from leeboard.code.language import is_generated, is_test_path
from leeboard.code.phrase import plain
from leeboard.code.redaction import redact
from leeboard.code.words import content_words, split_name, stem
from leeboard.model.diff import Diff
from leeboard.model.pattern import lazy

_LONGEST_LINE = 400
_MOST_LINES = 4_000
_HINTS = tuple(dict.fromkeys((*(hint for _kind, hints, _pattern in FEATURES for hint in hints), *JOB_HINTS)))
Found = tuple[FeatureKind, str] | None
"""Kind and name."""
_COMMENT = ("#", "//", "*", "/*", "<!--", "--", ";")
_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".svg", ".snap", ".lock")


_PLATFORM = lazy(
    r"(?:GITHUB|GITLAB|CI|CARGO|RUNNER|VERCEL|NETLIFY|PYTEST|XDG|NPM|npm|CIRCLE|BUILDKITE|JENKINS|AWS_LAMBDA|K_|KUBERNETES)_"
    r"|(?:CI|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|HOME|PATH|PWD|USER|SHELL|EDITOR|TMPDIR|TEMP|PORT|HOST|DEBUG|TZ|LANG|TERM"
    r"|NO_COLOR|HOSTNAME|PYTHONPATH|GOPATH|OUT_DIR|LOG_LEVEL)\Z"
)
"""Set by the system, the build or the host: read by code, not offered to users."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One feature: its kind, its name as written, where it stands."""

    kind: FeatureKind
    name: str
    path: str = ""
    line: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """What it is about: `/api/users/:id` to user; what every such name has is left out."""
        return words_of(self.name)

    @property
    def key(self) -> str:
        """Equal for one feature under two spellings."""
        return f"{self.kind}:{' '.join(sorted(self.words)) or self.name.lower()}"


@lru_cache(maxsize=1_024)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a feature's name, stemmed; also those that are common in prose (`--verbose`, `/new`)."""
    parts = (stem(word) for word in split_name(name))
    return tuple(dict.fromkeys(part for part in parts if part.isalnum() and part not in _HOLLOW and not part.isdigit()))


_HOLLOW = frozenset(stem(word) for word in "api http https id ids the a an of to in on by with v1 v2 v3 no".split())


@lru_cache(maxsize=8)
def units_of(diff: Diff) -> tuple[Unit, ...]:
    """The features in the added lines that the file did not have before, each once. Tests and prose have none."""
    path = diff.path
    prose = path.lower().endswith(_PROSE) and path.rsplit("/", 1)[-1].lower() not in DEPENDENCIES
    if not path or not diff.added or prose or is_test_path(path) or is_generated(path, ""):
        return ()
    found: dict[str, Unit] = {}
    for unit in _in_added(diff):
        found.setdefault(unit.key, unit)
    had = diff.removed if diff.before is None else diff.before
    if found and had:
        older = Diff(path=path, after=had, added=((1, had.count("\n") + 1),))
        for old in _in_added(older):
            found.pop(old.key, None)
    return tuple(found.values())


def _in_added(diff: Diff) -> Iterator[Unit]:
    lines = diff.after.split("\n")
    manifest = DEPENDENCIES.get(diff.path.rsplit("/", 1)[-1].lower())
    numbers = [number for first, last in diff.added for number in range(first, min(last, len(lines)) + 1)]
    if manifest is None:
        telling = _telling_lines(diff.after.lower())
        numbers = [number for number in numbers if number in telling]
    for number in numbers[:_MOST_LINES]:
        line = lines[number - 1]
        if not line or len(line) > _LONGEST_LINE or line.lstrip().startswith(_COMMENT):
            continue
        if manifest is not None:
            match = manifest.match(line)
            found: Found = ("dependency", match["name"]) if match else None
        else:
            found = _in_line(line) or _job(line, lines[number : number + 3])
        if found is not None and not _PLATFORM.match(found[1]):
            yield Unit(kind=found[0], name=redact(found[1]), path=diff.path, line=number)


def _telling_lines(text: str) -> set[int]:
    """The lines that hold a hint. Looking for the hints is far cheaper than looking at the lines."""
    found: set[int] = set()
    for hint in _HINTS:
        at, line, counted = text.find(hint), 1, 0
        while at >= 0:
            line, counted = line + text.count("\n", counted, at), at
            found.add(line)
            end = text.find("\n", at)
            at = text.find(hint, end) if end >= 0 else -1
    return found


def _in_line(line: str) -> Found:
    lowered = line.lower()
    for kind, hints, pattern in FEATURES:
        match = pattern.search(line) if any(hint in lowered for hint in hints) else None
        if match is not None:
            return kind, next(text for text in match.groupdict().values() if text).strip("\"'`")
    return None


def _job(line: str, following: list[str]) -> Found:
    if "@" not in line or not JOB_DECORATOR.match(line):
        return None
    defined = next((match for after in following if (match := DEFINED.match(after))), None)
    return ("job", defined["name"]) if defined is not None else None


def planned_words(sentence: str) -> tuple[str, ...]:
    """What "I should also add X" speaks of: the words behind the phrase, where X is a feature; none for a detail."""
    match = _PLANNED.search(plain(sentence))
    if match is None or not _IS_FEATURE.search(match["what"]) or _IS_DETAIL.search(match["what"]):
        return ()
    words = content_words(match["what"])
    return tuple(word for word in words if word not in _NAMES_A_KIND) or words


_PLANNED = lazy(
    r"\b(?:also|support for|options? (?:for|to)|configurable)\b\s{0,3}(?:add|include|implement|create|provide)?"
    r"(?P<what>[^.!?;]{2,160})"
)
_KINDS = (
    "flag option switch parameter command subcommand endpoint route page button toggle menu setting config "
    "configuration variable column table field job worker cron task scheduler webhook dashboard feature mode support "
    "export import integration plugin api cli notification filter theme shortcut"
).split()
_IS_FEATURE = lazy(rf"\b(?:{'|'.join(_KINDS)})s?\b|--\w|/\w")
_IS_DETAIL = lazy(
    r"\b(?:tests?|specs?|error|errors|handling|logs?|logging|types?|typing|comments?|docs?|docstrings?|documentation|"
    r"imports?|validation|checks?|helpers?|fallback|guards?|assert\w{0,6}|null|edge|cases?|readme|changelog|example)\b"
)
_NAMES_A_KIND = frozenset(stem(word) for word in _KINDS)
