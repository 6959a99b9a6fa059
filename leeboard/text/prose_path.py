"""Paths in a sentence. Prose has slashes and dots too, so a token must show that it is one."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.text.names import BARE_NAMES, EXTENSIONS, MEDIA_KINDS, PROSE_PAIRS, cut_from_sentence, is_path_token

MARK = "\x00"
"""Stands for a path in the text that `scan` gives back."""

_ENDS = r"\s\"'`,;:=<>|()\[\]{}!?#$%^&“”‘’«»„‚（）「」『』【】《》，。；：、！？…\x00"
_CANDIDATE = lazy(
    rf"""`([^`\n\x00]{{1,200}})` | “([^”\n\x00]{{1,200}})” | "([^"\n\x00]{{1,200}})"
    | (?<!\w)'([^'\n\x00]{{1,200}})'(?!\w)
    | «([^»\n\x00]{{1,200}})» | 「([^」\n\x00]{{1,200}})」
    | (?P<url>\b[a-z][a-z0-9+.\-]{{1,20}}://[^\s`"'<>)]+)
    | (?P<plain>(?:\b[A-Za-z]:(?=[\\/]))?
      (?:[^{_ENDS}]++|\([\w.\-]{{1,40}}\)(?=[\\/])|\[{{1,2}}[\w.\-]{{1,40}}\]{{1,2}}(?=[\\/.]))+)""",
    re.VERBOSE | re.IGNORECASE,
)
_TOP_FOLDERS = frozenset(
    "src lib libs app apps packages tests test spec docs doc server client backend frontend cmd internal pkg "
    "scripts components "
    "pages api public config infra terraform k8s crates include examples tools bin web www migrations db models "
    "services "
    "utils helpers core modules assets styles .github .claude .vscode".split()
)
_HOMES = frozenset("src lib libs app apps packages internal pkg cmd crates tests".split())
_ROOTS = frozenset("home Users usr etc var opt tmp mnt srv root workspace workspaces private repo code".split())
_REFS = frozenset("origin upstream refs remotes feature feat fix bugfix hotfix release chore HEAD types babel".split())
_COMMANDS = frozenset(
    "npm npx yarn pnpm bun git cat cd ls rm mv cp python python3 node make cargo go pytest uv pip docker bash sh "
    "grep rg sed vim "
    "code curl run import from export const let return tsc jest vitest ruff mypy deno ruby rails php java mvn "
    "gradle".split()
)
_JOINTS = str.maketrans("-.@", "___")
_CODE_SIGNS = lazy(r"[={};$<>|&]|\(\)|->")
_TELLING = lazy(r"[_\d.\-]|[a-z][A-Z]")


def scan(text: str) -> tuple[list[str], str]:
    """Paths, folders (with a trailing slash) and globs in order, and the text with a MARK in the place of each."""
    found: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        if match["url"] is not None:
            return " "
        if match["plain"] is not None:
            return _plain(match["plain"], match.string.startswith("(", match.end()), found)
        inner = next(group for group in match.groups() if group is not None)
        if path := _quoted(inner.strip()):
            found.append(path)
            return MARK
        inside, rest = scan(inner) if any(sign in inner for sign in "/.\\") else ([], inner)
        found.extend(inside)
        return f" {rest} " if inside else match.group()

    marked = _CANDIDATE.sub(replaced, text.replace(MARK, " "))
    return found, marked


def _plain(token: str, called: bool, found: list[str]) -> str:  # noqa: FBT001 - one caller, right above
    if not ("/" in token or "." in token or "\\" in token or token in BARE_NAMES):
        return token
    cut = cut_from_sentence(token) if not token.isascii() else token
    before, _found, after = token.partition(cut) if cut in token else ("", "", "")
    path = _spelled(cut)
    if not path or not reads_as_path(path, called=called):
        return token
    found.append(path)
    return f"{before}{MARK}{after}"


def _spelled(token: str) -> str:
    """Without the marks of prose around it: emphasis, a mention's `@`, the full stop."""
    token = token.replace("\\", "/").rstrip(".-~")
    bare = token.strip("*_")
    if len(token) - len(bare) in {2, 4} and token[:1] == token[-1:] and "*" not in bare:
        token = bare
    return token[1:] if token.startswith("@") and ("/" in token or "." in token) else token


def reads_as_path(token: str, *, called: bool = False) -> bool:
    """Tell `src/auth` from `and/or`."""
    if "*" in token:
        rest = token.strip("*./")
        return bool(rest) and is_path_token(token.replace("*", "x")) and ("/" in token or token.startswith("*."))
    bare = token.rstrip("/")
    if bare != token and "/" not in bare:
        return len(bare) > 1 and bare.translate(_JOINTS).isidentifier()
    if not is_path_token(bare, called=called) or _is_media(bare):
        return False
    name = bare.rsplit("/", 1)[-1]
    stem, dot, extension = name.rpartition(".")
    if dot and (extension in EXTENSIONS or (extension.lower() in EXTENSIONS and extension.isupper())):
        return "/" in bare or len(extension) > 1 or len(stem) > 1
    return name in BARE_NAMES or ("/" in bare and _is_folder(bare, token != bare))


def _is_media(bare: str) -> bool:
    return bare.count("/") == 1 and "." not in bare and bare.split("/", 1)[0] in MEDIA_KINDS


def _is_folder(bare: str, slashed: bool) -> bool:  # noqa: FBT001 - one caller, right above
    parts = [part for part in bare.split("/") if part]
    if bare.startswith(("./", "../", "~/")):
        return True
    if bare.startswith("/"):
        # An address of a web page or an API looks just the same.
        return len(parts) > 2 and parts[0] in _ROOTS
    if slashed or parts[0] in _HOMES:
        return True
    if len(parts) == 2:
        return parts[0] in _TOP_FOLDERS and parts[1] not in _TOP_FOLDERS
    return any(part in _TOP_FOLDERS or _TELLING.search(part) for part in parts) and parts[0] not in _REFS


def _quoted(inner: str) -> str:
    """A path between quotation marks may hold spaces, and needs less to be believed."""
    if inner.startswith(("-", "$", "http")) or _CODE_SIGNS.search(inner) or inner.split(" ", 1)[0] in _COMMANDS:
        return ""
    path = _spelled(inner)
    if " " in path:
        last = path.rsplit("/", 1)[-1]
        return (
            path
            if last.rpartition(".")[2] in EXTENSIONS and " " not in last.rpartition(".")[2] and _one_path(path)
            else ""
        )
    if reads_as_path(path):
        return path
    believed = (
        "/" in path.strip("/") and not path.startswith("/") and is_path_token(path.rstrip("/")) and not _is_media(path)
    )
    return path if believed and path.split("/", 1)[0] not in _REFS and path.lower() not in PROSE_PAIRS else ""


def _one_path(path: str) -> bool:
    """`src/my notes.md` is one; `see a.py and b.py` is a sentence."""
    words = path.split()
    return (
        len(words) <= 5
        and sum(is_path_token(word.strip(",")) for word in words[:-1]) <= ("/" in words[0])
        and "/" in path
    )
