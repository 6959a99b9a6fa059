"""PowerShell lines as the POSIX lines they amount to, so that one reader tells what both do to files.

The common part of the grammar: statements, pipelines, quotes, the call operator, variables, script blocks, cmdlets that
touch files, and their aliases. What is not read stays a program that nobody knows, which may change anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from shlex import quote

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy

_LONGEST, _DEEPEST = 65_536, 8
_CALL = "&"
_TOKEN = lazy(
    r"(?P<verbatim>@'[ \t]*\r?\n.*?\n'@)|(?P<here>@\"[ \t]*\r?\n.*?\n\"@)"
    r"|(?P<comment>(?<![\w$])\#[^\n]*|<\#.*?\#>)|(?P<space>(?:[ \t\r]|`\r?\n)+)|(?P<end>&&|\|\||[;\n|])"
    r"|(?P<redirect>[\d*]?>{1,2}(?:&\d)?)|(?P<single>'(?:[^']|'')*')|(?P<double>\"(?:[^\"`]|`.|\"\")*\")"
    r"|(?P<open>[({])|(?P<close>[)}])|(?P<call>&(?!&))|(?P<comma>,)|(?P<plain>(?:`.|[^\s;|&(){},'\"<>]|>(?!>))+)",
    re.DOTALL,
)
_VARIABLE = lazy(r"\$(?:\{(?:env:)?(\w+)\}|(?:env:)?(\w+))", re.IGNORECASE)
_ASSIGNED = lazy(r"\$(?:env:|script:|global:)?(\w+)", re.IGNORECASE)
_DRIVE = lazy(r"(?<![\w/])([A-Za-z]):[\\/]")
_CMDLET = lazy(r"[A-Za-z]{2,20}-[A-Za-z]{2,40}")
_LOOKS = (
    *("get-", "test-", "measure-", "compare-", "resolve-", "select-", "format-", "where-", "sort-", "group-"),
    *("convertfrom-", "convertto-"),
)
_TEXTS = frozenset({"single", "double", "verbatim", "here"})
_METHOD = lazy(r"\[(?:System\.)?IO\.(?:File|Directory)\]::(\w+)", re.IGNORECASE)
_METHODS_THAT_LOOK = ("read", "exists", "get", "enumerate", "open")
_JOINED = lazy(r"Join-Path ((?:[\w./~-]|\$\{\w+\})+ (?:[\w./-]|\$\{\w+\})+)")
_OPERATOR = lazy(r"-[ci]?(?:replace|split|join|f|match|like|eq|ne)", re.IGNORECASE)
_NO_FILE = lazy(r"(?:env|function|variable|alias|cert):", re.IGNORECASE)
_SHELLS = {"powershell": ("-command", "-c"), "pwsh": ("-command", "-c"), "cmd": ("/c", "/k")}
_REGISTRY = lazy(r"hk\w+:|registry:", re.IGNORECASE)
_WORD = lazy(r"'[^']*'|\"[^\"]*\"|\S+")
_NEXT = lazy(r"\s&\s")
_SWITCH = lazy(r"(?<=\s)/[a-z](?::\S+)?(?=\s|$)", re.IGNORECASE)
_KEYWORDS = frozenset("if else elseif for while do try catch finally switch return function".split())


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    aliases: dict[str, tuple[str, ...]]
    programs: dict[str, str]
    parameters: dict[str, frozenset[str]]
    methods: dict[str, str]


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str


@lru_cache(maxsize=1)
def _words() -> _Words:
    return load("shell/powershell", _Words)


@lru_cache(maxsize=1)
def _cmdlets() -> dict[str, str]:
    """Every name and alias in lower case."""
    table = _words()
    names = {name.lower(): name for name in (*table.programs, *table.aliases)}
    return names | {alias: name for name, aliases in table.aliases.items() for alias in aliases}


def posix_line(text: str, depth: int = 0) -> str:
    """The same line for a POSIX shell. What can not be read becomes a program that nobody knows."""
    tokens = list(_tokens(text)) if len(text) <= _LONGEST and depth < _DEEPEST else []
    if not tokens:
        return f"powershell -Command {quote(text)}" if text.strip() else ""
    return "; ".join(filter(None, _statements(tokens, depth)))


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            yield _Token("plain", text[at])
            at += 1
            continue
        at = found.end()
        if found.lastgroup and found.lastgroup != "comment":
            yield _Token(found.lastgroup, found[0])


def _statements(tokens: list[_Token], depth: int) -> Iterator[str]:
    """Pipelines of a text, and those of its script blocks behind the statement they stand in."""
    pipeline: list[str] = []
    words: list[str] = []
    word = ""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind == "open":
            inside, at = _inside(tokens, at)
            word, block = _bracketed(token.text, inside, words, word, depth)
            if block:
                yield block
        elif token.kind in {"space", "comma"}:
            words, word = ([*words, word], "") if word else (words, "")
        elif token.kind == "end":
            words = [*words, word] if word else words
            pipeline = [*pipeline, _command(words, piped=bool(pipeline), depth=depth)] if words else pipeline
            words, word = [], ""
            if token.text != "|":
                yield _joined(pipeline)
                pipeline = []
        elif token.kind == "redirect":
            words, word = ([*words, word, token.text] if word else [*words, token.text]), ""
        elif token.kind == "call":
            words = [*words, *filter(None, [word]), _CALL]
            word = ""
        else:
            if token.kind in _TEXTS and not words and not word:
                words = ["echo"]  # a text by itself is written out
            word += _spelled(token)
    words = [*words, word] if word else words
    yield _joined([*pipeline, _command(words, piped=bool(pipeline), depth=depth)] if words else pipeline)


def _joined(pipeline: list[str]) -> str:
    return " | ".join(filter(None, pipeline))


def _inside(tokens: list[_Token], start: int) -> tuple[list[_Token], int]:
    """What stands in a bracket, and where it goes on behind it."""
    level = 1
    for at in range(start, len(tokens)):
        level += {"open": 1, "close": -1}.get(tokens[at].kind, 0)
        if not level:
            return tokens[start:at], at + 1
    return tokens[start:], len(tokens)


def _bracketed(opener: str, inside: list[_Token], words: list[str], word: str, depth: int) -> tuple[str, str]:
    """The word as it goes on, and what the bracket runs by itself."""
    if depth >= _DEEPEST:
        return word + "$(powershell)", ""
    told = "; ".join(filter(None, _statements(inside, depth + 1)))
    if opener == "(":
        if method := _METHOD.fullmatch(word):
            return "", _by_method(method[1], told)
        if joined := _JOINED.fullmatch(told.replace('"', "")):
            return word + "/".join(joined[1].split()), ""
        return f"{word.removesuffix('$')}$({told})", ""
    first = _cmdlets().get(words[0].lower(), "") if words else ""
    is_loop = any(part.startswith("$(") for part in (*words, word))
    if first == "ForEach-Object" and not is_loop:
        return word + f"xargs:{told}", ""
    return word, told if first != "Where-Object" else ""


def _by_method(method: str, given: str) -> str:
    """`[IO.File]::Delete("a.py")`; what it is given came as words that are written out."""
    told = {name.lower(): program for name, program in _words().methods.items()}.get(method.lower(), "")
    paths = _WORD.findall(given.removeprefix("echo "))
    if not told or not paths:
        return f"powershell -Command {quote(method)}" if not method.lower().startswith(_METHODS_THAT_LOOK) else ""
    if told in {"write", "append"}:
        return f"echo {' '.join(paths[1:2]) or 'x'} {'>' if told == 'write' else '>>'} {paths[0]}"
    return f"{told} {' '.join(paths[: 2 if told in {'cp', 'mv'} else 1])}"


def _spelled(token: _Token) -> str:
    if token.kind in {"verbatim", "here"}:  # a text of many lines, and no name of a file
        return quote(token.text.partition("\n")[2][:-2].removesuffix("\n").removesuffix("\r"))
    if token.kind == "single":
        return quote(_path(token.text[1:-1].replace("''", "'")))
    inner = token.text[1:-1].replace('""', '"') if token.kind == "double" else token.text
    plain = _path(re.sub(r"`(.)", r"\1", inner, flags=re.DOTALL))
    named = _VARIABLE.sub(lambda found: "${" + _name(found[1] or found[2]) + "}", plain)
    if token.kind == "double":
        escaped = re.sub(r'(["`])', r"\\\1", named)
        return f'"{escaped}"'
    return named


def _name(variable: str) -> str:
    return {"userprofile": "HOME", "home": "HOME", "pwd": "PWD"}.get(variable.lower(), variable)


def _path(text: str) -> str:
    """With the slashes of the other systems, and drives as folders."""
    drives = _DRIVE.sub(lambda found: f"/{found[1].lower()}/", text)
    return drives.replace("\\", "/")


def _command(words: list[str], *, piped: bool, depth: int) -> str:
    words = [word for word in words if word.lower() not in _KEYWORDS]
    while words and (words[0].startswith("$(") or words[0] in {"=", "in"}):
        words = words[1:]
    words = words[1:] if words[:1] == [_CALL] else words
    if not words:
        return ""
    if _OPERATOR.fullmatch(words[0]):  # what it is worked on stood in brackets
        words = ["Write-Output", *words[1:]]
    assigned = _ASSIGNED.fullmatch(words[0].replace("{", "").replace("}", ""))
    if assigned and words[1:2] == ["="]:
        value = words[2] if len(words) == 3 else f"$({_command(words[2:], piped=False, depth=depth)})"
        return f"{_name(assigned[1])}={value}"
    cmdlet = _cmdlets().get(words[0].lower().removesuffix(".exe"), "")
    if cmdlet == "Invoke-Expression":
        return posix_line(_unquoted(words[-1]), depth + 1)
    if inner := _handed_to_shell(words):
        return posix_line(inner, depth + 1)
    return _by_cmdlet(cmdlet, words, piped=piped)


def _handed_to_shell(words: list[str]) -> str:
    """The line of `powershell -Command LINE` and `cmd /c LINE`; empty for all that starts no shell with one."""
    name = words[0].lower().removesuffix(".exe")
    at = next((at for at, word in enumerate(words) if word.lower() in _SHELLS.get(name, ())), 0)
    line = " ".join(_unquoted(word) for word in words[at + 1 :]) if at else ""
    return _NEXT.sub(" ; ", _SWITCH.sub("", line)) if name == "cmd" else line


def _by_cmdlet(cmdlet: str, words: list[str], *, piped: bool) -> str:
    words = _redirected(words)
    if any(_REGISTRY.match(_unquoted(word)) for word in words[1:]):
        return " ".join(words)
    if cmdlet in _SPECIAL:
        return _SPECIAL[cmdlet](words[1:], piped)
    if cmdlet in _words().programs:
        return _as_program(cmdlet, words[1:], piped=piped)
    if _CMDLET.fullmatch(words[0]) and words[0].lower().startswith(_LOOKS):
        return " ".join(("cat" if piped else "true", *_given(words[1:]).redirects))
    return " ".join(words)


def _redirected(words: list[str]) -> list[str]:
    """Everything into a file, and nowhere, as a POSIX shell says it."""
    told = ["&>" + word[2:] if word.startswith("*>") else word for word in words]
    return [
        "/dev/null" if word.lower() == "${null}" and ">" in before else word for before, word in pairwise(["", *told])
    ]


def _unquoted(word: str) -> str:
    return word[1:-1].replace("'\"'\"'", "'") if word[:1] in {"'", '"'} and word[-1:] == word[:1] else word


class _Given(msgspec.Struct):
    operands: list[str] = []
    switches: set[str] = set()
    values: dict[str, str] = {}
    redirects: list[str] = []


def _given(words: list[str]) -> _Given:
    """Parameters may be cut short, and take their value behind a colon."""
    table, given = _words().parameters, _Given()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, colon, value = word.partition(":") if word.startswith("-") else (word, "", "")
        lowered = name.lower()
        if not word.startswith("-"):
            (given.redirects if given.redirects or re.match(r"[\d*&]?>", word) else given.operands).append(word)
        elif lowered in table["paths"]:
            given.operands.append(value if colon else (words[at] if at < len(words) else ""))
            at += 0 if colon else 1
        elif lowered in table["dropped"]:
            given.values[lowered] = value if colon else (words[at] if at < len(words) else "")
            at += 0 if colon else 1
        else:
            given.switches.add(lowered)
    return given


def _as_program(cmdlet: str, words: list[str], *, piped: bool) -> str:
    given = _given(words)
    program = _words().programs[cmdlet]
    operands = [word for word in given.operands if word and not _NO_FILE.match(_unquoted(word))]
    if given.operands and not operands:
        return "true"
    if {"-whatif", "-wh"} & given.switches:
        return "true"
    if program in {"write", "append"}:
        target = operands[:1] or [""]
        text = given.values.get("-value") or given.values.get("-inputobject") or " ".join(operands[1:2]) or "x"
        append = program == "append" or "-append" in given.switches or "-noclobber" in given.switches
        return f"{'cat' if piped else f'echo {text}'} {'>>' if append else '>'} {target[0]}" if target[0] else "cat"
    if cmdlet == "New-Item" and given.values.get("-itemtype", given.values.get("-type", "")).lower().startswith("dir"):
        program = "mkdir -p"
    if cmdlet == "Get-ChildItem" and ("-recurse" in given.switches or "-r" in given.switches):
        name = given.values.get("-filter", given.values.get("-include", ""))
        return " ".join(filter(None, ("find", *operands, f"-name {quote(_unquoted(name))}" if name else "")))
    if cmdlet == "Remove-Item" and piped and not operands:
        return f"xargs {program}"
    if cmdlet == "Rename-Item" and len(operands) == 2 and "/" not in operands[1] and "/" in operands[0]:
        folder = operands[0].rpartition("/")[0]
        operands[1] = f"{folder}{folder[0]}/{operands[1]}" if folder[:1] in {"'", '"'} else f"{folder}/{operands[1]}"
    if cmdlet == "Tee-Object" and "-append" in given.switches:
        program = "tee -a"
    return " ".join((program, *operands, *given.redirects))


def _request(words: list[str], _piped: bool) -> str:  # noqa: FBT001 - one of a table of readers
    given = _given(words)
    address = given.values.get("-uri", "") or next(iter(given.operands), "")
    parts = ["curl", address]
    for option, name in (("-d", "-body"), ("-o", "-outfile"), ("-T", "-infile"), ("-H", "-headers"), ("-X", "-method")):
        if given.values.get(name):
            parts += [option, given.values[name]]
    return " ".join(parts)


def _started(words: list[str], _piped: bool) -> str:  # noqa: FBT001 - as above
    given = _given(words)
    return " ".join((*given.operands, *filter(None, [_unquoted(given.values.get("-argumentlist", ""))])))


def _each(words: list[str], _piped: bool) -> str:  # noqa: FBT001 - as above
    """`| ForEach-Object { Remove-Item $_ }`: what stands for each is the last word of a program that gets a list."""
    block = next((word.removeprefix("xargs:") for word in words if word.startswith("xargs:")), "")
    plain = re.sub(r"\"?\$\{?_\}?(?:\.\w+)?\"?|\"?\$\{PSItem\}(?:\.\w+)?\"?", "", block).strip()
    return f"xargs {plain}" if plain and ";" not in plain else plain or "cat"


_SPECIAL: dict[str, Callable[[list[str], bool], str]] = {
    "ForEach-Object": _each,
    "Invoke-RestMethod": _request,
    "Invoke-WebRequest": _request,
    "Start-Process": _started,
    "Where-Object": lambda _words, _piped: "cat",
}
