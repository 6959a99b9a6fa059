"""The texts a shell line writes into files: here-documents of `cat` and `tee`, the words of `echo` and `printf`."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from ast_grep_py import SgNode

from leeboard.model.text import lazy
from leeboard.shell.command import Simple, split
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.scope import Effects, ShellScope, is_device_path
from leeboard.shell.source import MAX_SKELETON, prepare, readable
from leeboard.shell.tree import Walk
from leeboard.shell.understand import perform, plain_command

_WRITING = frozenset({">", ">>", ">|", "&>", "&>>"})
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", '\\"': '"'}
_ESCAPE = lazy(r"\\[nt\\\"]")
_FORMAT = lazy(r"%[-+ 0-9.]{0,8}[sdbqif]")
_QUOTED = lazy(r"'[^']*'|\"[^\"]*\"")
_MOST_REDIRECTIONS = 200
"""The most that one command has. Nobody writes so many, and each is far more work than the sign that asks for it."""


class ShellWrite(msgspec.Struct, frozen=True):
    path: str
    """As the line has it, relative to where it starts."""
    text: str
    appends: bool = False


@lru_cache(maxsize=8)
def written_by(command: str) -> tuple[ShellWrite, ...]:
    """In the order of the line. What is filled in only when it runs stands as `${...}`."""
    if ">" not in command and "tee" not in command:
        return ()
    text = command.replace("\r\n", "\n").lstrip("\ufeff")
    if not readable(text) or _redirects_too_often(text):
        return ()
    scope, collector = ShellScope(""), _Collector()
    simple = plain_command(text, scope)
    if simple is not None:
        collector(simple, Effects(), scope)
    elif (source := prepare(text)) is not None:
        # The grammar takes longer to load than most lines take to understand.

        WritingWalk(source, Effects(), collector).walk(scope)
    return tuple(collector.found)


def _redirects_too_often(text: str) -> bool:
    if len(text) <= MAX_SKELETON or text.count(">") <= _MOST_REDIRECTIONS:
        return False
    return _QUOTED.sub("", text).partition("\n")[0].count(">") > _MOST_REDIRECTIONS


class _Collector:
    """Stands in for what would run each simple command; what it does to names and folders is left to the original."""

    def __init__(self) -> None:
        self.found: list[ShellWrite] = []
        self.passed_on: str | None = None
        """What the program before the pipe printed."""

    def __call__(self, simple: Simple, effects: Effects, scope: ShellScope, *, piped: bool = False) -> None:
        printed = self._printed(simple, self.passed_on if piped else None)
        if printed is not None:
            for word, appends in _targets(simple):
                path = scope.path(word)
                if path is not None and not is_device_path(path):
                    self.found.append(ShellWrite(path, printed, appends))
        self.passed_on = printed
        perform(simple, effects, scope, piped=piped)

    def _printed(self, simple: Simple, piped: str | None) -> str | None:
        """None where nobody can tell."""
        program, *args = _words(simple) or [""]
        handed = next((_body(text) for operator, text in simple.redirects if operator == "<<<"), piped)
        operands = [word for word in args if not word.startswith("-")]
        match program.rpartition("/")[2]:
            case "cat" if not operands:
                return _readable(handed) if handed is not None else None
            case "tee":
                return _readable(handed) if handed is not None else None
            case "echo":
                return _readable(_echoed(args))
            case "printf" if args:
                return _readable(_formatted(args))
        return None


def _words(simple: Simple) -> list[str]:
    return simple.words[1:] if simple.words[:1] == ["sudo"] else simple.words


def _body(text: str) -> str:
    """What a here-document runs stands behind it once more."""
    head, end, tail = text.rpartition("\n")
    return head + end if end and not tail.strip(UNKNOWN) else text


def _targets(simple: Simple) -> list[tuple[str, bool]]:
    targets = [(target, ">>" in operator) for operator, target in simple.redirects if operator in _WRITING]
    program, *args = _words(simple) or [""]
    if program == "tee":
        appends = any(word in {"-a", "--append"} for word in args)
        targets += [(word, appends) for word in args if not word.startswith("-")]
    return targets


def _echoed(args: list[str]) -> str:
    at = 0
    while at < len(args) and args[at] in {"-n", "-e", "-E", "-ne", "-en"}:
        at += 1
    text = " ".join(args[at:])
    return (_unescaped(text) if any("e" in flag for flag in args[:at]) else text) + "\n"


def _formatted(args: list[str]) -> str:
    shape, *values = [arg for arg in args if arg != "--"] or [""]
    if not _FORMAT.search(shape):
        return _unescaped(shape)
    if len(values) > 1 and len(_FORMAT.findall(shape)) == 1:
        return "".join(_filled(shape, [value]) for value in values)
    return _filled(shape, values)


def _filled(shape: str, values: list[str]) -> str:
    given = iter(values)
    return _unescaped(_FORMAT.sub(lambda _mark: next(given, ""), shape))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda mark: _ESCAPES[mark[0]], text)


def _readable(text: str) -> str:
    return text.replace(UNKNOWN, "${...}").replace(HOME, "~")


# Walks a shell text as bash would run it, with redirections given to the command they belong to.


_DEEPEST = 20


class WritingWalk(Walk):
    """The grammar may hang the redirection of `a | cat > b` on the pipe; bash gives it to the last command."""

    def with_redirects(self, redirects: list[SgNode], body: SgNode, scope: ShellScope, *, piped: bool = False) -> None:
        super().with_redirects(redirects, body, scope, piped=piped)
        last = _last_command(body) if body.kind() == "pipeline" else None
        following = self.source.text[body.range().end.index : redirects[-1].range().end.index]
        simple = split(last.text() + following, scope.lookup, self.source.kept) if last is not None else None
        if simple is not None:
            self.perform(simple, self.effects, scope, piped=True)


def _last_command(node: SgNode) -> SgNode | None:
    for _ in range(_DEEPEST):
        if node.kind() == "command":
            return node
        named = [child for child in node.children() if child.is_named()]
        if not named or node.kind() not in {"list", "pipeline"}:
            return None
        node = named[-1]
    return None
