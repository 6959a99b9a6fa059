"""What a limit speaks of, as something that can be checked: globs, the area of tests, programs.

An object is believed only when nothing is left over: `the helper in src/a.py` is not the file `src/a.py`, and `tests/
until I say so` is not `tests/`. A list is taken item by item.
"""

from __future__ import annotations

import re

import msgspec

from leeboard.data import load
from leeboard.model.contract import EVERYTHING
from leeboard.model.text import lazy
from leeboard.speech.limits.clause import IMPERATIVES, Sources, expressions
from leeboard.text.prose_path import MARK, scan

Things = tuple[tuple[str, ...], tuple[str, ...]]
"""Globs and areas."""


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: str
    globs: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()


class _Objects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    filler: frozenset[str]
    determiners: tuple[str, ...]
    not_first: frozenset[str]
    no_folder_names: frozenset[str]
    test_globs: tuple[str, ...]
    prose: tuple[str, ...]
    parts: Sources
    patterns: Sources
    kinds: tuple[_Kind, ...]


_TABLE = load("speech/limits_objects", _Objects)
TEST_GLOBS = _TABLE.test_globs
_GIVEN = {
    "determiners": "|".join(_TABLE.determiners),
    "not_first": "|".join(sorted({*IMPERATIVES, *_TABLE.not_first})),
}
_SAID = expressions(_TABLE.patterns, _TABLE.parts, _GIVEN)


def _of_kinds(pattern: str) -> tuple[tuple[re.Pattern[str], Things], ...]:
    """The pattern with the words of each kind, and what the kind stands for."""
    return tuple(
        (
            expressions({pattern: _TABLE.patterns[pattern]}, _TABLE.parts, {**_GIVEN, "words": kind.words})[pattern],
            (kind.globs, kind.areas),
        )
        for kind in _TABLE.kinds
    )


_KINDS = _of_kinds("kind")
_ASKED_KINDS = ((_SAID["coverage"], _KINDS[0][1]), *_of_kinds("asked_kind"))
_ITEM = lazy(
    r"\s*(?:,\s*(?:and\b|or\b|nor\b)?|;|\band/or\b|\b(?:and|or|nor|und|oder|et|ou|ni|y|e|o|и|или)\b|&|、|和|或|と)\s*"
)
_BINDING = lazy(rf"\b(?:of|in|from|to|for|with|between|on|into|at|by|about)\b|{MARK}", re.IGNORECASE)
_WORDS = lazy(r"[^\W_]+(?:['’-][^\W_]+)*")


def without_waiting(what: str) -> tuple[str, bool]:
    """The object without "yet", "for now", "until I say so", and whether it had one of these.

    What only asks first ("without asking me") or speaks of the work at hand ("while you're in there") goes as well: the
    limit stands until the user says otherwise, as every other does.
    """
    plain = _SAID["meanwhile"].sub("", _SAID["asks_first"].sub("", what))
    settled = _SAID["waits"].sub("", plain)
    return settled, settled != plain


def is_conditional(what: str) -> bool:
    """A limit that holds for a time or under a condition is remembered, not checked."""
    return bool(_SAID["condition"].search(what))


def resolve(what: str, *, kinds: bool = True) -> Things:
    """Globs and areas of an object, or nothing when it is not plainly a list of them."""
    if is_conditional(what):
        return (), ()
    paths, marked = scan(what)
    waiting = iter(paths)
    globs: dict[str, None] = {}
    areas: dict[str, None] = {}
    for item in _ITEM.split(marked):
        named = [next(waiting) for _ in range(item.count(MARK))]
        given = _of_item(item, named, kinds=kinds)
        if given == ((), ()) and (_BINDING.search(item) or (not globs and not areas and item.strip() and named)):
            break
        globs.update(dict.fromkeys(given[0]))
        areas.update(dict.fromkeys(given[1]))
    return tuple(globs), tuple(areas)


def only_names_paths(what: str) -> bool:
    """Whether the object is paths and nothing else, not even in a list."""
    paths, marked = scan(what)
    return bool(paths) and all(_is_filler(item) for item in _ITEM.split(marked))


def only_places(what: str) -> Things:
    """The places an `only` leaves free: paths, tests, or paths and their tests; nothing where it says more."""
    if tested := _SAID["its_tests"].match(what):
        globs, areas = only_places(in_brackets(tested["place"]))
        names = [path.rstrip("/").rsplit("/", 1)[-1].partition(".")[0] for path in scan(tested["place"])[0]]
        return ((*globs, *(glob for name in names for glob in _tests_of(name))), areas) if globs else ((), ())
    what = in_brackets(what)
    if only_names_paths(what):
        return resolve(what)
    globs, areas = resolve(what)
    items = [item.strip() for item in _ITEM.split(what) if item.strip()]
    return (globs, areas) if len(items) == 1 and (globs or areas) else ((), ())


def _tests_of(name: str) -> tuple[str, ...]:
    """Where the tests of something by this name are looked for."""
    return tuple(
        glob.format(name)
        for glob in ("**/*test*/**/*{}*", "**/*test*/**/{}/**", "**/*test*{}*", "**/*{}*test*", "**/*{}*spec*")
    )


def any_files(what: str, *, files: bool = False) -> tuple[str, ...]:
    """Globs of all there is, for `anything`, `any files`, `the code`; none where it says more than that.

    `files`: it is about files as such, which may be deleted, made and moved.
    """
    match = _SAID["any_file" if files else "any_files"].fullmatch(what.strip())
    if match is None:
        return ()
    return (EVERYTHING, *_TABLE.prose) if not files and match["code"] else (EVERYTHING,)


def pushed_to(what: str) -> str:
    """The branch of `to main`; empty where it names none."""
    match = None if is_conditional(what.replace("directly", "")) else _SAID["pushed_to"].fullmatch(what.strip())
    return (match["quoted"] or match["plain"] or match["named"]) if match else ""


def in_brackets(what: str) -> str:
    """`the footer (src/Footer.tsx)` is the file in brackets."""
    match = _SAID["apposition"].match(what)
    return match["what"] if match and only_names_paths(match["what"]) else what


def is_else(what: str) -> bool:
    return bool(_SAID["else"].fullmatch(what.strip()))


def is_pronoun(what: str) -> bool:
    return bool(_SAID["pronoun"].fullmatch(what.strip()))


def of_none(what: str) -> tuple[str, str]:
    """The deed or kind behind "no": `delete`, `move`, `only tests`, or `change` with what it is about."""
    for name in ("deletions", "renames", "only_tests"):
        if _SAID[name].fullmatch(what.strip()):
            return {"deletions": "delete", "renames": "move", "only_tests": "only"}[name], ""
    match = _SAID["none_of"].fullmatch(what.strip())
    return ("change", f"{match['what'].rstrip('s')}s") if match else ("", "")


_NAMED_BEFORE = lazy(
    r"\b(?:the|a|an|any|all|our|those|these|failing|existing)\s+((?:[\w\-]+\s+)?[\w\-]+)", re.IGNORECASE
)


def spoken_of(before: str) -> str:
    """What a pronoun stands for: the one path, or the last kind of file, that was named before it."""
    paths = scan(before)[0]
    if paths:
        return " and ".join(f"`{path}`" for path in paths) if len(paths) <= 3 else ""
    for match in reversed(list(_NAMED_BEFORE.finditer(before))):
        words = match[1].split()
        for noun in (match[1], words[0], words[-1]):
            if kind_of(noun) != ((), ()):
                return noun
    return ""


def _of_item(item: str, named: list[str], *, kinds: bool) -> Things:
    if named:
        plural = item.count(MARK) == 1 and named[0].startswith(".env") and "files" in item.split()
        globs = (*(anchor(path) for path in named), *((f"**/{named[0]}.*",) if plural else ()))
        return (globs, ()) if _is_filler(item) else ((), ())
    bare = item.strip().strip("`'\"“”* ")
    return kind_of(bare) if kinds and bare else ((), ())


def _is_filler(item: str) -> bool:
    return all(word.lower() in _TABLE.filler for word in _WORDS.findall(item))


def anchor(path: str) -> str:
    """A path as written may be relative to any folder: match it as a suffix; a folder means all below it."""
    bare = path.rstrip("/")
    while bare.startswith("./"):
        bare = bare[2:]
    last = bare.rsplit("/", 1)[-1]
    is_folder = path.endswith("/") or (
        "." not in last[1:] and "*" not in last and not last.startswith(".") and last[:1].islower()
    )
    anchored = bare if bare.startswith(("/", "~", "**/")) or bare[1:2] == ":" else f"**/{bare}"
    return f"{anchored}/**" if is_folder and not anchored.endswith("/**") else anchored


def names_dependency(what: str) -> bool:
    return bool(_SAID["dependency"].fullmatch(what.strip()))


def is_all_of_git(what: str) -> bool:
    """`commit`, `commit anything`; not `commit secrets` or `push to main`."""
    return not is_conditional(what) and bool(_SAID["git_object"].fullmatch(what))


# Kinds of file that have a name of their own: the tests, the schema, the docs, the legacy folder.


def kind_of(bare: str) -> Things:
    """Globs and areas of a kind of file and nothing more."""
    return _first(_KINDS, bare)


def asked_kind(bare: str) -> Things:
    """The same for what is asked for, where one of a kind is enough: `a users migration`, `the failing login tests`."""
    return _first(_ASKED_KINDS, bare)


def _first(kinds: tuple[tuple[re.Pattern[str], Things], ...], bare: str) -> Things:
    for pattern, things in kinds:
        if pattern.fullmatch(bare):
            return things
    folder = _SAID["folder"].fullmatch(bare)
    return ((f"**/{folder[1]}/**",), ()) if folder and folder[1].lower() not in _TABLE.no_folder_names else ((), ())
