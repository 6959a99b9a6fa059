"""Where written code goes against the habits of its work tree: what a change imports, and how a new file is made."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from leeboard.model.symbol import Habit, Symbol
from leeboard.model.text import lazy
from leeboard.model.touch import Diff
from leeboard.model.workspace import is_inside
from leeboard.source.habits import ENOUGH, PLAIN_ERRORS, is_sibling, layer_of, roles_of, stands_beside, weight_of
from leeboard.source.module_path import is_relative, lies_in, refers, top_of
from leeboard.source.name_scan import ScannedImport, scan_imports, scan_names, scan_style
from leeboard.source.new_code import added_text
from leeboard.speech.red_flags import plain, spoken
from leeboard.text.language import is_generated, is_test_path, language_of
from leeboard.text.words import sentences, split_name, stem

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
    """Finds a new file among others of its folder that are all made another way."""
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


# Whether an import only brings names along: errors to catch, types to write down, constants to compare with.
#
# Who catches `requests.Timeout` around a call of the wrapper, or writes `*sql.DB` into a signature, does nothing the
# wrapper does. What is called, subclassed or handed on is use.


_NAMING = frozenset(
    "exceptions exception errors error types typing constants const codes code status_codes status enums".split()
)
"""Parts of libraries that only hold names."""
_NAME_ONLY = lazy(r"^Err[A-Z]|(?:Error|Exception|Warning|Timeout|Fault|Failure)$|^[A-Z][A-Z0-9_]+$")
_PARTS = lazy(r"[./\\:]{1,2}")
_SUBCLASSED = lazy(r"\b(?:class|extends|implements)\b[^\n]{0,160}$")
_CLAUSE_NAME = lazy(r"(?:[\w$*]{1,80}\s{1,4}as\s{1,4})?([\w$]{1,80})")
_CLAUSE_WORDS = frozenset("import type as from const let var require".split())
_LONGEST_CLAUSE = 600
_MOST_USES = 200
_READ = 200_000
"""Characters of a file that are looked through."""
_HANDED = frozenset({"javascript", "typescript", "tsx"})
_LAST_PART = frozenset({"java", "kotlin", "csharp", "php"})
_STATEMENT = lazy(
    r"^[ \t]*(?:(?:from[ \t]+\S{1,200}[ \t]+)?import[ \t]*(?:\([^)]{0,1000}\)|\{[^}]{0,1000}\}[^\n]*|[^\n]*)"
    r"|(?:const|let|var)[ \t][^=\n]{1,600}=[ \t]*require\([^\n]*|(?:use|using)[ \t][^\n]*)",
    re.MULTILINE,
)
"""Imports, which are no use of what they bring."""


def only_names(item: ScannedImport, text: str, language: str) -> bool:
    """Where nothing of it is used yet, what the names themselves say."""
    below = [part for part in _PARTS.split(item.module) if part][1:]
    if any(part.lower() in _NAMING for part in below):
        return True
    if item.names and all(_NAME_ONLY.search(name) for name in item.names):
        return True
    text = text[:_READ]
    rest = _STATEMENT.sub("", text)
    uses = [use for name in _bound(item, text, language) for use in _uses(name, rest)]
    return bool(uses) and all(_is_harmless(*use) for use in uses)


def _bound(item: ScannedImport, text: str, language: str) -> list[str]:
    """Names by which the file speaks of it; none where nobody knows."""
    if language == "python":
        whole = item.names or (item.module,)
        return [_alias(name, text) or name.partition(".")[0] for name in whole]
    if language in _HANDED:
        return _clause(item.module, text)
    if language == "go":
        return [_go_name(item.module, text)]
    if language in _LAST_PART:
        return [part for part in _PARTS.split(item.module)[-1:] if part[:1].isupper()]
    return []


def _alias(name: str, text: str) -> str:
    found = re.search(rf"(?<![\w.]){re.escape(name)}[ \t]{{1,4}}as[ \t]{{1,4}}(\w{{1,80}})", text)
    return found[1] if found else ""


def _clause(module: str, text: str) -> list[str]:
    """What stands between `import` and the module, or between `const` and `require`."""
    at = max(text.find(f"{quote}{module}{quote}") for quote in "'\"")
    head = text[max(0, at - _LONGEST_CLAUSE) : max(0, at)]
    start = max(head.rfind(word) for word in ("import ", "const ", "let ", "var "))
    names = [match[1] for match in _CLAUSE_NAME.finditer(head[start:])] if start >= 0 else []
    return [name for name in names if name not in _CLAUSE_WORDS]


def _go_name(module: str, text: str) -> str:
    found = re.search(rf"(?:import[ \t]|\n[ \t]{{1,8}})(\w{{1,60}})[ \t]\"{re.escape(module)}\"", text)
    parts = [part for part in module.split("/") if not re.fullmatch(r"v\d{1,3}", part)]
    return found[1] if found else parts[-1].removeprefix("go-") if parts else ""


def _uses(name: str, text: str) -> Iterator[tuple[list[str], bool, str]]:
    """Each use: what is taken, whether it is called, what stands before it on its line."""
    if not name:
        return
    pattern = re.compile(rf"(?<![\w.$]){re.escape(name)}((?:\??\.\w{{1,80}}){{0,4}})(?![\w$])(\s?\()?")
    for match in islice(pattern.finditer(text), _MOST_USES):
        before = text[max(0, match.start() - 200) : match.start()].rpartition("\n")[2]
        taken = [part for part in match[1].replace("?", "").split(".") if part]
        yield taken or [name], bool(match[2]), before


def _is_harmless(taken: list[str], called: bool, before: str) -> bool:  # noqa: FBT001 - a fact among facts
    last = taken[-1]
    if _NAME_ONLY.search(last) or any(part.lower() in _NAMING for part in taken[:-1]):
        return True
    return last[:1].isupper() and not called and not _SUBCLASSED.search(before)


# What an agent says it will do that goes against the habits of its work tree.
#
# Told by names alone, so it is never sure: "use sqlite3 directly" where a module wraps it, "a new payment service"
# where there is one.


LAYER = "new layer"
CONFIDENCE = 0.6
"""Names are no proof."""
MOST_TEXT = 24_000

_INTENT = r"\bi (?:will|should|can|could|need to|plan to|want to|would)\b[^.!?;]{0,80}?"
_DIRECTLY = lazy(
    _INTENT + r"\b(?:use|call|import|go (?:straight )?to|open|query|talk to) (?:the |a |raw )?([\w.@/\-]{2,60})"
    r"(?: \w{1,20}){0,3} (?:directly|straight|myself)\b"
)
_NEW = lazy(
    _INTENT
    + r"\b(?:create|add|introduce|build|write|make|set up) (?:an? )?(?:brand[ -])?(?:new|separate|own|dedicated) "
    r"((?:[\w\-]{2,40} ){0,3}?)(service|layer|module|abstraction)\b"
)
_NOT = lazy(r"\b(?:not|never|without|instead of|rather than|no need)\b")
_ROLE_LESS = frozenset(
    "new separate own dedicated simple small thin proper generic shared common python typescript".split()
)
_VAGUE = frozenset({"layer", "module", "abstraction"})
_FEWEST_LETTERS = 3


def planned(
    text: str, habits: Iterable[Habit], named: Callable[[Iterable[str]], tuple[Symbol, ...]]
) -> Iterator[Contradiction]:
    """What the sentences of a PLAN text announce; `named` looks symbols up by stemmed words."""
    said = plain(spoken(text[:MOST_TEXT]))
    if " directly" not in said and " new " not in said and "separate " not in said and "own " not in said:
        return
    known = tuple(habits)
    for _at, sentence in sentences(said):
        yield from _directly(sentence, known)
        yield from _anew(sentence, named)


def _directly(sentence: str, habits: tuple[Habit, ...]) -> Iterator[Contradiction]:
    match = _DIRECTLY.search(sentence)
    if match is None or _NOT.search(match.group()):
        return
    said = match[1].strip(".-/").lower()
    for habit in habits:
        if habit.role.startswith("wrapper of ") and habit.others[0].lower() == said:
            yield Contradiction(
                kind=BYPASS,
                subject=habit.others[0],
                usual=habit.where,
                rework=4,
                reason=f"the plan is to use {habit.others[0]} directly, while {habit.support} of {habit.users} files "
                f"go through {habit.where}.",
                remedy=f"use {habit.where} instead of {habit.others[0]} itself",
                confidence=CONFIDENCE,
            )


def _anew(sentence: str, named: Callable[[Iterable[str]], tuple[Symbol, ...]]) -> Iterator[Contradiction]:
    match = _NEW.search(sentence)
    if match is None or _NOT.search(match.group()):
        return
    noun = match[2]
    words = [
        word for word in match[1].replace("-", " ").split() if word not in _ROLE_LESS and len(word) >= _FEWEST_LETTERS
    ]
    if not words:
        return
    wanted = {stem(word) for word in words}
    there = _existing(wanted, noun, named(sorted(wanted)))
    if there is not None:
        what = f"{' '.join(words)} {noun}"
        yield Contradiction(
            kind=LAYER,
            subject=what,
            usual=there.path,
            rework=3,
            reason=f"the plan is a new {what}, while {there.name} in {there.path} is one already.",
            remedy=f"wire it to {there.name} in {there.path}",
            line=there.line,
            confidence=CONFIDENCE,
        )


def _existing(wanted: set[str], noun: str, symbols: tuple[Symbol, ...]) -> Symbol | None:
    """A class or file that is called exactly so: `PaymentService`, `payment_service.py`; for a layer `payment.py`."""
    role = stem(noun)
    for symbol in symbols:
        if symbol.kind not in {"class", "file"} or is_test_path(symbol.path):
            continue
        name = posixpath.basename(symbol.name).partition(".")[0]
        words = {stem(word) for word in split_name(name)}
        in_folder = role in {stem(word) for word in split_name(posixpath.basename(posixpath.dirname(symbol.path)))}
        if words == wanted | {role} or (words == wanted and (in_folder or (noun in _VAGUE and symbol.kind == "file"))):
            return symbol
    return None
