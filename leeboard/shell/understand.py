"""Understands a shell line without running it: which files it reads and changes, and what it starts.

What can be named beforehand is named; where files may change that nobody can name, the line is `opaque`. A wrong
name is worse than an opaque line, so whatever is not certain (an unset variable, a glob, an unknown program) is opaque.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import is_whole, one_spelling, system_of
from leeboard.shell.command import Simple, split
from leeboard.shell.expansion import as_source
from leeboard.shell.printed import printed
from leeboard.shell.programs.table import name_of, role_in, start
from leeboard.shell.programs.wrappers import GIVEN
from leeboard.shell.scope import Effects, Follow, Run, ShellScope
from leeboard.shell.source import MAX_PIECES, MAX_SKELETON, MAX_TEXT, Piece, ShellSource, cleaned, readable, shortened


def understand(command: str, cwd: str = "") -> ShellEffects:
    """Never raises, whatever the text. `cwd` is absolute, or "" where nobody knows.

    Paths are absolute wherever the line or `cwd` allows, else relative to where the line starts; what lies below
    the home directory is spelled `~/...`. A folder that is removed, moved or copied stands for all below it.
    A `cd` is taken to succeed, and the target of a `cp` or `mv` to be a file unless the line shows it is a folder.
    """
    effects = Effects()
    folder = one_spelling(cwd, system_of(cwd)) if is_whole(cwd) else ""
    scope = ShellScope(folder)
    text = command.replace("\r\n", "\n").lstrip("\ufeff")
    if not readable(text) and len(text) <= MAX_TEXT:
        effects.opaque = True
        text = cleaned(text)
    follow_text(text, effects, scope)
    for code in tuple(effects.deferred):
        follow_text(as_source(code), effects, scope)
    if effects.unread:
        _search_rest(text, effects, ShellScope(folder))
    return effects.finished()


def _search_rest(text: str, effects: Effects, scope: ShellScope) -> None:
    """Padding hides nothing: of a line that is too long, those statements are read that tell of what must not pass."""
    telling = telling_words()
    if telling.search(text):
        effects.begin_again(telling)
        follow_text(cleaned(text), effects, scope)


# Runs simple commands in the mind: redirections, variables, and whatever a program starts in its turn.


_RESERVED = frozenset(
    "! [[ { } case coproc do done elif else esac fi for function if in select then time until while".split()
)
_SUBSTITUTES = ("$(", "`", "<(", ">(")
_MAX_FIRST_LINE = 1_024


class _LosingPrograms(msgspec.Struct, frozen=True):
    """What of the table counts here."""

    programs: frozenset[str]
    removers: frozenset[str]


@lru_cache(maxsize=1)
def telling_words() -> re.Pattern[str]:
    """Fits what takes work away, can not be taken back or touches the guard, and what moves to another folder first."""
    from leeboard.shell.irreversible import programs_known  # noqa: PLC0415 - few lines are so long

    words = load("shell/losses", _LosingPrograms)
    of_git = sorted(name.removeprefix("git ") for name in words.programs if name.startswith("git "))
    programs = sorted({*words.removers, *programs_known(), "rmdir", "truncate", "eval", "find", "xargs", "cd", "pushd"})
    named = "|".join(map(re.escape, programs))
    return re.compile(
        rf"(?i:leeboard|\.claude)|(?<![\w.-])(?:{named})(?![\w-])|\bgit\b|\b(?:{'|'.join(of_git)})\b[^\n;]{{0,80}}--"
    )


def follow_text(text: str, effects: Effects, scope: ShellScope) -> None:
    """Add what a shell text does to `effects`; `scope` moves along with it."""
    if effects.telling is not None:
        _follow_telling(text, effects.telling, effects, scope)
    elif not readable(text) or not effects.follow(len(text)):
        effects.miss()
        _name_first_program(text, effects)
    elif effects.enter():
        simple = plain_command(text, scope)
        if simple is not None:
            perform(simple, effects, scope)
        else:
            _follow_tree(text, effects, scope)
        effects.leave()


def _follow_telling(text: str, telling: re.Pattern[str], effects: Effects, scope: ShellScope) -> None:
    from leeboard.shell.source import telling_pieces  # noqa: PLC0415 - few lines are so long

    if not telling.search(text) or not effects.enter():
        return
    source = shortened(text) if effects.search(len(text)) else None
    if source is None:
        effects.miss()
    else:
        for piece in telling_pieces(source, telling, MAX_SKELETON):
            _follow_piece(piece, source, effects, scope)
    effects.leave()


def plain_command(text: str, scope: ShellScope) -> Simple | None:
    """The one simple command a text is, None where the grammar is needed."""
    if any(mark in text for mark in _SUBSTITUTES):
        return None
    simple = split(text, scope.lookup, [])
    return None if simple is None or (simple.words and simple.words[0] in _RESERVED) else simple


def _follow_tree(text: str, effects: Effects, scope: ShellScope) -> None:
    # The grammar takes longer to load than most lines take to understand.
    from leeboard.shell.tree import Walk  # noqa: PLC0415 - see above

    source = shortened(text)
    if source is None:
        effects.opaque = True
        _name_first_program(text, effects)
    elif len(source.text) <= MAX_SKELETON:
        Walk(source, effects, perform).walk(scope)
    else:
        _follow_pieces(source, effects, scope)


def _follow_pieces(source: ShellSource, effects: Effects, scope: ShellScope) -> None:
    """A text that is too long for the grammar, statement by statement; what is left out is said."""
    from leeboard.shell.source import pieces_of  # noqa: PLC0415 - few lines are so long

    if len(source.text) > MAX_PIECES:
        effects.miss()
    for piece in pieces_of(source.text[:MAX_PIECES], MAX_SKELETON):
        _follow_piece(piece, source, effects, scope)


def _follow_piece(piece: Piece, source: ShellSource, effects: Effects, scope: ShellScope) -> None:
    from leeboard.shell.tree import Walk  # noqa: PLC0415 - see above

    effects.opaque = effects.opaque or not piece.whole
    needs_grammar = any(mark in piece.text for mark in _SUBSTITUTES)
    simple = None if needs_grammar else split(piece.text, scope.lookup, source.kept)
    if simple is not None and not (simple.words and simple.words[0] in _RESERVED):
        perform(simple, effects, scope)
    elif len(piece.text) <= MAX_SKELETON:
        Walk(ShellSource(piece.text, source.kept), effects, perform).walk(scope)
    else:
        effects.miss()


def _name_first_program(text: str, effects: Effects) -> None:
    first = text.lstrip().partition("\n")[0][:_MAX_FIRST_LINE]
    words = [word for word in first.split() if word.isascii() and word.isprintable()]
    if words and words == first.split()[: len(words)]:
        effects.note_program(name_of(words))


def perform(simple: Simple, effects: Effects, scope: ShellScope, *, piped: bool = False) -> None:
    """One simple command: its words are expanded already."""
    if not effects.count_command():
        return
    run = Run(effects, scope, effects.passed if piped else None, piped, variables=dict(simple.assignments))
    effects.printed = None
    run.redirect(simple.redirects)
    if simple.words:
        _launch(run, simple.words)
        effects.printed = printed(simple.words, run.stdin)
    for name, value in simple.assignments:
        if not simple.words or name.endswith("[@]"):
            scope.assign(name, value)
            effects.keeping.add(effects.statement)


def _launch(run: Run, words: list[str]) -> None:
    if not words[0] or not run.effects.enter():
        run.hide()
        return
    folder, handed = run.scope.directory, run.stdin or ""
    started = Started(
        words=tuple(words),
        folder=folder,
        handed=handed,
        fed=run.fed,
        role=role_in(words),
        statement=run.effects.statement,
    )
    run.effects.started.append(started)
    function = run.scope.functions.get(words[0])
    if function is not None:
        _call(function, run.scope, words[1:])
    else:
        start(run, words)
    run.effects.inside += 1
    for follow in run.follow:
        _go_on(run, follow)
    run.effects.inside -= 1
    run.effects.leave()


def _call(function: Callable[[ShellScope], None], scope: ShellScope, given: list[str]) -> None:
    """A function works in the shell that calls it, and has words of its own."""
    before = {name: value for name, value in scope.variables.items() if name in GIVEN}
    scope.variables.update({name: value for name, value in scope.handed(given, 1).variables.items() if name in GIVEN})
    function(scope)
    for name in GIVEN:
        scope.variables.pop(name, None)
    scope.variables.update(before)


def _go_on(run: Run, follow: Follow) -> None:
    if follow.code is not None:
        scope = run.scope if follow.same_shell else run.scope.handed(follow.given, 0)
        follow_text(follow.code, run.effects, scope)
    elif follow.words and run.effects.count_command():
        there = run.at(follow.folder) if follow.folder else run
        _launch(Run(there.effects, there.scope, there.stdin, there.piped, fed=there.fed), follow.words)
