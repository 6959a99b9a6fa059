"""Programs that start another program for names only they will know: find, fd, xargs."""

from __future__ import annotations

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Follow, Run

_EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FD_EXECUTES = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_FILE_ACTIONS = frozenset({"-fprint", "-fprint0", "-fls", "-fprintf"})


def acts(program: str, args: list[str]) -> bool:
    """Whether a find or fd line does more than list names."""
    if program in {"fd", "fdfind"}:
        return not _FD_EXECUTES.isdisjoint(args)
    return "-delete" in args or not (_EXECUTES | _FILE_ACTIONS).isdisjoint(args)


def find(run: Run, args: list[str]) -> None:
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word == "-delete":
            run.hide()
        elif word in _FILE_ACTIONS:
            run.write(*args[at : at + 1])
        elif word in _EXECUTES:
            end = _end_of_command(args, at)
            run.follow.append(Follow([part.replace("{}", UNKNOWN) for part in args[at:end]]))
            at = end


def _end_of_command(args: list[str], at: int) -> int:
    while at < len(args) and args[at] != ";" and not (args[at] == "+" and args[at - 1] == "{}"):
        at += 1
    return at


def fd(run: Run, args: list[str]) -> None:
    for at, word in enumerate(args):
        if word in _FD_EXECUTES:
            command = [_fd_word(part) for part in args[at + 1 : _end_of_command(args, at + 1)]]
            run.follow.append(Follow([*command, UNKNOWN]))
            return


def _fd_word(word: str) -> str:
    for mark in ("{}", "{/}", "{//}", "{.}", "{/.}"):
        word = word.replace(mark, UNKNOWN)
    return word


def xargs(run: Run, args: list[str]) -> None:
    valued = "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars --replace"
    parsed = parse(args, valued, in_order=True)
    run.read(*parsed.values("-a", "--arg-file"))
    if not parsed.operands:
        return
    marks = [mark for mark in parsed.values("-I", "--replace") if mark]
    words = parsed.operands
    for mark in marks:
        words = [word.replace(mark, UNKNOWN) for word in words]
    run.follow.append(Follow(words if marks else [*words, UNKNOWN]))
