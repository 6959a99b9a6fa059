"""The globs of a shell line, put in other words: as the files that they could mean, or as any name that they fit.

The line is then read once more. A wrong guess does no harm: what it touches is compared with the files in question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from leeboard.model.pattern import lazy

_MOST_GLOBS, _MOST_READINGS, _MOST_STARS = 40, 8, 3
_LONGEST = 8_192
_GLOB = r"[^\s'\"`;|&()<>=]{0,300}[*?\[][^\s'\"`;|&()<>]{0,300}"
_UNQUOTED = lazy(rf"'[^']*'|\"(?:[^\"\\]|\\.)*\"|(?P<glob>{_GLOB})")
_ANYWHERE = lazy(rf"(?P<glob>{_GLOB})")
_FIRST = lazy(r"[*?\[]")
_PIECE = lazy(r"\*{1,9}|\?|\[[^\]/]{1,80}\]")
_RUNS_TEXT = lazy(r"\b(?:eval|ssh|su|trap|xargs|(?:ba|da|k|z)?sh)\b")


def readings(command: str, files: tuple[str, ...], is_meant: Callable[[str, str], bool]) -> Iterator[str]:
    """The line with each glob replaced; `is_meant` tells of a glob and a path as it is written whether it may be."""
    if not _FIRST.search(command) or len(command) > _LONGEST:
        return
    quotes = _ANYWHERE if _RUNS_TEXT.search(command) else _UNQUOTED
    globs = dict.fromkeys(found["glob"] for found in quotes.finditer(command) if found["glob"])
    if not globs or len(globs) > _MOST_GLOBS:
        return
    spans = tuple(dict.fromkeys(span for file in files for span in _spans(file)))
    meant = {glob: [*_meant(glob, spans, is_meant), _instance(glob)] for glob in globs}
    for at in range(min(_MOST_READINGS, max(map(len, meant.values())))):

        def put(found: re.Match[str], at: int = at) -> str:
            options = meant.get(found["glob"] or "", [found[0]])
            return options[min(at, len(options) - 1)]

        yield quotes.sub(put, command)


def fits(pattern: str, path: str) -> bool:
    """Whether a glob of the shell gives a path: a star stays in its folder, and takes no leading dot."""
    return re.fullmatch(_as_pattern(pattern), path) is not None


def _spans(file: str) -> Iterator[str]:
    """Every run of folders and names in a path, by which a glob in whichever folder could mean it."""
    parts = file.lstrip("~/").split("/")[-5:]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield "/".join(parts[start:end])


def _meant(glob: str, spans: tuple[str, ...], is_meant: Callable[[str, str], bool]) -> list[str]:
    first = _FIRST.search(glob)
    at = glob.rfind("/", 0, first.start() if first else 0) + 1
    before, rest = glob[:at], glob[at:].rstrip("/")
    pattern = re.compile(_as_pattern(rest))
    return [before + span for span in spans if pattern.fullmatch(span) and is_meant(glob, before + span)]


def _as_pattern(glob: str) -> str:
    """Where it has many stars it fits more than the shell's does: trying them all would take forever."""
    return "/".join(".*" if part == "**" else _part(part) for part in glob.split("/")[:20])


def _part(part: str) -> str:
    no_dot = "" if part.startswith((".", "[.")) else r"(?!\.)"
    if part.count("*") > _MOST_STARS:
        return f"{no_dot}[^/]*"
    pieces: list[str] = []
    at = 0
    for piece in _PIECE.finditer(part):
        pieces.append(re.escape(part[at : piece.start()]))
        pieces.append("[^/]*" if piece[0][0] == "*" else "[^/]" if piece[0] == "?" else _one_of(piece[0]))
        at = piece.end()
    return no_dot + "".join((*pieces, re.escape(part[at:])))


def _one_of(bracket: str) -> str:
    is_negated, inside = bracket[1] in "!^", bracket[1:-1].lstrip("!^")
    if not inside or "--" in inside or ":" in inside:
        return "[^/]"
    pattern = f"[{'^' * is_negated}{''.join(letter if letter == '-' else re.escape(letter) for letter in inside)}]"
    try:
        re.compile(pattern)
    except re.error:
        return "[^/]"
    return pattern


def _instance(glob: str) -> str:
    return _PIECE.sub(lambda piece: _letter(piece[0]), glob)


def _letter(piece: str) -> str:
    return piece[1] if piece[0] == "[" and len(piece) > 2 and piece[1] not in "!^[" else "x"
