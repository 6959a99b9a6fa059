"""`leeboard scan`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click
import msgspec
from msgspec.structs import replace

import leeboard
from leeboard.app.archive import opened_archive
from leeboard.app.scan import FileScan, ScanFinding, Target, Terms, content_rules, find_targets, scan
from leeboard.app.settings_files import read_settings
from leeboard.errors import EffectError
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.model.verdict import Disposition
from leeboard.rule import code_of, with_code
from leeboard.source.index.symbols import open_symbols
from leeboard.surfaces.cli.screen import print_json, say, screen, trust_option, words
from leeboard.text.words import counted

_STYLES: dict[Disposition, str] = {"FIRE": "bold red", "QUEUE": "yellow", "LOG": "dim"}
_HEARD: dict[Disposition, str] = {"FIRE": "at once", "QUEUE": "at pause", "LOG": "noted"}
"""When an agent would hear of it."""
_WEIGHT, _LIMIT = click.Choice(["fire", "queue", "log"]), click.Choice(["fire", "queue", "log", "never"])
_KEYS = ("rule", "subclass", "path", "line", "confidence", "disposition", "message", "note")


@click.command(epilog="Example:  leeboard scan src --sarif > leeboard.sarif")
@click.argument("paths", nargs=-1, required=True)
@click.option("--json", "form", flag_value="json", help="Print JSON for programs, one object a line.")
@click.option("--sarif", "form", flag_value="sarif", help="Print a SARIF 2.1.0 log for code hosts and editors.")
@click.option("--min", "least", type=_WEIGHT, default="log", show_default=True, help="Leave out what weighs less.")
@click.option("--fail-on", type=_LIMIT, default="queue", show_default=True, help="Exit 1 from this weight on.")
@click.option("--no-ignore", is_flag=True, help="Look at what git ignores too.")
@click.option("--duplicates", is_flag=True, help="Look for copies of other code too; needs an index and takes longer.")
@trust_option
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
def command(
    paths: tuple[str, ...], form: str | None, jobs: int | None, *, no_ignore: bool, duplicates: bool, **weights: str
) -> int:
    """Look for secrets, injections and weak cryptography in files.

    PATHS are files and folders. The rules that judge a text by itself see each file as if it had just been written:
    what an agent would hear at once (`fire` in the options), what it hears at the next pause (`queue`), and what only
    the report shows (`log`), with the reason. In a folder inside a work tree what git ignores is left out; a file that
    is named is looked at whatever git says. What the project's settings switch off, and what a person has allowed
    there, is left out too.
    """
    targets, missing = find_targets(paths, ignored_too=no_ignore)
    if missing:
        raise EffectError("; ".join(f"{path}: no such file or folder" for path in missing))
    with progress("scanning", len(targets)) as advance:
        page = scan_page(targets, weights["least"], jobs or 0, advance, duplicates=duplicates)
    _FORMS[form or "screen"](page)
    return int(page.worst >= RANKS[weights["fail_on"]])


def _tell_notes(page: ScanPage) -> None:
    for text in page.notes:
        say(text)


def _print_objects(page: ScanPage) -> None:
    for item in page.found:
        print_json({"code": code_of(item.rule)} | {key: getattr(item, key) for key in _KEYS})
    _tell_notes(page)


def _print_sarif(page: ScanPage) -> None:
    from leeboard.report.exports import ExportResult, render_sarif  # noqa: PLC0415 - only for who asks for it

    results = [ExportResult(**{field: getattr(item, field) for field in item.__struct_fields__}) for item in page.found]
    problems = [(one.path, one.problem) for one in page.scanned if one.problem]
    rules = content_rules(indexed=not page.copies)
    print_json(render_sarif(results, rules, leeboard.__version__, problems))
    _tell_notes(page)


def _show(page: ScanPage) -> None:
    console = screen()
    for item in page.found:
        place = f"{item.path}:{item.line}" if item.line else item.path
        kind = f" {with_code(item.rule)} {item.confidence:g}"
        heard = _HEARD[item.disposition]
        console.print(words((f"{heard:<8}", _STYLES[item.disposition]), " ", (place, "bold"), (kind, "dim")))
        console.print(words("         ", item.message))
        if item.note:
            console.print(words(("         only noted: ", "dim"), (item.note, "dim")))
    weights = Counter(item.disposition for item in page.found)
    counts = ", ".join(f"{weights[name]} {heard}" for name, heard in _HEARD.items())
    total = f"{counted(len(page.found), 'finding')} in {counted(len(page.scanned), 'file')}: {counts}"
    console.print(words("; ".join(filter(None, (total, page.copies)))))
    for text in page.notes:
        console.print(words((text, "yellow")))


_FORMS: dict[str, Callable[[ScanPage], None]] = {
    "screen": _show,
    "json": _print_objects,
    "sarif": _print_sarif,
}


# How far a long task is: one line on stderr that is written over, and gone at the end. No escape codes.


_SECONDS = 0.1
"""Between two writings: a terminal is slower than the work."""
_LONG = 200
"""Things from which on a person waits."""


@contextmanager
def progress(doing: str, total: int, noun: str = "files") -> Iterator[Callable[[], None]]:
    """What to call for each thing that is done. Silent where nobody sees it, and where it is over at once."""
    if total < _LONG or not sys.stderr.isatty():
        yield _nothing
        return
    line = _Line(doing, total, noun)
    line.write()
    try:
        yield line.advance
    finally:
        line.clear()


class _Line:
    def __init__(self, doing: str, total: int, noun: str) -> None:
        self._doing, self._total, self._noun = doing, total, noun
        self._done, self._written, self._width = 0, 0.0, 0

    def advance(self) -> None:
        self._done += 1
        if monotonic() - self._written >= _SECONDS:
            self.write()

    def write(self) -> None:
        self._written = monotonic()
        share = 100 * self._done // self._total
        text = f"{self._doing} {self._done} of {self._total} {self._noun} ({share} %)"
        self._width = max(self._width, len(text))
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()

    def clear(self) -> None:
        sys.stderr.write(f"\r{' ' * self._width}\r")
        sys.stderr.flush()


def _nothing() -> None:
    """Nobody watches."""


# What was found, and what is to be said beside it.


RANKS = {"log": 0, "queue": 1, "fire": 2, "never": 3}
"""How much a finding weighs, by its disposition."""


class ScanPage(msgspec.Struct, frozen=True, kw_only=True):
    found: tuple[ScanFinding, ...]
    scanned: tuple[FileScan, ...]
    copies: str
    """What is said of duplicates where they were not looked for; empty where they were."""

    @property
    def worst(self) -> int:
        """The rank of what weighs most; negative where nothing was found."""
        return max(map(_rank, self.found), default=-1)

    @property
    def gaps(self) -> str:
        """`3 files not analysed: 2 binary, 1 larger than 2 MB`; empty where all were."""
        reasons = Counter(one.problem for one in self.scanned if one.problem)
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        return f"{counted(reasons.total(), 'file')} not analysed: {listed}" if reasons else ""

    @property
    def notes(self) -> tuple[str, ...]:
        allowed = sum(one.allowed for one in self.scanned)
        passed = f"{counted(allowed, 'finding')} left out: allowed by a person" if allowed else ""
        return tuple(text for text in (self.gaps, passed) if text)


def scan_page(
    targets: tuple[Target, ...], least: str, jobs: int, advance: Callable[[], None], *, duplicates: bool
) -> ScanPage:
    """Look at the targets; `advance` hears of each that is done. What weighs less than `least` is left out."""
    terms, scanned = _terms_by_root(targets, duplicates=duplicates), []
    for one in scan(targets, terms, jobs):
        advance()
        scanned.append(one)
    return ScanPage(
        found=tuple(item for one in scanned for item in one.found if _rank(item) >= RANKS[least]),
        scanned=tuple(scanned),
        copies=_copies(terms.values(), duplicates=duplicates),
    )


def _rank(found: ScanFinding) -> int:
    return RANKS[found.disposition.lower()]


def _terms_by_root(targets: tuple[Target, ...], *, duplicates: bool) -> dict[str, Terms]:
    """What each work tree's settings, people and, for duplicates, its index say."""
    roots = sorted({target.root for target in targets})
    disabled = {root: read_settings(root, os.environ)[0].policy.disabled_rules for root in roots}
    found = {root: Terms(disabled[root], (), duplicates and _indexed(root)) for root in roots}
    if not Path(database()).exists():
        return found
    with opened_archive() as store:
        return {root: replace(terms, allowances=store.allowances(root, "", now())) for root, terms in found.items()}


def _indexed(root: str) -> bool:
    symbols = open_symbols(root)
    return symbols is not None and symbols.complete


def _copies(terms: Iterable[Terms], *, duplicates: bool) -> str:
    """What is said of duplicates where they were not looked for."""
    if not duplicates:
        return "duplicates: not analysed (`--duplicates` looks for them)"
    return "" if all(one.indexed for one in terms) else "duplicates: not analysed (run `leeboard index --wait`)"
