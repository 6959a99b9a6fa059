"""What a non-goal of a contract rules out, as far as a changed tree can show it: paths, kinds of files, new packages.

A non-goal is a phrase rather than an order: "no schema changes", "touching src/billing", "docs". It is read as an order
in the ways it may be meant; what names no path, no kind of file and no part of the tree is not checked.
"""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.model.contract import ADD_DEPENDENCY, Constraint
from leeboard.model.text import lazy, matches
from leeboard.speech.limits.constraint import find_constraints
from leeboard.text.language import is_test, is_test_path

_LONGEST = 400
_CHANGE = r"(?:changes?|edits?|modifications?|updates?|tweaks?)"
_ABOUT = lazy(
    rf"(?:no\s+|any\s+|avoid\s+)?(?:\w+\s+)?{_CHANGE}\s+(?:to|in|of|inside|under)\s+(?P<what>.+)", re.IGNORECASE
)
_KIND_OF_CHANGE = lazy(rf"(?:no\s+|any\s+|avoid\s+)?(?P<what>.+?)\s+(?:{_CHANGE}|work)", re.IGNORECASE)
_OUTSIDE = lazy(
    rf"(?:no\s+|any\s+|avoid\s+)?(?:{_CHANGE}|touching\s+anything|anything|everything|work)\s+outside(?:\s+of)?\s+(?P<what>.+)",
    re.IGNORECASE,
)
_DOING = lazy(r"(?:touch|edit|chang|modify|alter|updat|add|install|introduc)\w*ing\b", re.IGNORECASE)
_TO_DO = lazy(r"(?:touch|edit|change|modify|alter|update|add|install|introduce)\b", re.IGNORECASE)
_PACKAGES = lazy(
    r"(?:no\s+)?(?:new|extra|additional|more|external|third[- ]party)\s+"
    r"(?:\w+\s+)?(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))",
    re.IGNORECASE,
)
_CONDITION = lazy(
    r"\b(?:unless|until|if|when|whenever|except|beyond|other\s+than|apart\s+from|without|more\s+than|needlessly|unrelated)\b",
    re.IGNORECASE,
)
_BULLET = lazy(r"[-*•]\s+")
_EXISTING = lazy(r"\b(?:existing|current)\b", re.IGNORECASE)
_PARTS = (
    (
        r"ci|ci[ /]cd|pipelines?|ci\s+(?:workflows?|pipelines?|config\w*)|github\s+(?:actions|workflows)",
        ("**/.github/workflows/**", "**/.gitlab-ci.yml", "**/.circleci/**", "**/Jenkinsfile", "**/azure-pipelines.yml"),
    ),
    (
        r"docker|docker\s?files?|docker\s+(?:images?|setup)|containers?",
        ("**/Dockerfile*", "**/*.dockerfile", "**/docker-compose*", "**/compose.y*ml", "**/.dockerignore"),
    ),
    (
        r"infra(?:structure)?|terraform|kubernetes|k8s|helm|deployments?",
        ("**/*.tf", "**/*.tfvars", "**/terraform/**", "**/k8s/**", "**/kubernetes/**", "**/helm/**", "**/infra/**"),
    ),
    (
        r"i18n|translations?|locali[sz]ations?|locales?",
        ("**/locales/**", "**/locale/**", "**/i18n/**", "**/translations/**", "**/*.po", "**/*.pot", "**/*.arb"),
    ),
    (r"changelogs?", ("**/CHANGELOG*", "**/CHANGES*")),
    (r"(?:ui|front-?end)\s+components?|components?", ("**/components/**",)),
)  # fmt: skip
_KNOWN_PARTS = tuple(
    (lazy(rf"(?:the\s+|our\s+|any\s+)?(?:{words})(?:\s+files?)?", re.IGNORECASE), globs) for words, globs in _PARTS
)
_PART = lazy(
    r"(?:the\s+|our\s+|any\s+)?[`'\"]?(?P<name>[A-Za-z][\w\-]{2,40})[`'\"]?(?:\s+(?:module|package|code|folder|directory|service|component|app|layer))?",
    re.IGNORECASE,
)
_TOO_VAGUE = frozenset(
    """
    api apis behaviour behavior feature features code logic design architecture interface interfaces public breaking
    functional cosmetic visual style format formatting config configuration setting settings core src lib app main test
    new other any unrelated large big major minor scope performance refactoring refactor cleanup naming name names
    existing data user users file files folder server client production external internal backwards type types
    """.split()
)


class NonGoal(msgspec.Struct, frozen=True, kw_only=True):
    """One non-goal that can be checked."""

    text: str
    limit: Constraint

    @property
    def is_about_existing(self) -> bool:
        """What is new does not break it."""
        return bool(_EXISTING.search(self.text))

    def rules_out(self, path: str) -> bool:
        """Whether to change this path is what it rules out."""
        limit = self.limit
        if not (limit.patterns or limit.areas):
            return False
        spoken_of = matches(path, limit.patterns) or ("tests" in limit.areas and (is_test(path) or is_test_path(path)))
        return spoken_of == (limit.kind == "forbid")

    @property
    def rules_out_packages(self) -> bool:
        return ADD_DEPENDENCY in self.limit.programs


@lru_cache(maxsize=64)
def read_non_goal(text: str) -> NonGoal | None:
    """None where the words name nothing that a changed tree could show."""
    flat = " ".join(text[:_LONGEST].split()).strip(" .;!")
    flat = _BULLET.sub("", flat)
    if not flat or _CONDITION.search(flat):
        return None
    for order in _orders(flat):
        for limit in find_constraints(order):
            if limit.checkable and limit.kind != "must":
                return NonGoal(text=flat, limit=limit)
    globs = _part_of_tree(flat)
    return NonGoal(text=flat, limit=Constraint(text=flat, kind="forbid", patterns=globs)) if globs else None


def _orders(flat: str) -> list[str]:
    """The orders it may stand for, the nearest to its words first."""
    lowered = flat[0].lower() + flat[1:]
    found = [flat]
    if _PACKAGES.match(flat):
        found.append(f"no {lowered.removeprefix('no ')}")
    if outside := _OUTSIDE.fullmatch(flat):
        return [f"do not touch anything outside {outside['what']}"]
    if _DOING.match(flat):
        found.append(f"avoid {lowered}")
    elif _TO_DO.match(flat):
        found.append(f"do not {lowered}")
    return [*found, f"do not touch {_object(flat)}"]


def _object(flat: str) -> str:
    """What must not be changed, without the words that say so."""
    about = _ABOUT.fullmatch(flat) or _KIND_OF_CHANGE.fullmatch(flat)
    return about["what"] if about else flat


def _part_of_tree(flat: str) -> tuple[str, ...]:
    """A part that has a place of its own, or a folder with exactly that name."""
    what = _object(flat)
    bare = re.sub(
        r"^(?:do not|don['’]?t|avoid|no)\s+(?:touch(?:ing)?\s+|chang(?:e|ing)\s+)?", "", what, flags=re.IGNORECASE
    )
    for words, globs in _KNOWN_PARTS:
        if words.fullmatch(bare):
            return globs
    named = _PART.fullmatch(bare)
    # A bare word may be anything; with "changes to" or "module" it is a part of the program.
    is_a_part = bare != flat or (named is not None and named.end("name") < len(bare))
    if named is None or not is_a_part or named["name"].lower() in _TOO_VAGUE:
        return ()
    return (f"**/{named['name'].lower()}/**",)
