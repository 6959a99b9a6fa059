"""The texts a shell line writes into files: here-documents of `cat` and `tee`, the words of `echo` and `printf`."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from ast_grep_py import SgNode

from leeboard.model.text import lazy
from leeboard.shell.command import Simple, split
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.printed import printed
from leeboard.shell.scope import Effects, ShellScope, is_device_path
from leeboard.shell.source import MAX_SKELETON, prepare, readable
from leeboard.shell.tree import Walk
from leeboard.shell.understand import perform, plain_command

_WRITING = frozenset({">", ">>", ">|", "&>", "&>>"})
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
        handed = next((text for operator, text in simple.redirects if operator == "<<<"), piped)
        text = printed(_words(simple), handed)
        return None if text is None else _readable(text)


def _words(simple: Simple) -> list[str]:
    return simple.words[1:] if simple.words[:1] == ["sudo"] else simple.words


def _targets(simple: Simple) -> list[tuple[str, bool]]:
    targets = [(target, ">>" in operator) for operator, target in simple.redirects if operator in _WRITING]
    program, *args = _words(simple) or [""]
    if program == "tee":
        appends = any(word in {"-a", "--append"} for word in args)
        targets += [(word, appends) for word in args if not word.startswith("-")]
    return targets


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
        named = node.named_children()
        if not named or node.kind() not in {"list", "pipeline"}:
            return None
        node = named[-1]
    return None
