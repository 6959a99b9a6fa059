"""Whether an import only brings names along: errors to catch, types to write down, constants to compare with.

Who catches `requests.Timeout` around a call of the wrapper, or writes `*sql.DB` into a signature, does nothing the
wrapper does. What is called, subclassed or handed on is use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from leeboard.code.name_scan import ScannedImport
from leeboard.model.pattern import lazy

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
