"""Single lines made to cost time: what the expressions of the engine begin with, over and over, and who reads them."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from functools import partial

from leeboard.analysis.feature import planned_words, units_of
from leeboard.analysis.patch import diffs_of, health_of
from leeboard.analysis.segment import pieces_of
from leeboard.model.event import Event, TextEdit, ToolCall
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.touch import Diff
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.secrets.redaction import find_secrets, redact
from leeboard.security.crypto.shell_text import find_weak_shell
from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.convention import rules_in
from leeboard.source.fingerprint import of_text, pack_text
from leeboard.source.name_scan import NAMES, scan_imports, scan_names, scan_style
from leeboard.source.syntax import parse
from leeboard.speech.decision import decisions_of
from leeboard.speech.order import ordered, subject_words
from leeboard.speech.prompt import understand_prompt
from leeboard.speech.red_flags import red_flags
from leeboard.speech.rest import is_done_text, is_pause_text
from leeboard.truth.attached import mentioned
from leeboard.truth.sweep import patterns_in

_SOURCE = " ".join(line for line in inspect.getsource(argparse).splitlines() if "#" not in line)
_BENIGN: dict[str, str] = {
    "code": " ".join(_SOURCE.split()) + " ",
    "minified": "function load(items,limit){return items.slice(0,limit).map((item)=>item.name+item.count)} ",
    "prose": (
        "The parser reads one row after the other and keeps what it needs. I will look at the second column first, "
        "because its values are dates. After that we can decide what to do with the rest of the table. "
    ),
    "shell": "cd build && make -j4 all && cp bin/app ../out/app && echo finished >> ../log.txt; ",
}
"""Lines as a bundler or a careless editor makes them: ordinary code, prose and commands."""
BENIGN = tuple(_BENIGN)

_UNITS: dict[str, str] = {
    "scheme and token": "Bearer aB3",
    "scheme": "Bearer ",
    "scheme, quote": 'basic "',
    "header": "authorization: token ",
    "header, joined": "Authorization=aB3/",
    "password": "password=",
    "password, spaced": "password ",
    "password, quoted": '"password": "',
    "password, escaped": '\\"password\\": \\"',
    "password, call": "password(",
    "password, element": "<password>",
    "password, type": "password: str | None ",
    "password, dotted": "password.token.",
    "password, value": "password=aB3x9Kq2 ",
    "password, default": 'token = os.environ.get("TOKEN", ',
    "secrets of every name": "api_key-secret-token-pwd-",
    "key and value": "key='a1' ",
    "name without value": "token,",
    "long value": "secret=Zk3JqP9vX2mN8rT4wB7yL6dF1hG5sC0a",
    "provider names": "heroku github twilio a1b2c3d4e5f6g7h8 ",
    "assignments": "a=a=a=",
    "assigned numbers": "a1=1,",
    "quotes": "\"'\"'",
    "double quotes": '"',
    "single quotes, words": "'a ",
    "backticks": "`a",
    "round brackets": "((((",
    "closed brackets": "a()",
    "calls": "f(a,",
    "square brackets": "[[",
    "braces": "{{{{",
    "templates": "${a:-",
    "angles": "<a<",
    "generics": "a<b>",
    "dashes": "----",
    "key heading": "-----BEGIN PRIVATE KEY-----",
    "key heading and body": "-----BEGIN RSA PRIVATE KEY----- MIIEpAIBAAKCAQEA7bq3 ",
    "key heading, cut": "-----BEGIN ",
    "key ending": "-----END PRIVATE KEY-----",
    "DER": "MIIEaAIBAD",
    "DER, apart": "MIIEa MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7 ",
    "JWT": "eyJ",
    "JWT, dashes": "eyJ-",
    "JWT, dotted": "eyJhbGciOiJIUzI1NiJ9.",
    "JWT, apart": "eyJhbGciOiJIUzI1NiJ9 ",
    "address with password": "://a:b@",
    "address": "://",
    "address, colons": "://a:",
    "data source": "a:b@tcp(",
    "vendor prefix": "sk-",
    "vendor prefix, underscore": "sk_live_",
    "vendor prefix and body": "sk-aB3dE5fG7hJ9kL1m.",
    "vendor inside": "aB3T3BlbkFJ",
    "vendor AWS": "AKIA",
    "vendor Slack": "xoxb-1234567890-",
    "vendor inside dots": "hvs.SG.s.",
    "vendor hooks": "hooks.slack.com/services/",
    "Azure": "A1+AStA==",
    "telegram": "12345678:AA",
    "options": " -u a: -p b",
    "options, long": "--user=--token=",
    "mysql": "mysql -p",
    "cookie": "cookie: a=",
    "login": "login('a','b',",
    "long identifier": "a",
    "long identifier, mixed": "aB3_",
    "upper case": "A",
    "digits": "1",
    "hex": "0f",
    "spaces": " ",
    "tabs": "\t",
    "spaces and words": "a" + " " * 40,
    "plans": "I'll also add ",
    "plans, scratch": "I'll write from scr ",
    "plans, new": "I will create a new ",
    "plans, nothing found": "there is no so I will ",
    "plans, direct": "user directly raw validat ",
    "plans, weak": "md5 fine sha1 ",
    "plans, sentences": "I should also refactor. ",
    "decisions": "I decided to use a instead of ",
    "decisions, questions": "should we use a or b? ",
    "done": "all tests pass is done ",
    "orders": "do not refactor, rewrite it ",
    "negations": "not not never ",
    "constraints": "don't touch only ",
    "instructions": "use a not ",
    "instructions, preferring": "prefer a for b over ",
    "definitions": "def def def ",
    "definitions, python": "def a class b ",
    "imports": "import a.a.a.",
    "imports, list": "import a, a, ",
    "imports, quoted": "import 'a' from ",
    "imports, bracket": "import (",
    "required": "require('a') ",
    "includes": "#include <a",
    "used": "use a::{",
    "functions": "function a(",
    "public": "public static async ",
    "thrown": "throw new A",
    "raised": "raise A",
    "asynchronous": "async def ",
    "annotations": "@a ",
    "comments": "/*",
    "comments, lines": "// ",
    "hashes": "#",
    "stars": "*",
    "emphasis": "**a",
    "underscores": "__A",
    "bullets": "- - ",
    "bullets, numbers": "1. ",
    "to-dos": "- [ ] ",
    "quoting": "> ",
    "fences": "```",
    "tildes": "~~~",
    "diffs": "+++ b/a",
    "patches": "*** Begin Patch ",
    "tools": "Read(a) Bash(",
    "prompts": "$ a",
    "errors": "Error: ",
    "errors, counted": "1 failed, ",
    "errors, file": "a.py:1:1: ",
    "conditions": "if a and b or c ? ",
    "ands": "and ",
    "pipes": "a|b||",
    "redirections": "a > b ",
    "here-documents": "<<A ",
    "echoes": "echo a > b; ",
    "shell options": "curl -a wget ssh openssl ",
    "shell ciphers": "openssl enc -a ",
    "substitutions": "$(a ",
    "cryptography": "md5(passw) ",
    "cryptography, verify": "verify=False ssl ",
    "cryptography, random": "random.random() ",
    "cryptography, cipher": "AES.new(key, des.",
    "cryptography, compared": "hmac == mac ",
    "routes": "@app.get('/a') ",
    "flags": "add_argument('--a' ",
    "settings": "os.environ['A' ",
    "paths": "a/b/",
    "paths, dotted": "a.b/../",
    "dots": "...",
    "dots, unicode": "\u2026\u00b7\u3002",
    "capital that grows": "\u0130",
    "accents": "e\u0301",
    "emoji": "\U0001f600",
    "NUL": "\0",
    "backslashes": "\\",
    "backslashes, escaped": '\\"',
    "escapes": "\\n\\x41",
    "percent": "%s%d",
    "entities": "&quot;",
    "semicolons": "a;",
    "commas": "a,",
    "colons": "a:",
    "equals": "=",
    "TOML": "a.",
    "TOML, tables": "[[a",
    "TOML, list": "a = [",
    "mixed": "aB3_\"'(=password: eyJ -----BEGIN Bearer ://a:b@ I'll def \\ ",
}
_FIRST = {
    "bearer, one long value": ("Bearer ", "aB3/"),
    "password, one long value": ('password = "', "aB3\\"),
    "address, one long value": ("://", "a:"),
    "JWT, one long value": ("eyJ", "aB3-"),
    "import, one long list": ("from a import (", "a, "),
    "definition, one long name": ("def ", "aB"),
    "vendor by name, one long": ("linkedin discord ", "AQU-MNO."),
    "comment, one long": ("# ", "a = 'b' "),
    "TOML, one long key": ("a", " . a"),
    "TOML, one long header": ("[a", ".a"),
    "TOML, one long text": ('goal = "', "\\"),
    "shell, one long comment": ("curl -k ", " #"),
    "call, one long": ("Bash(", "a b "),
    "fence, one long": ("```", "a "),
}
"""A beginning that stands once, and what follows it over and over."""
FAMILIES = (*_UNITS, *_FIRST)


def benign(kind: str, size: int) -> str:
    unit = _BENIGN[kind]
    return (unit * (size // len(unit) + 1))[:size]


def hostile(family: str, size: int) -> str:
    first, unit = _FIRST[family] if family in _FIRST else ("", _UNITS[family])
    return first + (unit * (size // len(unit) + 1))[: size - len(first)]


Reader = Callable[[str], Callable[[], object]]
"""Makes what has to be made of a text first; what comes back reads it."""


def _plain(read: Callable[[str], object]) -> Reader:
    return lambda text: partial(read, text)


def _edit(text: str) -> Callable[[], object]:
    edits = (TextEdit(text[:-20], text),)
    call = ToolCall(id="1", tool="Edit", action="edit", paths=("a.py",), edits=edits)
    return partial(diffs_of, call, str, lambda _path: text)


def _write(text: str) -> Callable[[], object]:
    call = ToolCall(id="1", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", text),))
    return partial(diffs_of, call, str, lambda _path: text[:-20])


def _command(text: str) -> Callable[[], object]:
    return partial(diffs_of, ToolCall(id="1", tool="Bash", action="bash", command=text), str, lambda _path: None)


def _here_document(text: str) -> Callable[[], object]:
    return _command(f"cat > a.py <<'END'\n{text}\nEND")


def _changed(read: Callable[[Diff], object]) -> Reader:
    def made(text: str) -> Callable[[], object]:
        half = text[: len(text) // 2]
        return partial(read, Diff(path="src/app.py", after=text, before=half, added=((1, 1),), removed=half))

    return made


def _ordered(text: str) -> Callable[[], object]:
    world = World(
        session=Session(id="s", goals=(Goal(text=text, exchange=1),)),
        agent=AgentState(),
        analysis=Analysis(event=Event(session="s")),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )
    return partial(ordered, world, ("refactor", "rewrite", "add", "from scratch"), ("nobody",))


def _weak_crypto(text: str) -> Callable[[], object]:
    tree = parse(text, "python")
    return partial(find_weak_crypto, tree, "src/app.py") if tree is not None else tuple


READERS: dict[str, Reader] = {
    "find_secrets": _plain(find_secrets),
    **{
        f"find_secrets, {path}": _plain(partial(find_secrets, path=path)) for path in ("a.py", "a.yaml", "a.md", "a.sh")
    },
    "redact": _plain(redact),
    "red_flags": _plain(red_flags),
    "pieces_of": _plain(lambda text: tuple(pieces_of(text))),
    **{
        f"{scan.__name__}, {language}": _plain(partial(scan, language=language))
        for language in ("python", *NAMES)
        for scan in (scan_names, scan_imports, scan_style)
    },
    "health_of": _changed(lambda diff: health_of((diff,))),
    "units_of": _changed(units_of),
    "planned_words": _plain(planned_words),
    "mentioned": _plain(lambda text: tuple(mentioned(text))),
    "patterns_in": _plain(patterns_in),
    "decisions_of": _plain(decisions_of),
    "ordered": _ordered,
    "subject_words": _plain(lambda text: subject_words((text,))),
    "is_pause_text": _plain(is_pause_text),
    "is_done_text": _plain(is_done_text),
    "diffs_of, edit": _edit,
    "diffs_of, write": _write,
    "diffs_of, shell": _command,
    "diffs_of, here-document": _here_document,
    "understand_prompt": _plain(understand_prompt),
    "find_weak_crypto": _weak_crypto,
    "find_weak_shell": _plain(partial(find_weak_shell, path="a.sh")),
    "of_text": _plain(partial(of_text, language="python")),
    "pack_text": _plain(partial(pack_text, language="python")),
    "rules_in": _plain(lambda text: rules_in({"AGENTS.md": text})),
}
