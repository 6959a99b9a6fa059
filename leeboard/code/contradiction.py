"""Where written code goes against the habits of its work tree: what a change imports, and how a new file is made."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from leeboard.code._choice_sets import weight_of
from leeboard.code._convention_choice import roles_of
from leeboard.code._convention_idiom import ENOUGH, PLAIN_ERRORS, is_sibling
from leeboard.code._convention_layer import layer_of
from leeboard.code._file_use import stands_beside
from leeboard.code._import_use import only_names
from leeboard.code.added import added_text
from leeboard.code.language import is_generated, is_test_path, language_of
from leeboard.code.module_path import is_relative, lies_in, refers, top_of
from leeboard.code.name_scan import ScannedImport, scan_imports, scan_names, scan_style
from leeboard.model.diff import Diff
from leeboard.model.pattern import lazy
from leeboard.model.symbol import Habit
from leeboard.model.workspace import is_inside

BYPASS, SECOND, REVERSED, IDIOM = "bypass", "second choice", "against the layers", "other idiom"

_PERFORMANCE = lazy(
    r"\b(?:performance|perf|hot path|hot loop|latency|overhead|too slow|faster|bulk|throughput)\b", re.IGNORECASE
)
_MOST_COMMENTS = 200
_COMMENT_MARKS = ("#", "//", "/*", "--", " * ")
_TEST_ROLE = " test framework"


class Contradiction(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    subject: str
    """What was brought in: a library, a layer, an idiom."""
    usual: str
    """What the work tree takes instead."""
    rework: int
    reason: str
    remedy: str
    line: int = 0
    confidence: float = 0.9


def contradictions(diff: Diff, habits: Iterable[Habit]) -> Iterator[Contradiction]:
    """What a change brings in that goes against a habit, each once."""
    language = language_of(diff.path, diff.after[:200])
    if not diff.path or not language or not is_inside(diff.path) or stands_beside(diff.path) or is_generated(diff.path):
        return
    known = tuple(habits)
    seen: set[tuple[str, str]] = set()
    for found in (*_of_imports(diff, language, known), *_of_idioms(diff, language, known)):
        if (found.kind, found.subject) not in seen:
            seen.add((found.kind, found.subject))
            yield found


def new_imports(diff: Diff, language: str) -> list[ScannedImport]:
    """Imports the change wrote of modules the file did not import before; without those for types alone."""
    before = scan_imports(diff.before or "", language)
    lines = diff.after.split("\n")
    return [
        item
        for item in scan_imports(diff.after, language)
        if diff.wrote(item.line)
        and not _for_types(lines[item.line - 1 : item.line], diff)
        and not _was_used([one for one in before if one.module == item.module], diff, language)
    ]


def _was_used(before: list[ScannedImport], diff: Diff, language: str) -> bool:
    """Whether the file used the module already; names of it that it knew are no use."""
    return any(not only_names(item, diff.before or "", language) for item in before)


def _for_types(line: list[str], diff: Diff) -> bool:
    text = line[0] if line else ""
    return "import type " in text or (text[:1].isspace() and "TYPE_CHECKING" in diff.after)


def _of_imports(diff: Diff, language: str, habits: tuple[Habit, ...]) -> Iterator[Contradiction]:
    fresh = new_imports(diff, language)
    if not fresh or _is_for_performance(added_text(diff)):
        return
    in_tests = is_test_path(diff.path)
    for item in fresh:
        for habit in habits:
            if in_tests != habit.role.endswith(_TEST_ROLE):
                continue
            found = _against(item, diff.path, language, habit)
            if found is not None and not (found.kind in (BYPASS, SECOND) and _is_nothing_new(item, diff, habit)):
                yield found


def _is_nothing_new(item: ScannedImport, diff: Diff, habit: Habit) -> bool:
    """The file used the library before; or nothing of it is used now but names: errors, types, constants."""
    language, top = language_of(diff.path, diff.after[:200]), top_of(item.module)
    known = [one for one in scan_imports(diff.before or "", language) if top_of(one.module) == top]
    if habit.role == "instruction":
        return bool(known)
    return only_names(item, diff.after, language) or _was_used(known, diff, language)


def _is_for_performance(text: str) -> bool:
    """Whether a comment says so."""
    for match in islice(_PERFORMANCE.finditer(text), _MOST_COMMENTS):
        before = text[max(0, match.start() - 200) : match.start()]
        if any(mark in before[before.rfind("\n") + 1 :] for mark in _COMMENT_MARKS):
            return True
    return False


def _against(item: ScannedImport, path: str, language: str, habit: Habit) -> Contradiction | None:
    if habit.role.startswith("layer "):
        return _against_layers(item, path, habit)
    if habit.role.startswith("wrapper of "):
        return _past_wrapper(item, path, habit)
    if habit.role == "instruction":
        return _against_instruction(item, path, habit)
    return _second_choice(item, path, language, habit)


def _past_wrapper(item: ScannedImport, path: str, habit: Habit) -> Contradiction | None:
    library = habit.others[0]
    if top_of(item.module) != library or is_relative(item.module) or _is_home(path, habit.where):
        return None
    reason = (
        f"{path} imports {library} itself, while {habit.support} of {habit.users} files that need it go through "
        f"{habit.where}."
    )
    remedy = f"use {habit.where} instead of importing {library}"
    return Contradiction(
        kind=BYPASS, subject=library, usual=habit.where, rework=4, reason=reason, remedy=remedy, line=item.line
    )


def _second_choice(item: ScannedImport, path: str, language: str, habit: Habit) -> Contradiction | None:
    if is_relative(item.module) or (habit.where and _is_home(path, habit.where)):
        return None
    for role, member in roles_of(item, language):
        if role == habit.role and member in habit.others:
            what = role.partition(" ")[2]
            reason = (
                f"{path} brings in {member} as a second {what}, while {habit.support} of {habit.users} files use "
                f"{habit.usual}."
            )
            return Contradiction(
                kind=SECOND,
                subject=member,
                usual=habit.usual,
                rework=weight_of(role),
                reason=reason,
                remedy=f"use {habit.usual} as the {what}",
                line=item.line,
            )
    return None


def _against_layers(item: ScannedImport, path: str, habit: Habit) -> Contradiction | None:
    source, _arrow, aim = habit.others[0].partition(" -> ")
    if layer_of(path) != source or not lies_in(item, path, aim):
        return None
    skips = habit.role == "layer passage"
    what = "past the layer between them" if skips else "against the direction of the layers"
    reason = f"{path} in {source} imports {aim}, {what}: {habit.support} files go {habit.usual}."
    way = habit.usual.split(" -> ")[1] if skips else ""
    remedy = f"go through {way}" if skips else f"let {aim} call into {source}, not the other way round"
    return Contradiction(
        kind=REVERSED,
        subject=f"{source} -> {aim}",
        usual=way or habit.usual,
        rework=4 if skips else 5,
        reason=reason,
        remedy=remedy,
        line=item.line,
    )


def _against_instruction(item: ScannedImport, path: str, habit: Habit) -> Contradiction | None:
    banned = habit.others[0]
    named = item.module == banned or top_of(item.module) == banned or item.module.startswith(f"{banned}.")
    if not named or is_relative(item.module) or _is_meant(habit.usual, path):
        return None
    return Contradiction(
        kind=BYPASS,
        subject=banned,
        usual=habit.usual,
        rework=4,
        reason=f"{path} imports {banned}, which {habit.where} rules out in favour of {habit.usual}.",
        remedy=f"use {habit.usual} instead of {banned}",
        line=item.line,
    )


def _of_idioms(diff: Diff, language: str, habits: tuple[Habit, ...]) -> Iterator[Contradiction]:
    """Of a new file among others of one folder that are all made another way."""
    folder = posixpath.dirname(diff.path)
    own = [habit for habit in habits if habit.where == folder and habit.role.endswith(f" {folder}")]
    if not own or not diff.is_new or diff.fragment or is_test_path(diff.path) or not is_sibling(diff.path):
        return
    for habit in own:
        other = _other_way(habit, diff.after, language)
        if other:
            what = habit.role.removesuffix(f" {folder}").removesuffix(" in").removesuffix(" of")
            yield Contradiction(
                kind=IDIOM,
                subject=f"{what} of {folder}",
                usual=habit.usual,
                rework=3,
                reason=f"{diff.path} {other}, unlike {habit.support} of {habit.users} files in {folder} "
                f"({habit.usual}).",
                remedy=f"follow the files beside it: {habit.usual}",
                line=1,
                confidence=0.7,
            )


def _other_way(habit: Habit, text: str, language: str) -> str:
    style, names = scan_style(text, language), scan_names(text, language)
    kinds = [item.kind for item in names]
    if habit.role.startswith("errors in "):
        plain = style.raised and set(style.raised) <= PLAIN_ERRORS
        return f"raises {style.raised[0]}" if plain else ""
    functions = len(kinds) - kinds.count("class")
    if habit.role.startswith("functions in "):
        return "has no asynchronous function" if functions >= ENOUGH and not style.waits else ""
    return "is made of plain functions" if kinds.count("function") >= ENOUGH and "class" not in kinds else ""


def _is_home(path: str, wrapper: str) -> bool:
    """The wrapper itself, and what lies beside and below it."""
    folder = posixpath.dirname(wrapper)
    return path == wrapper or (bool(folder) and path.startswith(f"{folder}/"))


def _is_meant(module: str, path: str) -> bool:
    """Whether a module as an instruction spells it is this file, or lies around it."""
    named = module.strip("/")
    item = ScannedImport(named, 0)
    above = posixpath.dirname(path)
    return refers(item, "", path) or path.startswith(f"{named}/") or (bool(above) and above.replace("/", ".") == named)
