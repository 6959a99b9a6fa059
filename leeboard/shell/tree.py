"""Walks the grammar's tree of a shell text in the order bash would run it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Protocol

from ast_grep_py import SgNode, SgRoot

from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.shell.command import Simple, split
from leeboard.shell.expansion import UNKNOWN, Lookup
from leeboard.shell.options import parse
from leeboard.shell.printed import body_of
from leeboard.shell.programs.wrappers import READ_VALUES
from leeboard.shell.scope import Effects, Run, ShellScope
from leeboard.shell.source import ShellSource

_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_SUBSTITUTES = lazy(r"\$\(|`|[<>]\(")
_BRANCHES = frozenset({"else_clause", "elif_clause"})
_PRINTERS = frozenset({"command", "redirected_statement"})
_ASSIGNED = lazy(
    r"\b([A-Za-z_]\w*)(?:\[[^\]]*\])?(?:\+\+|--|[-+*/%|&^]?=)|\b(?:for|read|mapfile|getopts)\s+([^;|&<>\n]*)", re.ASCII
)
_NAME = lazy(r"[A-Za-z_]\w*", re.ASCII)


class Perform(Protocol):
    def __call__(self, simple: Simple, effects: Effects, scope: ShellScope, *, piped: bool = False) -> None: ...


class Walk:
    """One source and its tree. Functions are kept, and walked where they are called."""

    def __init__(self, source: ShellSource, effects: Effects, perform: Perform) -> None:
        self.source = source
        self.effects = effects
        self.perform = perform

    def walk(self, scope: ShellScope) -> None:
        root = SgRoot(self.source.text, "bash").root()
        if root.find(kind="ERROR") is not None:
            self.effects.opaque = True
        self.statement(root, scope)

    def statement(self, node: SgNode, scope: ShellScope, *, piped: bool = False) -> None:
        if not self.effects.enter():
            return
        match node.kind():
            case "command" | "variable_assignment" | "variable_assignments" | "declaration_command" | "unset_command":
                self.simple(node, scope, piped=piped)
            case "redirected_statement":
                self.redirected(node, scope, piped=piped)
            case "list":
                self.chain(node, scope)
            case "pipeline":
                self.pipeline(node, scope, piped=piped)
            case _ as kind:
                self.compound(kind, node, scope)
        self.effects.leave()

    def compound(self, kind: str, node: SgNode, scope: ShellScope) -> None:
        children = node.children()
        if children and not children[-1].text():
            # The grammar put in what it missed at the end: bash would not run this.
            self.effects.opaque = True
        self.effects.inside += kind != "program"
        self.in_compound(kind, node, children, scope)
        self.effects.inside -= kind != "program"

    def in_compound(self, kind: str, node: SgNode, children: list[SgNode], scope: ShellScope) -> None:
        match kind:
            case "program" | "do_group" | "negated_command" | "else_clause" | "elif_clause" | "ERROR":
                self.sequence(children, scope)
            case "subshell":
                self.sequence(children, scope.copy())
            case "if_statement":
                self.branches(node, scope)
            case "case_statement":
                self.cases(node, scope)
            case "while_statement" | "for_statement":
                self.loop(node, children, scope)
            case "c_style_for_statement":
                self.loop(node, children[-1:], scope)
            case "function_definition":
                self.define(node, scope)
            case "compound_statement" if not node.text().startswith("(("):
                self.sequence(children, scope)
            case _:
                self.other(kind, node, scope)

    def other(self, kind: str, node: SgNode, scope: ShellScope) -> None:
        """Tests and arithmetic, and what the grammar could not place."""
        text = node.text()
        self.substitutions(node, text, scope)
        if kind == "compound_statement":
            self.forget(text, scope)
        elif kind == "test_command" and not text.startswith("[["):
            simple = split(text, scope.lookup, self.source.kept)
            if simple is not None:
                self.perform(simple, self.effects, scope)
        elif kind.startswith("heredoc"):
            self.effects.opaque = True

    def simple(self, node: SgNode, scope: ShellScope, *, piped: bool = False) -> None:
        if not self.command([node], node.text(), scope, piped=piped):
            if node.kind() in {"command", "redirected_statement"}:
                self.effects.opaque = True
            else:
                self.forget(node.text(), scope)

    def command(self, nodes: list[SgNode], text: str, scope: ShellScope, *, piped: bool = False) -> bool:
        """False where the text is no single command."""
        for node in nodes:
            self.substitutions(node, text, scope)
        simple = split(text, scope.lookup, self.source.kept) if text else None
        if simple is not None:
            self.perform(simple, self.effects, scope, piped=piped)
        return simple is not None

    def redirected(self, node: SgNode, scope: ShellScope, *, piped: bool) -> None:
        """A redirection may stand before more words of its command, so those two are read as one text."""
        body, *redirects = node.children()
        if body.kind() in {"command", "file_redirect", "herestring_redirect"}:
            self.simple(node, scope, piped=piped)
            return
        if body.kind() == "list":
            self.chain(body, scope, partial(self.with_redirects, redirects))
        else:
            self.with_redirects(redirects, body, scope, piped=piped)

    def with_redirects(self, redirects: list[SgNode], body: SgNode, scope: ShellScope, *, piped: bool = False) -> None:
        """The grammar hangs redirections on a whole chain: they are its last command's, which runs where `cd` led."""
        end = redirects[-1].range().end.index
        if body.kind() == "command":
            text = self.source.text[body.range().start.index : end]
            understood = self.command([body, *redirects], text, scope, piped=piped)
            self.effects.opaque = self.effects.opaque or not understood
        else:
            before = self.effects.passed
            self.effects.passed = (
                self.redirects(redirects, self.source.text[body.range().end.index : end], scope) or before
            )
            self.statement(body, scope, piped=piped)
            self.effects.passed = before

    def redirects(self, nodes: Sequence[SgNode], text: str, scope: ShellScope) -> str | None:
        """Gives the text that they hand in, where it stands in the line."""
        for redirect in nodes:
            self.substitutions(redirect, text, scope)
        simple = split(text, scope.lookup, self.source.kept)
        if simple is None:
            self.effects.opaque = True
            return None
        run = Run(self.effects, scope)
        run.redirect(simple.redirects)
        return run.stdin

    def substitutions(self, node: SgNode, text: str, scope: ShellScope) -> None:
        if not _SUBSTITUTES.search(text):
            return
        waiting = [node]
        while waiting:
            current = waiting.pop()
            if current.kind() in _SUBSTITUTIONS:
                if self.effects.enter():
                    self.effects.inside += 1
                    self.sequence(current.children(), scope.copy())
                    self.effects.inside -= 1
                    self.effects.leave()
            else:
                waiting.extend(current.children()[::-1])

    def sequence(self, nodes: list[SgNode], scope: ShellScope) -> None:
        for node, following in zip_longest(nodes, nodes[1:]):
            if node.is_named():
                in_background = following is not None and following.kind() == "&"
                self.begin_statement()
                self.statement(node, scope.copy() if in_background else scope)

    def begin_statement(self) -> None:
        """Counted by those that do something: a comment is none."""
        effects = self.effects
        has_begun = bool(effects.started) and effects.started[-1].statement == effects.statement
        if not effects.inside and (has_begun or effects.statement in effects.keeping):
            effects.statement += 1

    def chain(
        self, node: SgNode, scope: ShellScope, run_last: Callable[[SgNode, ShellScope], None] | None = None
    ) -> None:
        """`a && b || c`: what follows `||` starts where its left side started, and is not expected to be needed."""
        links = _links(node)
        first, last = links[0][1], len(links) - 1
        start = before = scope.directory
        for at, (operator, link) in enumerate(links):
            run = run_last if run_last is not None and at == last else self.statement
            self.begin_statement()
            if operator == "||":
                self.instead(partial(run, link), scope, None if scope.directory is None else before)
            else:
                before = scope.directory
                run(link, scope)
        if scope.directory != start and first.text().startswith(("[", "test ")):
            scope.directory = None

    def instead(self, run: Callable[[ShellScope], None], scope: ShellScope, directory: str | None) -> None:
        other = scope.copy()
        other.directory = directory
        run(other)
        if other.directory == directory:
            other.directory = scope.directory
        scope.settle([scope.copy(), other])

    def pipeline(self, node: SgNode, scope: ShellScope, *, piped: bool) -> None:
        effects, before = self.effects, self.effects.passed
        effects.inside += 1
        for part in node.children():
            if part.is_named():
                effects.printed = None
                self.part(part, scope, piped=piped)
                effects.passed = effects.printed if part.kind() in _PRINTERS else None
                piped = True
        effects.inside -= 1
        effects.passed = before

    def part(self, node: SgNode, scope: ShellScope, *, piped: bool) -> None:
        """Each part has a shell of its own. Of `a && b 2>&1 | c` the grammar makes `a` one too, but only `b` is."""
        chain, *redirects = node.children() if node.kind() == "redirected_statement" else [node]
        if redirects and chain.kind() == "list":
            run_last = partial(self.with_redirects, redirects)
            self.chain(chain, scope, lambda link, where: run_last(link, where.copy()))
        else:
            self.statement(node, scope.copy(), piped=piped)

    def branches(self, node: SgNode, scope: ShellScope) -> None:
        children = node.children()
        body_at = next((at for at, child in enumerate(children) if child.kind() == "then"), len(children))
        self.sequence(children[:body_at], scope)
        others = [child for child in children if child.kind() in _BRANCHES]
        bodies = [[child for child in children[body_at:] if child.kind() not in _BRANCHES], *([it] for it in others)]
        outcomes = [] if any(it.kind() == "else_clause" for it in others) else [scope.copy()]
        self.either(bodies, scope, outcomes)

    def cases(self, node: SgNode, scope: ShellScope) -> None:
        children = node.children()
        items = [child for child in children if child.kind() == "case_item"]
        self.sequence([child for child in children if child.kind() != "case_item"], scope)
        self.either([item.children() for item in items], scope, [scope.copy()])

    def either(self, bodies: list[list[SgNode]], scope: ShellScope, outcomes: list[ShellScope]) -> None:
        for body in bodies:
            branch = scope.copy()
            self.sequence(body, branch)
            outcomes.append(branch)
        scope.settle(outcomes)

    def looped(self, children: list[SgNode], scope: ShellScope) -> list[str]:
        """The words a `for` goes through; empty where the body is to be read without knowing them."""
        if (
            [children[0].kind(), children[-1].kind()] != ["for", "do_group"]
            or scope.functions
            or "IFS" in scope.variables
        ):
            return []
        name, body = children[1].text(), children[-1]
        head = self.source.text[children[0].range().start.index : body.range().start.index]
        words = literal_words(head, scope.lookup, self.source.kept)
        known = words and keeps_its_value(name, body.text()) and not any(map(bends_names, self.effects.started))
        return words if known and self.effects.repeat(len(words) * len(body.text())) else []

    def each(self, children: list[SgNode], words: list[str], scope: ShellScope) -> None:
        start = scope.directory
        for word in words:
            scope.variables[children[1].text()] = word
            self.statement(children[-1], scope)
            scope.directory = scope.directory if scope.directory == start else None

    def read_in(self, parts: list[SgNode], scope: ShellScope) -> tuple[str, list[str], SgNode] | None:
        """The name that `while read` fills, the lines that it reads where they stand in the line, and its body."""
        handed = self.effects.passed
        if handed is None or [parts[0].kind(), parts[-1].kind()] != ["while", "do_group"] or len(parts) < 3:
            return None
        simple = split(parts[1].text(), scope.lookup, self.source.kept)
        words = simple.words if simple is not None else []
        names = parse(words[1:], READ_VALUES).operands if words[:1] == ["read"] else []
        lines = [line.strip() for line in body_of(handed).split("\n") if line.strip()]
        body = parts[-1]
        if not names or len(lines) > MAX_WORDS or not self.effects.repeat(len(lines) * len(body.text())):
            return None
        return names[0], lines, body

    def read_each(self, name: str, lines: list[str], body: SgNode, scope: ShellScope) -> None:
        start, handed = scope.directory, self.effects.passed
        self.effects.passed = None
        for line in lines:
            scope.assign(name, line)
            self.statement(body, scope)
            scope.directory = scope.directory if scope.directory == start else None
        self.effects.passed = handed
        scope.forget(name)

    def loop(self, node: SgNode, parts: list[SgNode], scope: ShellScope) -> None:
        """A body may run more than once: names it sets are unknown, and it must end where it began."""
        text = node.text()
        words = self.looped(parts, scope)
        if not words and (read := self.read_in(parts, scope)):
            self.read_each(*read, scope)
            return
        self.forget(text, scope)
        start, touched = scope.directory, len(self.effects.touches)
        if words:
            self.each(parts, words, scope)
        else:
            self.sequence(parts, scope)
        self.forget(text, scope)
        if scope.directory != start:
            scope.directory = None
            new = list(self.effects.touches)[touched:]
            self.effects.opaque = self.effects.opaque or any(touch.modifies for touch in new)

    def forget(self, text: str, scope: ShellScope) -> None:
        for assigned, listed in _ASSIGNED.findall(text):
            for name in _NAME.findall(assigned or listed):
                scope.forget(name)

    def define(self, node: SgNode, scope: ShellScope) -> None:
        children = node.named_children()
        if len(children) > 1:
            scope.functions[children[0].text()] = partial(self.statement, children[-1])


def _links(node: SgNode) -> list[tuple[str, SgNode]]:
    """The parts of a chain with the operator before each; the grammar nests them to the left."""
    links: list[tuple[str, SgNode]] = []
    while node.kind() == "list":
        children = node.children()
        if len(children) != 3:
            break
        links.append((children[1].kind(), children[2]))
        node = children[0]
    return [("", node), *reversed(links)]


# A `for` over words that stand in the line: its body is read once for each of them.


MAX_WORDS = 20
_LOOP_SUBSTITUTES = lazy(r"\$\(|`|[<>]\(")
_LIST = lazy(r"for\s+[A-Za-z_]\w*\s+in\s", re.ASCII)
_SETS_NAMES = lazy(
    r"\b(?:IFS|alias|declare|enable|eval|getopts|let|local|mapfile|read|readarray|source|trap|typeset)\b"
    r"|\bprintf\s+-v|\bexport\s+[^A-Za-z_\s]|(?<![^\s;&|(])\.\s"
)
"""What may give a name another value than the line shows, or split its value elsewhere than at blanks."""


def literal_words(head: str, lookup: Lookup, kept: list[str]) -> list[str]:
    """The words a loop goes through, from `for` up to its body; empty where not all of them can be told."""
    start = _LIST.match(head)
    if start is None or _LOOP_SUBSTITUTES.search(head):
        return []
    listed = "in " + head[start.end() :].rstrip("; \t\n")  # the first word is no assignment, whatever it looks like
    simple = split(listed, lookup, kept)
    if simple is None or simple.redirects or len(simple.words) > MAX_WORDS + 1:
        return []
    return [] if any(UNKNOWN in word for word in simple.words) else simple.words[1:]


def keeps_its_value(name: str, body: str) -> bool:
    """Whether a name only ever stands in the body for what the loop gave it."""
    if _SETS_NAMES.search(body):
        return False
    return not re.search(rf"(?<![\w$])(?<!\$\{{)(?<!\s-){re.escape(name)}(?!\w)", body, re.ASCII)


def bends_names(started: Started) -> bool:
    """Whether what follows in the shell may see other values than the line gives to its names."""
    program, *given = started.words
    if program in {"declare", "local", "typeset"}:
        return any(word.startswith("-") and "n" in word for word in given)
    if program in {".", "source"}:
        return not (given and given[0].endswith("bin/activate"))
    return program in {"alias", "enable", "trap"} or (program == "eval" and any(UNKNOWN in word for word in given))
