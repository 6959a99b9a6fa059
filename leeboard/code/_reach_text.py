"""Files that code in another language changes, as far as its text says so: `node -e`, `perl -e`, `awk`, `sed`'s `w`.

Only a call that changes files with the very path behind it counts, or with a name that was given that path: code that
reads a file and writes another one is ordinary work. What such code hands to a shell is read as a line of its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from leeboard.code.reach_disk import Standing
from leeboard.model.pattern import lazy
from leeboard.model.touch import Started, Touch

_LONGEST = 65_536
_SPEAKING = frozenset(
    "awk bun deno gawk lua mawk nawk node nodejs perl php python python3 ruby sed gsed emacs Rscript osascript".split()
)
_ACT = (
    r"(?:unlink|remove|delete|rename|replace|rmtree|rmdir|rm|rm_r|rm_rf|rm_f|move|write|append|truncate|copyFile|cp|mv"
    r"|symlink|createWriteStream|chmod|save)\w{0,12}\s{0,3}\(?\s{0,3}"
)
_OPENED = r"open\w{0,4}\b[^;\n]{0,40}?>>?\s{0,3}(?:[\"']\s{0,3},\s{0,3})?"
_SED_FILE = r"\bw\s{1,3}"
_ASSIGNED = r"\b([A-Za-z_]\w{0,40})\s{0,3}=\s{0,3}"
_STARTS = lazy(
    r"(?:system|exec|execSync|execFileSync|spawnSync|popen|qx|shell_exec|passthru)\s{0,3}\(?\s{0,3}"
    r"(?P<quote>[\"'`])(?P<line>[^\"'`]{1,400})(?P=quote)"
)
_DELETES_LISTED = lazy(r"\b(?:unlink|remove|rmtree|rename|write_text|write_bytes)\w{0,6}\s{0,3}\(")
_LISTS = lazy(r"\b(?:glob|listdir|scandir|iterdir|rglob|walk)\b")


def spoken_code(started: Started) -> str:
    """The code of another language that a program is given; empty where there is none."""
    if started.role != "runner" and posixpath.basename(started.words[0]) not in _SPEAKING:
        return ""
    if posixpath.basename(started.words[0]) not in _SPEAKING:
        return ""
    return "\n".join((*started.words[1:], started.handed))[:_LONGEST]


def lines_in(code: str) -> Iterator[str]:
    """What it hands to a shell."""
    yield from (found["line"] for found in _STARTS.finditer(code))


def changed_in(code: str, standing: Standing) -> Iterator[Touch]:
    for file in standing.files:
        if any(_changes(code, spelled) for spelled in _spellings(file, standing)):
            yield Touch(file, "write")


def _spellings(file: str, standing: Standing) -> tuple[str, ...]:
    inner = standing.inner(file)
    return tuple(name for name in (inner, posixpath.dirname(inner)) if name) if inner else (file,)


def _changes(code: str, path: str) -> bool:
    if path not in code:
        return False
    ahead = r"[\"'`]{0,1}(?:\./)?" + re.escape(path) + r"/?(?=[\"'`\s;),\]}]|$)"
    if re.search(rf"(?:{_ACT}|{_OPENED}|{_SED_FILE}){ahead}", code):
        return True
    names = set(re.findall(_ASSIGNED + ahead, code))
    if any(re.search(rf"{_ACT}{re.escape(name)}\b", code) for name in names):
        return True
    quoted = re.search(rf"[\"']{re.escape(path)}[/\"']", code)
    return bool(quoted and _LISTS.search(code) and _DELETES_LISTED.search(code))
