"""Secrets that a line sends to another machine: files by their names, variables that only open something else."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy, matches
from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.options import PROGRAMS, parse
from leeboard.shell.reach.files import spoken_code

_ADDRESS = lazy(r"(?i)\bhttps?://[^\s\"']{1,300}")
_QUOTED = lazy(r"[\"'`]([^\"'`\n]{1,200})[\"'`]")
_DUMPS = frozenset({"env", "printenv", "export", "set"})
_QUOTES = str.maketrans("", "", "'\"\\")
_WORDS = lazy(r"[\w.+-]{1,60}")
_ITEMS_FOLLOW = frozenset({"http", "https", "xh"})
"""The method in capitals and the address come first, and then what is sent."""
_AT = lazy(r"@|=<")
_SOCKET = lazy(r">\s{0,9}/dev/(?:tcp|udp)/")
_SUBSTITUTED = lazy(r"\$\(\s{0,9}<\s{0,9}([^\s()]{1,200})\s{0,9}\)")
_PIPELINES = lazy(r"&&|\|\||;|\n")
_BRACKETS = (("(", ")"), ("{", "}"), ("do ", "done"))
_INSIDE = lazy(r"\$\([^()]{0,400}(?:\([^()]{0,200}\)[^()]{0,200})?\)|`[^`]{0,400}`|<\([^()]{0,400}\)")
"""What a shell puts in place of itself."""
_READS_INPUT = frozenset({"-", "@-", "@/dev/stdin", "/dev/stdin"})
_VALUED = (
    "-i -P -F -l -o -c -S -J -e --rsh --exclude --include --profile --region --endpoint-url --project --account -R"
    " --repo -d --desc -t --title -b --body -n --notes"
)
_REMOTE = lazy(r"(?:[\w.-]{1,100}@)?[\w.-]{1,100}:(?!\\).{0,300}|(?:s3|gs|gcs|az|r2)://.{1,300}|rsync://.*")


class _Sender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    data: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    text: tuple[str, ...] = ()


class _Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: str
    options: str = ""
    to_address: bool = False


class _Secrets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: tuple[str, ...]
    variables: str
    here: str
    pipes: frozenset[str]
    listening: dict[str, str]
    names_only: frozenset[str]
    uploads: tuple[_Upload, ...]
    copies: frozenset[str]
    sends_in_code: str
    senders: dict[str, _Sender]


@lru_cache(maxsize=1)
def _table() -> _Secrets:
    return load("secrets/secret_files", _Secrets)


def sent_secrets(line: ShellEffects, command: str) -> Iterator[tuple[str, str]]:
    """The file or variable, and the program that would send it."""
    read = (*_read_in_pipe(line), *_read_by_the_shell(command))
    dumps = any(map(_is_dump, line.started))
    for each in line.started:
        program = posixpath.basename(each.words[0])
        feeding = _feeding(program, command)
        piped = feeding is not None
        near = feeding if feeding is not None else " ".join(_INSIDE.findall(command[:20_000]))
        passed = tuple(path for path in read if posixpath.basename(path.rstrip("/*?")) in near)
        for path in _files_sent(program, each, passed, piped=piped):
            yield path, program
        if dumps and ((piped and _takes_input(program, each)) or (not piped and _is_sent_along(program, each))):
            yield "the environment", program
        for path in _in_code(each):
            yield path, program
    if _SOCKET.search(command):
        yield from ((path, "the shell") for path in read[:1])
    yield from _variables(command, line)


def is_secret_file(word: str) -> bool:
    plain = word.replace(HOME, "").removeprefix("~").removeprefix("./").strip("/").rstrip("*?")
    return UNKNOWN not in word and bool(plain) and matches(plain, _table().files)


def _read_in_pipe(line: ShellEffects) -> Iterator[str]:
    """Secret files that some program of the line may read out."""
    for each in line.started:
        if posixpath.basename(each.words[0]) in _table().names_only:
            continue
        named = (word.rpartition("=")[2] for word in each.words[1:])
        quoted = (found[1] for found in _QUOTED.finditer(spoken_code(each)))
        yield from filter(is_secret_file, (*named, each.fed, *quoted))


def _read_by_the_shell(command: str) -> Iterator[str]:
    """The secret files that the shell itself reads in, as in `$(<.env)`."""
    yield from (found[1] for found in _SUBSTITUTED.finditer(command[:20_000]) if is_secret_file(found[1]))


def _is_dump(each: Started) -> bool:
    if each.words[0] not in _DUMPS:
        return False
    return len(each.words) == 1 or any(re.fullmatch(_table().variables, word) for word in each.words[1:])


def _is_sent_along(program: str, each: Started) -> bool:
    """What a substitution prints is among what it sends."""
    sender = _table().senders.get(program)
    return sender is not None and not _is_here(each) and any(UNKNOWN in value for value in _given(each, sender.text))


def _takes_input(program: str, each: Started) -> bool:
    if program in _table().pipes:
        return not set(_table().listening.get(program, "").split()).intersection(each.words)
    sender = _table().senders.get(program)
    if sender is None or _is_here(each):
        return False
    given = _given(each, (*sender.data, *sender.files))
    return program in _ITEMS_FOLLOW or any(value.rpartition("=")[2] in _READS_INPUT for value in given)


def _is_here(each: Started) -> bool:
    """All that it calls is this machine."""
    program = posixpath.basename(each.words[0])
    called = parse(list(each.words[1:]), PROGRAMS.valued.get(program, "")).operands
    if program in _ITEMS_FOLLOW:
        called = [word for word in called if not word.isupper()][:1]
    return bool(called) and all(re.search(rf"^(?:https?://)?{_table().here}", word) for word in called)


def _given(each: Started, options: tuple[str, ...]) -> list[str]:
    known = PROGRAMS.valued.get(posixpath.basename(each.words[0]), "")
    parsed = parse(list(each.words[1:]), f"{known} {' '.join(options)}")
    return parsed.values(*options)


def _files_sent(program: str, each: Started, read: tuple[str, ...], *, piped: bool) -> Iterator[str]:
    sender = _table().senders.get(program)
    if sender is not None and not _is_here(each):
        named = [_AT.split(value)[-1].partition(";")[0] for value in _given(each, sender.data) if _AT.search(value)]
        named += _given(each, sender.files)
        if program in _ITEMS_FOLLOW:
            named += [word.rpartition("@")[2] for word in each.words[2:] if "@" in word]
        yield from filter(is_secret_file, named)
        substituted = any(UNKNOWN in value for value in (*_given(each, sender.text), *each.words[1:]))
        if read and ((piped and _takes_input(program, each)) or (substituted and not piped)):
            yield from read[:1]
        if each.fed and is_secret_file(each.fed) and _takes_input(program, each):
            yield each.fed
    elif program in _table().pipes and _takes_input(program, each):
        yield from ([each.fed] if each.fed and is_secret_file(each.fed) else read[:1] if piped else [])
    elif program in _table().copies:
        yield from _copied(parse(list(each.words[1:]), _VALUED).operands)
    else:
        yield from _uploaded(program, each, read, piped=piped)


def _uploaded(program: str, each: Started, read: tuple[str, ...], *, piped: bool) -> Iterator[str]:
    """By a subcommand: operands, or what its options name; `-` among them stands for what comes through a pipe."""
    for upload in _table().uploads:
        wanted, *words = upload.line.split()
        if program != wanted:
            continue
        parsed = parse(list(each.words[1:]), f"{_VALUED} {upload.options}")
        if parsed.operands[: len(words)] != words:
            continue
        operands = parsed.operands[len(words) :]
        values = parsed.values(*upload.options.split()) if upload.options else operands
        named = [value.rpartition("@")[2] for value in values]
        yield from _copied(operands) if upload.to_address else filter(is_secret_file, named)
        takes_input = "-" in (*named, *operands) or not (operands or upload.options)
        given = (each.fed,) if is_secret_file(each.fed) else read if piped else ()
        yield from given[:1] if takes_input else read[:1] if UNKNOWN in "".join(each.words) and not piped else ()
    if program == "aws":  # it reads whatever value is named so
        yield from filter(is_secret_file, (word.split("://", 1)[1] for word in each.words if word.startswith("file")))


def _copied(operands: list[str]) -> Iterator[str]:
    """From here to there: the last word is an address."""
    if operands and _REMOTE.fullmatch(operands[-1].replace(HOME, "~")):
        yield from filter(is_secret_file, operands[:-1])


def _feeding(program: str, command: str) -> str | None:
    """What stands before a pipe that leads to it: quoted, by its path, or through another program as it may be."""
    plain = command.translate(_QUOTES)
    at = 0
    for pipeline in _PIPELINES.split(plain):
        parts = pipeline.split("|")
        for number, part in enumerate(parts[1:], 1):
            if program in _WORDS.findall(part):
                before = "|".join(parts[:number])
                ends_group = any(before.count(end) > before.count(start) for start, end in _BRACKETS)
                return plain[: at + len(before)] if ends_group else before
        at = plain.find(pipeline, at) + len(pipeline)
    return None


def _in_code(each: Started) -> Iterator[str]:
    code = spoken_code(each)
    if code and re.search(_table().sends_in_code, code) and not re.search(rf"//{_table().here}", code):
        yield from (found[1] for found in _QUOTED.finditer(code) if is_secret_file(found[1]))


def _variables(command: str, line: ShellEffects) -> Iterator[tuple[str, str]]:
    """In an address or in what is sent: what stands in a header or signs a request stays out of this."""
    programs = [posixpath.basename(each.words[0]) for each in line.started if not _is_here(each)]
    sender = next((program for program in programs if program in _table().senders), "")
    if not sender:
        return
    options = r"\s(?:-d|--data\S*|-F|--form|--json|--post-data\S*)[ =]?[^\n|;&]{0,200}?"
    sent = rf"(?:{options}|https?://[^\s|;&]{{0,300}}?)\$\{{?({_table().variables})\b"
    for found in re.finditer(sent, command[:20_000]):
        yield f"${found[1]}", sender
