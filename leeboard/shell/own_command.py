"""Leeboard's own commands in a shell line, however they are spelled: which of them loosen the guard.

The line is read as a shell reads it, so that wrappers, `bash -c`, `python -m`, functions and variables are seen
through. A word that nobody can tell beforehand counts as what it could be. What an interpreter of another language, an
alias of git or a script of the line's own making is handed is searched for the words of the command, unless it plainly
only prints or compares them.
"""

from __future__ import annotations

import ast
import binascii
import posixpath
import warnings
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.effects import FEEDS
from leeboard.shell.expansion import UNKNOWN

UNTOLD = "..."
"""Ends a command whose words can not all be told."""

_ALWAYS = frozenset({"allow", "init", "pause", "purge", "uninstall", "untrust"})
_PAIRS = frozenset(
    {
        *(("scope", "widen"), ("scope", "narrow"), ("scope", "reset")),
        *(("contract", "end"), ("drift", "accept"), ("flow", "say")),
    },
)
_TRIPLES = frozenset({("flow", "feedback", "close"), ("flow", "feedback", "reject")})
_WITH_OPTION = {
    ("doctor",): frozenset({"--fix"}),
    ("check",): frozenset({"--reviewed", "--trust"}),
    ("scan",): frozenset({"--reviewed", "--trust", "--write-baseline"}),
    ("backtest",): frozenset({"--ask", "--mark"}),
    ("drift", "status"): frozenset({"--trust"}),
    ("flow", "repair"): frozenset({"--apply", "--restore"}),
    ("flow", "baseline-reset"): frozenset({"--accept"}),
    ("flow", "review"): frozenset({"--approve", "--request-changes", "--external", "--withdraw"}),
}
_DECISIONS = (*_PAIRS, *_TRIPLES, *_WITH_OPTION)
_FLAGS = frozenset({"--json", "--full", "--yes", "--quiet", "--no-color", "--help"})
"""Options without a value: what follows any other one may be unknown, and still decides nothing."""
_ITSELF = lazy(r"(?:.*/)?leeboard(?:\.exe)?|leeboard(?:\.[\w.]+)?|(?:.*/)?leeboard/__main__\.py")
_IN_TEXT = lazy(
    r"(?:^|[\s/;&|(`!])leeboard(?:\s+--?[\w-]+(?:=\S+)?)*\s+"
    r"(?:allow|uninstall|untrust|trust(?!\s+show\b)|(?:check|scan|drift)\b[^;&|\n]*\s--(?:trust|reviewed|write-baseline)|backtest\b[^;&|\n]*\s--(?:ask|mark)|init|pause|purge|scope\s+(?:widen|narrow|reset)|contract\s+end|drift\s+accept"
    r"|flow\s+(?:say|repair\b[^;&|\n]*\s--apply|baseline-reset\b[^;&|\n]*\s--accept|review\b[^;&|\n]*\s--(?:approve|request-changes|external|withdraw)"
    r"|feedback\s+(?:close|reject))|doctor\b[^;&|\n]*\s--fix)\b"
)
_HOOK_IN_TEXT = lazy(
    r"(?:^|[\s/;&|(`!])leeboard(?:\s+--?[\w-]+)*\s+hook(?=\s|$|[;&|<>)])|leeboard/surfaces/(?:hook|hook_client)\.py"
    r"|\bleeboard\.(?:surfaces\.(?:hook|hook_client|edge)|app|plan\.disk|store|trust)\b"
)
_HOOK_MODULE = lazy(r"(?:.*/)?leeboard/surfaces/(?:hook|hook_client)\.py|leeboard\.surfaces\.(?:hook|hook_client|edge)")
_UNMARKED = lazy(r"\b(?:CLAUDECODE|CLAUDE_CODE_\w{1,40}|CODEX_\w{1,40}|GEMINI_CLI|OPENCODE|CURSOR_AGENT)\b")
_NAMED_IN_TEXT = lazy(r"(?:^|[^\w.-])leeboard[\s\"',)]{1,9}(?:flow|allow|scope|contract|drift|doctor|hook)\b")
_AS_ARGUMENTS = lazy(r"[\"'`,\[\]()]+")
_ENCODED = lazy(r"[A-Za-z0-9+/]{11,100000}={0,2}")
_DECODERS = frozenset({"base32", "base64", "basenc", "openssl", "uudecode", "xxd"})
_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_SOURCES = frozenset({".", "source"})
_SUBSTITUTED = "/dev/fd/"
"""What `<(...)` stands for in a line."""
_RUN_LATER = frozenset({"at", "batch", "crontab", "ssh", "su"})
"""They run what they read, out of sight of the shell that told them."""


def loosening(line: ShellEffects) -> str:
    """The first command of the line that loosens the guard, in its plain spelling; empty: none does."""
    return next(_found(line), "")


def speaks_as_client(line: ShellEffects) -> bool:
    """Whether the line runs the hooks' own program, or parts of it."""
    for each in line.started:
        if each.role != "known" and _is_hook(each.words):
            return True
    return any(_HOOK_IN_TEXT.search(spelled) for text in _texts(line) for spelled in _spellings(text))


def hides_a_script(line: ShellEffects) -> bool:
    """Whether a shell runs what another program of the line deciphers, and nobody can read it beforehand."""
    if not any(posixpath.basename(each.words[0]) in _DECODERS for each in line.started):
        return False
    return any(map(_runs_unseen, line.started)) and not any(True for _ in _deciphered(line))


def _found(line: ShellEffects) -> Iterator[str]:
    for each in line.started:
        if each.role != "known":
            yield from _in_words(each)
    for text in _texts(line):
        yield from _in_text(text)
    for each in line.started:
        yield from _unmarked(each)


def _in_words(started: Started) -> Iterator[str]:
    """As the program itself, or as what another one is told to start."""
    words = started.words
    for at, word in enumerate(words):
        if _ITSELF.fullmatch(word):
            yield from _loosens(words[at + 1 :])
            if at == 0 or (at == 1 and started.role == "runner"):
                yield from _may_loosen(words[at + 1 :])
    if started.role == "unknown" and words[1:2] == ("flow",):  # by another name: nobody else has this command
        yield from _loosens(words[1:])
        if UNKNOWN in words[0]:
            yield from _may_loosen(words[1:])


def _loosens(arguments: tuple[str, ...]) -> Iterator[str]:
    plain = tuple(word for word in arguments if not word.startswith("-"))
    options = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    if plain[:1] and (plain[0] in _ALWAYS or (plain[0] == "trust" and plain[1:2] != ("show",))):
        yield f"leeboard {plain[0]}"
    for length, commands in ((2, _PAIRS), (3, _TRIPLES)):
        if plain[:length] in commands:
            yield f"leeboard {' '.join(plain[:length])}"
    for command, loosening_options in _WITH_OPTION.items():
        if plain[: len(command)] == command and (named := sorted(options & loosening_options)):
            yield f"leeboard {' '.join(command)} {named[0]}"


def _may_loosen(arguments: tuple[str, ...]) -> Iterator[str]:
    """By a word nobody can tell: as a command, where one that loosens begins so far, or as the option of one."""
    plain: tuple[str, ...] = ()
    before = ""
    for word in arguments:
        is_value = before.startswith("--") and "=" not in before and before not in _FLAGS
        before = word
        name = word.partition("=")[0] if word.startswith("-") else word
        if UNKNOWN not in name:
            plain = plain if word.startswith("-") else (*plain, word)
        elif not is_value:
            if _could_go_on(plain, is_option=word.startswith("-")):
                yield f"leeboard {' '.join((*plain, UNTOLD))}"
                return
            plain = (*plain, UNTOLD)


def _could_go_on(plain: tuple[str, ...], *, is_option: bool) -> bool:
    if any(plain[: len(command)] == command for command in _WITH_OPTION):
        return True
    return not is_option and any(plain == command[: len(plain)] != command for command in _DECISIONS)


def _is_hook(words: tuple[str, ...]) -> bool:
    for at, word in enumerate(words):
        following = next((given for given in words[at + 1 :] if not given.startswith("-")), "")
        if _HOOK_MODULE.fullmatch(word) or (_ITSELF.fullmatch(word) and following == "hook"):
            return True
    return False


def _texts(line: ShellEffects) -> Iterator[str]:
    """What the line hands to something that runs it."""
    for each in line.started:
        if each.role == "runner":
            if not only_speaks(each, line):
                yield " ".join((*each.words[1:], each.handed))
        elif posixpath.basename(each.words[0]) == "git":
            yield from (word.partition("!")[2] for word in each.words[1:] if word.startswith("!") or "=!" in word)
    yield from fed_code(line)


def fed_code(line: ShellEffects) -> Iterator[str]:
    """The text that a shell of the line reads from another program of it, or from a file the line has written."""
    if _runs_what_it_writes(line):
        for each in line.started:
            if each.words[0] in FEEDS:
                yield " ".join((*each.words[1:], each.handed)).replace("\\n", "\n").replace("\\t", "\t")
        yield from _deciphered(line)


def _in_text(text: str) -> Iterator[str]:
    for spelled in _spellings(text):
        if found := _IN_TEXT.search(spelled):
            yield " ".join(found[0].split()).lstrip("/;&|(`! ")


def _spellings(text: str) -> tuple[str, str]:
    """Both as a line of a shell and as a list of arguments in some language."""
    return text, _AS_ARGUMENTS.sub(" ", text)


def _unmarked(started: Started) -> Iterator[str]:
    """A program in another language that starts ours, and takes the agent's mark away for it."""
    if started.role != "runner" or posixpath.basename(started.words[0]) in _SHELLS | {"env"}:
        return
    text = " ".join((*started.words[1:], started.handed))
    if _UNMARKED.search(text) and any(_NAMED_IN_TEXT.search(spelled) for spelled in _spellings(text)):
        yield f"leeboard {UNTOLD}"


def _deciphered(line: ShellEffects) -> Iterator[str]:
    """What stands in the line itself as base64."""
    for each in line.started:
        if each.words[0] in FEEDS:
            for found in _ENCODED.finditer(" ".join((*each.words[1:], each.handed))):
                try:
                    text = binascii.a2b_base64(found[0]).decode("utf-8")
                except ValueError:
                    continue
                if text.isprintable() or "\n" in text:
                    yield text


def _runs_what_it_writes(line: ShellEffects) -> bool:
    """A shell that reads what comes before it, or a file that the line itself has written."""
    written = {posixpath.basename(touch.path) for touch in line.touches if touch.kind == "write"}
    for each in line.started:
        program = posixpath.basename(each.words[0])
        operands = [word for word in each.words[1:] if not word.startswith("-")]
        if _runs_unseen(each) or program in _RUN_LATER:
            return True
        run = operands[:1] if program in _SHELLS | _SOURCES else [each.words[0]]
        if any(posixpath.basename(word) in written for word in run):
            return True
    return False


def _runs_unseen(started: Started) -> bool:
    """A shell that is handed something nobody can tell, or that reads what the program before it writes."""
    program = posixpath.basename(started.words[0])
    operands = [word for word in started.words[1:] if not word.startswith("-")]
    if program == "eval":
        return any(UNKNOWN in word for word in operands)
    if program in _SOURCES:
        is_piped = operands[:1] == ["/dev/stdin"] and not started.handed
        return is_piped or "".join(operands[:1]).startswith((UNKNOWN, _SUBSTITUTED))
    if program not in _SHELLS or UNKNOWN in program:
        return False
    first = "".join(operands[:1])
    is_unseen = first.startswith(_SUBSTITUTED) or ("-c" in started.words and first == UNKNOWN)
    return is_unseen or (not operands and not started.handed)


# Code handed to an interpreter that only prints or compares what it holds: the words in it are not run.
#
# What can not be shown to be so is taken to run them. Nor may anything else in the line make use of what is printed.


_LOOKS = frozenset({"cat", "cd", "echo", "grep", "head", "ls", "pwd", "tail", "test", "true", "wc", "["})
_PYTHON = lazy(r"python[0-9.]{0,5}")
_PRINTS = {"bun": "-e", "node": "-e", "nodejs": "-e", "php": "-r", "ruby": "-e"}
_PRINTED = lazy(
    r"\s*(?:console\.(?:log|info|warn|error)|puts|print|echo)\b\s*\(?\s*"
    r"""(?:'[^'\\`]{0,2000}'|"[^"\\`$#@{]{0,2000}")\s*\)?\s*(?:;|\n|$)\s*"""
)
_PLAIN_OPTIONS = frozenset({"-B", "-E", "-I", "-S", "-s", "-u"})
_MAX_CODE, _MAX_STATEMENTS = 16_384, 50
_MODULES = frozenset({"json", "pathlib", "re", "sys"})
_FUNCTIONS = frozenset(
    "Path all any bool enumerate int len list max min open print range repr set sorted str sum tuple zip".split()
)
_ATTRIBUTES = frozenset(
    "Path count dumps endswith exists exit find findall format index is_file items join keys load loads lower lstrip"
    " match read read_text readlines rstrip search split splitlines startswith stdin strip upper values".split()
)
_SYNTAX = (
    *(ast.Module, ast.Expr, ast.Assert, ast.Assign, ast.If, ast.For, ast.With, ast.withitem, ast.Pass),
    *(ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp),
    *(ast.IfExp, ast.Subscript, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.comprehension, ast.Import, ast.ImportFrom, ast.alias),
    *(ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context),
)


def only_speaks(started: Started, line: ShellEffects) -> bool:
    """Whether an interpreter of another language runs nothing, and nothing in the line runs what it prints."""
    if line.opaque or any(touch.modifies for touch in line.touches):
        return False
    return _is_harmless(started) and all(each.words[0] in _LOOKS or _is_harmless(each) for each in line.started)


def _is_harmless(started: Started) -> bool:
    program, *given = started.words
    code = _code(posixpath.basename(program), given, started.handed)
    if not code or UNKNOWN in code or len(code) > _MAX_CODE:
        return False
    return _prints(code) if posixpath.basename(program) in _PRINTS else _is_plain_python(code)


def _code(program: str, given: list[str], handed: str) -> str:
    """All that it is given; empty where that is not one piece of code."""
    if program in _PRINTS:
        return given[1] if len(given) == 2 and given[0] == _PRINTS[program] and not handed else ""
    while given and given[0] in _PLAIN_OPTIONS:
        given = given[1:]
    if not _PYTHON.fullmatch(program):
        return ""
    if given in ([], ["-"]):
        return handed
    return given[1] if len(given) == 2 and given[0] == "-c" and not handed else ""


def _prints(code: str) -> bool:
    at = 0
    for _ in range(_MAX_STATEMENTS):
        found = _PRINTED.match(code, at)
        if found is None:
            return False
        at = found.end()
        if at == len(code):
            return True
    return False


def _is_plain_python(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = bound | _FUNCTIONS | _MODULES
    return not bound & (_FUNCTIONS | _MODULES) and all(_is_plain(node, known) for node in nodes)


def _is_plain(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Import(names=names):
            return all(each.name in _MODULES and each.asname is None for each in names)
        case ast.ImportFrom(module=module, names=names):
            return module == "pathlib" and all(each.name == "Path" and each.asname is None for each in names)
        case ast.Name(id=name):
            return name in known
        case ast.Attribute(attr=name, ctx=context):
            return name in _ATTRIBUTES and isinstance(context, ast.Load)
        case ast.Call(func=function, args=given, keywords=named):
            return _is_plain_call(function, given, named)
        case _:
            return isinstance(node, _SYNTAX)


def _is_plain_call(function: ast.expr, given: list[ast.expr], named: list[ast.keyword]) -> bool:
    """A function or a method by its own name; a file is opened to be read."""
    if isinstance(function, ast.Name):
        opens = function.id == "open"
        return function.id in _FUNCTIONS and not (
            opens and (len(given) != 1 or any(it.arg != "encoding" for it in named))
        )
    return isinstance(function, ast.Attribute)
