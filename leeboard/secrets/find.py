"""The secrets of a text: every way to know one, the surest for each place, weighed by file and line."""

from __future__ import annotations

import re
from _blake2 import blake2b
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.secrets.assignment import by_name
from leeboard.secrets.hit import (
    UNREAD,
    Region,
    Secret,
    SecretHit,
    Style,
    is_env_file,
    is_sample,
    is_translation,
    promise_of,
    style_of,
)
from leeboard.secrets.literal import by_block, by_manifest
from leeboard.secrets.place import Whereabouts, by_place
from leeboard.secrets.provider import by_format, providers_met, worth_a_look
from leeboard.secrets.weight import by_entropy

if TYPE_CHECKING:
    from leeboard.model.lookup import Files
    from leeboard.model.workspace import Workspace

_LONGEST_KEY = 64
_SHOWN_OFF = frozenset({"example", "examples", "sample", "samples"})
"""What stands under such a name is there to be seen."""
_BEFORE = 200
CERTAIN_ABOVE = 0.85


def find_secrets(text: str, path: str = "", lines: Iterable[int] | None = None) -> tuple[Secret, ...]:
    """Every secret that touches one of these lines (all where None), by place; placeholders too, with that note.

    What stands on other lines is not weighed, but for what is needed to read these.
    """
    file = Whereabouts(path, text)
    region = None if lines is None else Region(text, file.starts, lines)
    hits = hits_in(text, style_of(path), translated=is_translation(path), region=region)
    return tuple(_placed(hit, file) for hit in hits if region is None or region.touches(hit.start, hit.end - 1))


def hits_in(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> list[SecretHit]:
    """What is known of a text in this style of file, by place; where two overlap, the surer one.

    With a region all that touches it is there, and perhaps more.
    """
    if region is not None and not region.spans:
        return []
    return _apart(hit for hit in _found(text, style, translated=translated, region=region) if hit.kind != UNREAD)


def _found(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> Iterator[SecretHit]:
    lowered = lower(text)
    pieces = worth_a_look(text)
    blocks = list(by_block(text))
    # A block of many lines, and a line that is not read to its end, decide about more than the lines asked for.
    if region is not None and (any(region.touches(it.start, it.end) for it in blocks) or not region.is_plain):
        region = None
    part = region or Region(text, [0], [1])
    found: list[Iterator[SecretHit]] = [iter(blocks), by_format(text, pieces)]
    if style != "lock":
        found.append(part.each(lambda start, end: by_place(text[start:end], lowered[start:end])))
    if style not in {"lock", "style"} and not translated:
        found.append(by_name(text, lowered, style, providers_met(pieces), region))
        found.append(by_manifest(text))
    if style in {"code", "any"}:
        found.append(part.each(lambda start, end: by_entropy(text[start:end])))
    return chain.from_iterable(found)


def lower(text: str) -> str:
    """In lower case, every character at its place: the dotted capital I alone would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("\u0130", "i").lower()


def keyed_digest(value: str, key: bytes) -> str:
    """The one thing of a secret that may be kept: nobody without the key can try values against it."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8, key=key[:_LONGEST_KEY]).hexdigest()


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Where something stands that `find_secrets` takes for a secret in any kind of file, placeholders apart; merged."""
    return _spans(_found(text, "any"))


def shaped_spans(text: str) -> list[tuple[int, int]]:
    """The same of what shows by its maker's format alone, whatever stands around it."""
    return _spans(by_format(text, worth_a_look(text)))


def is_certain(text: str) -> bool:
    """Whether one stands there of which nobody would say that it is none: such a text is not written anywhere."""
    return any(not secret.note and secret.confidence > CERTAIN_ABOVE for secret in find_secrets(text))


def _spans(hits: Iterable[SecretHit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((hit.start, hit.end) for hit in hits if hit.note != "placeholder"):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _apart(hits: Iterable[SecretHit]) -> list[SecretHit]:
    kept: list[SecretHit] = []
    starts: list[int] = []
    for hit in sorted(hits, key=lambda hit: (-hit.confidence, -len(hit.value), hit.start)):
        at = bisect_right(starts, hit.start)
        free_before = at == 0 or kept[at - 1].end <= hit.start
        if free_before and (at == len(kept) or hit.end <= starts[at]):
            kept.insert(at, hit)
            starts.insert(at, hit.start)
    return kept


def _placed(hit: SecretHit, file: Whereabouts) -> Secret:
    line = file.line_at(hit.start)
    begin = file.starts[line - 1]
    end = min(file.starts[line] if line < len(file.starts) else len(file.text), hit.end + 400)
    confidence, note = file.weighed(hit, max(begin, hit.start - 400), end)
    name = hit.name or holder_of(file.text[max(begin, hit.start - _BEFORE) : hit.start])
    if name.lower() in _SHOWN_OFF and not note:
        confidence, note = min(confidence, 0.3), "placeholder"
    return Secret(
        kind=hit.kind,
        name=name,
        value=hit.value,
        line=line,
        column=hit.start - begin + 1,
        confidence=confidence,
        note=note,
    )


# What holds a value: the variable, key, option or argument in front of it, never the user name beside it.


_OPENING = r"""[bruf@]?["'`]?(?:\w{1,10}[ \t])?\Z"""
_GIVEN_TO = lazy(r"""(?P<name>[A-Za-z_$][\w$.\-]{0,60})["'\]]{0,2}[ \t]{0,8}(?:=>|:=|=|:|\()[ \t]{0,8}""" + _OPENING)
_PAIRED = lazy(r"""["'](?P<name>[A-Za-z_$][\w$.\-]{0,60})["'][ \t]{0,4},[ \t]{0,8}""" + _OPENING)
_ARGUMENT = lazy(
    r"""(?P<name>[A-Za-z_$][\w$.]{0,60})[ \t]{0,2}(?P<sign>[=:]?)[ \t]{0,2}[(\[]{1,2}(?P<before>[^()\[\]]{1,120})\Z"""
)
_STRING = lazy(r""""[^"]{0,120}"|'[^']{0,120}'""")
_ADDRESS = lazy(r"""[A-Za-z][A-Za-z0-9+.\-]{1,30}://[^\s"'`]{0,120}\Z|(?<=["'`])[\w.\-]{1,60}:\Z""")
_SIGN = lazy(r"[=:,(]")
_NEAR = 30


def holder_of(before: str) -> str:
    """By what stands on the line in front of the value; of a password in an address what the address is given to."""
    address = _ADDRESS.search(before)
    before = before[: address.start()] if address else before
    if not _SIGN.search(before[-_NEAR:]):
        return ""
    given = _GIVEN_TO.search(before)
    if given is not None:
        return given["name"]
    paired = _PAIRED.search(before)
    if paired is not None and promise_of(paired["name"]):
        return paired["name"]
    return _argument(before)


def _argument(before: str) -> str:
    call = _ARGUMENT.search(before)
    if call is None:
        return ""
    place = _STRING.sub("", call["before"]).count(",") + 1
    return call["name"] if call["sign"] else f"argument {place} of {call['name']}()"


# Environment files: where secrets belong as long as git does not take them.


_STEP = lazy(r"&&|\|\||[;\n|]")
_WORD = lazy(r"""(?:[^\s"']|"[^"]{0,400}"|'[^']{0,400}'){1,400}""")
_GIT = lazy(
    r"(?:\A|\s)git(?:\s+-[cC]\s+\S+|\s+--?[\w\-]+(?:=\S+)?){0,4}\s+(?P<verb>add|commit|"
    r"stage)\b(?P<rest>[^\r\n]{0,4000})"
)
_ALL = frozenset({".", "-A", "--all", "*", ":/", "./"})
_FORCED = frozenset({"-f", "--force"})


def is_real(secret: Secret) -> bool:
    """Worth hiding: neither a placeholder nor merely random."""
    return not secret.note and secret.confidence > 0.5


def needs_ignoring(path: str, files: Files) -> bool:
    """Whether git would take it. A sample is meant to be taken; where nobody knows, nothing is said."""
    return is_env_file(path) and not is_sample(path) and files.ignored(path) is False


def committed_env_files(command: str, files: Files) -> Iterator[str]:
    """The environment files with secrets that this line hands to git: named, forced, or swept up with all the rest."""
    if ".env" not in command and "git" not in command:
        return
    for step in _STEP.split(command[:20_000]):
        match = _GIT.search(step)
        if match is None:
            continue
        words = [word.strip("\"'") for word in _WORD.findall(match["rest"])]
        forced = bool(_FORCED.intersection(words)) and match["verb"] != "commit"
        for path in _taken(words, files, sweeps=match["verb"] != "commit"):
            if (
                is_env_file(path)
                and not is_sample(path)
                and (forced or files.ignored(path) is not True)
                and _holds(path, files)
            ):
                yield path


def _taken(words: list[str], files: Files, *, sweeps: bool) -> Iterator[str]:
    yield from (word.removeprefix("./") for word in words if not word.startswith("-"))
    if sweeps and _ALL.intersection(words) and files.text(".env") is not None and files.ignored(".env") is False:
        yield ".env"


def _holds(path: str, files: Files) -> bool:
    """Where it can not be read it is taken to hold what such files are for."""
    text = files.text(path)
    return text is None or any(is_real(secret) for secret in find_secrets(text, path))


# Exposures the user's own words order: this secret into that file, and no other.


RULE = "credential"

_ORDER = lazy(r"\b(?:hard-?code|put|paste|write|add|insert|keep|commit|embed|inline|set|use|leave)\b", re.IGNORECASE)


def lifted_by(prompt: str, workspace: Workspace, key: bytes) -> tuple[str, ...]:
    """Fingerprints of the findings that are the user's own wish. Nothing of the secret can be told from them."""
    if not key or not _ORDER.search(prompt):
        return ()

    return tuple(
        f"{RULE}:{workspace.spell(path)}:{keyed_digest(value, key)}"
        for value, paths in exposures_named(prompt)
        for path in paths
    )


# What a person orders to be exposed: "hardcode <key> in src/config.py" names the secret and the file, only those.


Exposure = tuple[str, tuple[str, ...]]
"""A secret as the person wrote it, and the paths it may stand in."""

_CLAUSE = lazy(r"(?<=[.!?;])\s+(?=[A-Z`\"'])|\n{2,}|(?<!:)\n|;\s|,?\s+(?:but|aber|mais|pero)\s+")
_EXPOSURE_ORDER = lazy(
    r"(?i)\b(?:hard-?coded?|put|write|add|set|use|paste|insert|store|save|place|include|embed|keep|commit|"
    r"leave|drop|stick|copy|"
    r"schreib\w*|setz\w*|trag\w*|mets|écris|escribe|pon)\b"
)
_DENIAL = lazy(
    r"(?i)\b(?:don'?t|do\s+not|never|not|no|without|avoid|instead\s+of|rather\s+than|stop|remove|delete|"
    r"nicht|kein\w*|niemals|nunca|jamais|ne)\b"
)
_PATH = lazy(
    r"(?<![\w:/@.])[\w.\-]{0,60}(?:/[\w.\-]{1,60}){0,10}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/@])|"
    r"(?<![\w/.])(?:Dockerfile|Makefile|\.env(?:\.\w{1,20})?)(?!\w)"
)
_TOLD = lazy(
    r"""(?i)\b(?:password|passwd|pwd|token|secret|(?:api[ _\-]?)?key)\s{1,3}(?:to|as|is|=|"""
    r""":)\s{0,3}["'`]?(?P<value>[^\s"'`,;]{5,200})"""
)
_LEAST = 0.5


def exposures_named(prompt: str) -> tuple[Exposure, ...]:
    """Each secret the words hold in a clause that orders to put it into a file it names. A denial orders nothing."""
    found: dict[str, tuple[str, ...]] = {}
    for clause in _CLAUSE.split(prompt[:20_000]):
        if not clause or not _EXPOSURE_ORDER.search(clause) or _DENIAL.search(clause):
            continue
        secrets = dict.fromkeys(_secrets(clause))
        bare = clause
        for value in secrets:
            bare = bare.replace(value, " ")
        paths = tuple(dict.fromkeys(match.group().removeprefix("./") for match in _PATH.finditer(bare)))
        for value in secrets if paths else ():
            found[value] = tuple(dict.fromkeys((*found.get(value, ()), *paths)))
    return tuple(found.items())


def _secrets(clause: str) -> Iterator[str]:
    for secret in find_secrets(clause, "prompt.txt"):
        if secret.confidence > _LEAST and secret.note != "placeholder":
            yield secret.value
    for match in _TOLD.finditer(clause):
        value = match["value"].rstrip(".!?")
        if any(map(str.isdigit, value)) and "." not in value:
            yield value
