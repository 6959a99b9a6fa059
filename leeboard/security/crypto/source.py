"""One file as the signatures read it: its sites by name, who encloses them, what the file defines itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from leeboard.model.text import lazy
from leeboard.security.crypto.gate import Clue, gate_of
from leeboard.security.crypto.site import (
    CallSite,
    ComparisonSite,
    SettingSite,
    Site,
    Word,
    calls_of,
    compares_of,
    settings_of,
)
from leeboard.security.crypto.weakness import ConstantValues
from leeboard.security.crypto.words import grammar
from leeboard.source.syntax import Definition, SyntaxTree

_IMPORTED_AS = lazy(r"\b(\w{2,40})(?:\s+as\s+|\s*:\s*)(\w{1,40})")
_IMPORT_LINE = lazy(r"^[ \t]{0,12}(?:from|import|const|use|using|require)\b[^\n]{0,300}", 8)

_LONGEST_NAME = 80
"""No library spells a name so long."""
_NOT_USED_AFTER = lazy(r"\s{0,8}(?::(?![:=])|={1,3}(?!>)|!=|in\b|is\b|,?\s{0,4}#\s*type)")
_NOT_USED_BEFORE = lazy(r"(?:[=!]==?|\bis|\bis not|\bclass|\bcase|\bdef|\bin \(|\bfun|\btype|#define)\s{0,8}\Z")
_IMPORTS = lazy(r"\s*(?:(?:from|import|use|using|export)\s|#include)")


class CryptoSource:
    """`text` is what was parsed; offsets of nodes count in it."""

    def __init__(self, tree: SyntaxTree, path: str) -> None:
        self.tree = tree
        self.path = path
        self.language = tree.language
        self.text = "<?php " + tree.text if tree.offset else tree.text
        self._gate = gate_of(self.text)
        self.lower = self._gate.lower
        self.lines = self.text.splitlines()
        self.values: dict[tuple[int, int, str], ConstantValues] = {}
        """What expressions were found to be."""
        self._definitions: dict[int, Definition | None] = {}
        self.vocabulary: dict[tuple[int, int, str], frozenset[str]] = {}
        """Words of stretches of the file, without those of a callee."""

    @cached_property
    def calls(self) -> dict[str, list[CallSite]]:
        """By the last part of the name, lower case."""
        found: dict[str, list[CallSite]] = defaultdict(list)
        for name, calls in self.calls_by_name.items():
            found[name.rpartition(".")[2].lower()] += calls
        return found

    @cached_property
    def calls_by_name(self) -> dict[str, list[CallSite]]:
        """By the whole name; an imported name stands for what it was imported from."""
        found: dict[str, list[CallSite]] = defaultdict(list)
        for site in self.all_calls:
            found[self.aliases.get(site.name, site.name)].append(site)
        return found

    def matching(self, pattern: re.Pattern[str]) -> Iterator[tuple[str, CallSite]]:
        """Calls whose whole name the pattern finds, but for what the file defines itself."""
        for name, calls in self.calls_by_name.items():
            if len(name) <= _LONGEST_NAME and pattern.search(name):
                yield from ((name, call) for call in calls if not self.is_own(call))

    @cached_property
    def settings(self) -> dict[str, list[SettingSite]]:
        """By name as written."""
        found: dict[str, list[SettingSite]] = defaultdict(list)
        for site in self.all_settings:
            found[site.name].append(site)
        return found

    @cached_property
    def _by_start(self) -> dict[int, list[SettingSite]]:
        found: dict[int, list[SettingSite]] = defaultdict(list)
        for site in self.all_settings:
            found[site.start].append(site)
        return found

    def starting(self, offset: int) -> list[SettingSite]:
        """Settings whose text starts here."""
        return self._by_start.get(offset, [])

    @cached_property
    def compares(self) -> list[ComparisonSite]:
        return compares_of(self.tree.root, self.text, self.language)

    @cached_property
    def all_calls(self) -> list[CallSite]:
        return calls_of(self.tree.root, self.text, self.language)

    @cached_property
    def all_settings(self) -> list[SettingSite]:
        return settings_of(self.tree.root, self.text, self.language)

    def named(self, *names: str) -> Iterator[CallSite]:
        """Calls whose last name is one of these (lower case), but for what the file defines itself."""
        for name in names:
            yield from (call for call in self.calls.get(name, ()) if not self.is_own(call))

    def is_own(self, call: CallSite) -> bool:
        """Whether the file defines what is called by a bare name or on itself."""
        owner, _, last = call.name.rpartition(".")
        return owner in {"", "self", "this", "cls"} and last in self.own

    @cached_property
    def own(self) -> frozenset[str]:
        return frozenset(definition.name for definition in self.tree.definitions)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """`from hashlib import md5 as quick`: quick to md5."""
        if " as " not in self.text and "require(" not in self.text:
            return {}
        lines = (found[0] for found in _IMPORT_LINE.finditer(self.text))
        pairs = (found.groups() for line in lines for found in _IMPORTED_AS.finditer(line))
        return {alias: name for name, alias in pairs if alias != name}

    def definition_of(self, site: Site) -> Definition | None:
        """The innermost function, or class, around a site."""
        return self.definition_at(site.line)

    def definition_at(self, line: int) -> Definition | None:
        if line not in self._definitions:
            self._definitions[line] = self.tree.definition_at(line)
        return self._definitions[line]

    def function_lines(self, site: Site) -> tuple[int, int]:
        """First and last line of what encloses it: the function; a stretch of the module where there is none."""
        found = self.definition_of(site)
        if found is not None and found.kind != "class":
            return found.start, found.end
        inside = [it for it in self.tree.definitions if it.kind != "class"]
        first = max((it.end + 1 for it in inside if it.end < site.line), default=1)
        last = min((it.start - 1 for it in inside if it.start > site.line), default=len(self.lines))
        return max(first, site.line - 25), min(last, site.line + 25)

    def function_text(self, site: Site) -> str:
        first, last = self.function_lines(site)
        return "\n".join(self.lines[first - 1 : last])

    def spelling(self, pattern: re.Pattern[str], words: tuple[Clue, ...]) -> Iterator[Word]:
        """Where the code spells something, not a comment or a string; one of the words stands in all of it."""
        if not self.has(words):
            return
        for found in pattern.finditer(self.text):
            if not self._is_text(found.start()) and self._is_used(found):
                sites: list[Site] = [*self.all_calls, *self.all_settings]
                holders = [it for it in sites if it.start <= found.start() and found.end() <= it.end]
                node = min(holders, key=lambda it: it.end - it.start).node if holders else self.tree.root
                yield Word(node, found.start(), found.end(), self.text.count("\n", 0, found.start()) + 1)

    def _is_used(self, found: re.Match[str]) -> bool:
        """Neither compared with, nor imported, nor defined, nor a key of a table."""
        if _NOT_USED_AFTER.match(self.text, found.end()):
            return False
        first = self.text.rfind("\n", 0, found.start()) + 1
        before = self.text[max(first, found.start() - 200) : found.start()]
        owner = before.rstrip(".:").rstrip("\\abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
        return not (_NOT_USED_BEFORE.search(before) or _NOT_USED_BEFORE.search(owner) or _IMPORTS.match(before))

    def _is_text(self, offset: int) -> bool:
        at = bisect_right(self._not_code, (offset, len(self.text))) - 1
        return at >= 0 and offset < self._not_code[at][1]

    @cached_property
    def _not_code(self) -> list[tuple[int, int]]:
        kinds = grammar().not_code.get(self.language, ())
        found = self.tree.root.find_all(any=[{"kind": kind} for kind in kinds]) if kinds else []
        spans = [node.range() for node in found]
        return sorted((span.start.index, span.end.index) for span in spans)

    def has(self, words: tuple[Clue, ...]) -> bool:
        """Whether the file speaks of one of these (lower case)."""
        return self._gate.has(words)
