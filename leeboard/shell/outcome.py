"""Whether a command can end in anything but success: one that can not shows nothing, whatever it runs.

`pytest || true`, `pytest; exit 0`, `pytest | tee log` and `true` pass over any tree. It goes by the grammar, and by
what programs are known for; a command that can not be read, and a program nobody knows, may fail.
"""

from __future__ import annotations

import posixpath

import msgspec
from ast_grep_py import SgNode, SgRoot

from leeboard.data import load
from leeboard.shell.command import split
from leeboard.shell.source import prepare


class _Outcomes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    always: frozenset[str]
    passing_on: frozenset[str]
    in_front: frozenset[str]
    shells: frozenset[str]
    asking: frozenset[str]


_KNOWN = load("shell/outcomes", _Outcomes)
_DEEPEST = 20
_SKIPPED = frozenset({"comment", ";", "\n", "{", "}", "(", ")", "do", "done", "then", "fi", "esac", "in", ";;"})
_SEQUENCES = frozenset({"program", "subshell", "compound_statement", "do_group"})
_PARTS = frozenset({"do_group", "compound_statement", "else_clause", "elif_clause", "case_item"})


def can_fail(command: str) -> bool:
    """Whether its exit status depends on anything."""
    return _Outcome().of_text(command)


class _Outcome:
    """One text, and what was set in it on the way: that errors end it or count in pipes, and what runs at its end."""

    def __init__(self, depth: int = 0) -> None:
        self._depth = depth
        self._kept: list[str] = []
        self._ends_at_errors = False
        self._pipes_fail = False
        self._overruled = False
        self._before = False
        """Whether what ran last may have failed: `exit` alone tells of that."""
        self._functions: dict[str, SgNode] = {}

    def of_text(self, text: str) -> bool:
        if self._depth > _DEEPEST:
            return True
        source = prepare(text)
        if source is None:
            return True
        root = SgRoot(source.text, "bash").root()
        if root.find(kind="ERROR") is not None:
            return True
        self._kept = source.kept
        return self._sequence(root.children()) and not self._overruled

    def _sequence(self, nodes: list[SgNode]) -> bool:
        """The last one tells, unless errors end it before, or an `exit` does."""
        last, earlier = False, False
        for node in nodes:
            if node.kind() == "&":  # nobody waits for it
                last = False
            elif node.kind() not in _SKIPPED:
                earlier = earlier or (last and self._ends_at_errors)
                last = self._before = self._statement(node)
                if self._is_exit(node):
                    break
        return last or earlier

    def _statement(self, node: SgNode) -> bool:
        children = node.children()
        match node.kind():
            case "command" | "test_command" | "variable_assignment" | "declaration_command" | "unset_command":
                return self._simple(node)
            case "list":
                return self._list(children[0], children[1].kind(), children[-1])
            case "pipeline":
                return self._pipeline([each for each in children if each.kind() not in {"|", "|&"}])
            case "negated_command":
                return children[-1].text().strip() != "false"
            case "function_definition":
                self._functions[children[0].text()] = children[-1]
                return False
        return self._compound(node)

    def _compound(self, node: SgNode) -> bool:
        """What may run last in it: the body, or any of several."""
        if node.kind() in _SEQUENCES:
            return self._sequence(node.children())
        if node.kind() == "redirected_statement":
            return self._statement(node.children()[0])
        body: list[SgNode] = []
        found = False
        for each in node.children():
            if each.kind() in {"then", "else", ")"}:
                body = []
            elif each.kind() in _PARTS:
                found = self._compound(each) or found
            else:
                body.append(each)
        is_loop = node.kind() in {"for_statement", "while_statement", "c_style_for_statement", "case_statement"}
        return found if is_loop else found or self._sequence(body)

    def _list(self, left: SgNode, operator: str, right: SgNode) -> bool:
        first = self._before = self._statement(left)
        if self._is_exit(left):
            return first
        second = self._statement(right)
        return (first and second) if operator == "||" else (first or second)

    def _pipeline(self, parts: list[SgNode]) -> bool:
        if parts[0].kind() == "!":
            return True
        outcomes = [self._statement(each) for each in parts]
        hides = len(parts) > 1 and _program(self._words(parts[-1])) in _KNOWN.passing_on
        return any(outcomes) if self._pipes_fail else outcomes[-1] and not hides

    def _simple(self, node: SgNode) -> bool:
        words = _behind(self._words(node))
        program = _program(words)
        match program:
            case "exit" | "return":
                return self._before if len(words) < 2 or "$?" in node.text() else words[1] != "0"
            case "test" | "[" | "[[":
                return "$" in node.text() or "`" in node.text() or not _KNOWN.asking.isdisjoint(words)
            case "set" | "trap":
                self._set(program, words)
                return False
        if program in self._functions:
            return self._statement(self._functions.pop(program))  # one that calls itself is not followed
        if inner := _inner(program, words):
            return _Outcome(self._depth + 1).of_text(inner)
        return bool(program) and program not in _KNOWN.always

    def _set(self, program: str, words: list[str]) -> None:
        """What runs at the end has the last word: with an `exit 0` there, all else counts for nothing."""
        if program == "trap":
            at_end = len(words) > 2 and not {"EXIT", "0"}.isdisjoint(words[2:]) and "exit" in words[1]
            self._overruled = self._overruled or (at_end and not _Outcome(self._depth + 1).of_text(words[1]))
            return
        flags = [word for word in words[1:] if word.startswith("-")]
        self._ends_at_errors = self._ends_at_errors or any("e" in word for word in flags) or "errexit" in words
        self._pipes_fail = self._pipes_fail or "pipefail" in words

    def _is_exit(self, node: SgNode) -> bool:
        return node.kind() == "command" and _program(self._words(node)) in {"exit", "return"}

    def _words(self, node: SgNode) -> list[str]:
        """Nothing where it is more than one simple command."""
        if node.kind() == "redirected_statement":
            return self._words(node.children()[0])
        simple = split(node.text(), lambda _name: None, self._kept)
        return simple.words if simple else node.text().split()[:1]


def _program(words: list[str]) -> str:
    return posixpath.basename(words[0]) if words else ""


def _behind(words: list[str]) -> list[str]:
    """The command without what only stands in front of it."""
    while len(words) > 1 and _program(words) in _KNOWN.in_front:
        rest = words[1:]
        while len(rest) > 1 and ("=" in rest[0] or rest[0].startswith("-")):
            rest = rest[1:]
        words = rest
    return words


def _inner(program: str, words: list[str]) -> str:
    """The text that a shell or `eval` is handed; empty: there is none."""
    if program == "eval":
        return " ".join(words[1:])
    flags = [at for at, word in enumerate(words[:-1]) if at and word.startswith("-") and word.endswith("c")]
    return words[flags[0] + 1] if program in _KNOWN.shells and flags else ""
