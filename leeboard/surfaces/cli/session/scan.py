"""`leeboard scan`."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

import click
from msgspec.structs import replace

import leeboard
from leeboard.app.scan.change import RULE, ChangeOptions
from leeboard.app.scan.decided import why_unreadable, write_baseline
from leeboard.app.scan.judged_text import content_rules
from leeboard.app.scan.page import DECIDED, RANKS, ScanOptions, ScanPage, rank, scan_page
from leeboard.app.scan.rounds import rounds
from leeboard.app.scan.target import Target, find_targets
from leeboard.app.scan.unanalysed import NO_FILE
from leeboard.errors import ConfigError, EffectError
from leeboard.model.verdict import Disposition, PlacedFinding, subclass_of
from leeboard.rule import code_of, rule_named, with_code
from leeboard.settings.decisions.baseline import FILE, AcceptedFinding
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import chosen_form, print_json, refuse_to_agents, say, screen, trust_option, words
from leeboard.surfaces.cli.session.judged_by import chosen_cluster, on_option
from leeboard.text.words import counted

_Show = Callable[[ScanPage], None]
_STYLES: dict[Disposition, str] = {"FIRE": "bold red", "QUEUE": "yellow", "LOG": "dim"}
_HEARD: dict[Disposition, str] = {"FIRE": "at once", "QUEUE": "at pause", "LOG": "noted"}
"""When an agent would hear of it."""
_WEIGHT, _LIMIT = click.Choice(["fire", "queue", "log"]), click.Choice(["fire", "queue", "log", "never"])
_WAY_OUT = (
    "a comment on its line or right above, `leeboard: allow CODE WHY`; `leeboard scan --write-baseline`; "
    "or `leeboard allow ID --reason WHY`"
)
_REVIEWED = "What a change decides about itself counts once a person has reviewed it: `--reviewed`"
_KEYS = ("rule", "subclass", "path", "line", "confidence", "disposition", "message", "note", "same_as", "also")


@click.command(epilog="Example:  leeboard scan src --sarif > leeboard.sarif")
@click.argument("paths", nargs=-1)
@click.option("--json", is_flag=True, help="Print JSON for programs, one object a line.")
@click.option("--sarif", is_flag=True, help="Print a SARIF 2.1.0 log for code hosts and editors.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions.")
@click.option("--min", "least", type=_WEIGHT, default="log", show_default=True, help="Leave out what weighs less.")
@click.option("--fail-on", type=_LIMIT, default="queue", show_default=True, help="Exit 1 from this weight on.")
@click.option("--diff", "base", metavar="REV", help="Only what came in since the work left this branch or commit.")
@click.option("--staged", is_flag=True, help="Only what is staged brings in, as a commit hook asks.")
@click.option("--reviewed", is_flag=True, help="A person has reviewed what this change decides about itself.")
@click.option(
    "--write-baseline",
    "accept",
    is_flag=True,
    help=f"Accept what is found now, in {FILE}; a person in a terminal only.",
)
@click.option("--all", "everything", is_flag=True, help="Tell what people have let stand too, marked as that.")
@click.option("--verbose", is_flag=True, help="Tell the id of each finding too, for `leeboard allow`.")
@click.option("--watch", "watching", is_flag=True, help="Look again whenever a file changes, until interrupted.")
@click.option("--no-ignore", is_flag=True, help="Look at what git ignores too.")
@click.option("--duplicates", is_flag=True, help="Look for copies of other code too; needs an index and takes longer.")
@trust_option
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
@on_option
def command(paths: tuple[str, ...], **given: object) -> int:
    """Look for secrets, injections and weak cryptography in files.

    PATHS are files and folders; without any, the current folder. Each finding has a weight: `fire` is what an agent
    would hear at once, `queue` what it would hear at the next pause, and `log` what only a report shows, with the
    reason. Lines that git does not have yet are judged like an agent's own; committed code, and code outside of git, is
    judged more leniently. Files that git ignores are skipped unless they are named. What the settings switch off, and
    what people have accepted, allowed or suppressed with a comment, is left out and counted.
    """
    form, asked = chosen_form(given, _FORMS), _options(given)
    show = _FORMS.get(form) or partial(_show, verbose=bool(given["verbose"]))
    paths = paths or (".",)
    targets, missing = find_targets(paths, ignored_too=bool(given["no_ignore"]))
    if missing:
        raise EffectError("; ".join(f"{path}: no such file or folder" for path in missing))
    asked = replace(asked, whole=all(_is_whole(root, paths) for root in {target.root for target in targets}))
    if given["accept"]:
        return _accept(targets, asked, RANKS[str(given["fail_on"])], paths)
    if given["watching"]:
        return _watch(paths, asked, show, ignored_too=bool(given["no_ignore"]))
    jobs, on = asked.jobs, str(given["on"])
    with chosen_cluster(on, jobs) as cluster, progress("scanning", len(targets)) as advance:
        page = scan_page(targets, replace(asked, cluster=cluster), advance, paths if asked.change else ())
    show(page)
    if page.scanned and all(one.problem == NO_FILE for one in page.scanned):
        raise EffectError(f"nothing was analysed: {', '.join(paths)} is {NO_FILE}")
    return int(page.worst >= RANKS[str(given["fail_on"])])


def _options(given: dict[str, object]) -> ScanOptions:
    if given["base"] == "":
        raise ConfigError("--diff is empty: name a branch or commit; a build's variable may not be set here")
    change = ChangeOptions(
        base=str(given["base"] or ""), staged=bool(given["staged"]), reviewed=bool(given["reviewed"])
    )
    of_change = bool(change.base or change.staged)
    if change.base and change.staged:
        raise ConfigError("--diff and --staged are two changes: name one of them")
    for option in ("accept", "watching"):
        if of_change and given[option]:
            raise ConfigError("--diff and --staged look at a change: --write-baseline and --watch look at whole files")
    if given["watching"] and given["sarif"]:
        raise ConfigError("--watch and --sarif: a SARIF log is one document, and a scan that watches has no end")
    if given["on"] and (of_change or given["accept"] or given["watching"] or given["duplicates"]):
        raise ConfigError(
            "--on is for whole trees: leave out --diff, --staged, --watch, --write-baseline and --duplicates, which "
            "need what lies on this machine"
        )
    if given["reviewed"]:
        if not of_change:
            raise ConfigError("--reviewed says something of a change: name it with --diff or --staged")
        refuse_to_agents("--reviewed")
    return ScanOptions(
        least=str(given["least"]),
        jobs=int(str(given["jobs"] or 0)),
        duplicates=bool(given["duplicates"]),
        everything=bool(given["everything"]),
        change=change if of_change else None,
    )


def _accept(targets: tuple[Target, ...], asked: ScanOptions, least: int, paths: tuple[str, ...]) -> int:
    """Write what would fail a build into the baseline of each work tree: a person's decision, reviewed like code."""
    require_person("scan --write-baseline")
    for root in sorted({target.root for target in targets}):
        mine = tuple(target for target in targets if target.root == root)
        whole = _is_whole(root, paths)
        anew = _is_lost(root, whole=whole)
        page = scan_page(mine, replace(asked, everything=False, anew=anew), _nothing)
        accepted = (item for item in page.decided if item.state == "baseline")
        found = [item for item in (*page.found, *accepted) if rank(item) >= least]
        number = write_baseline(root, (target.name for target in mine), found, whole=whole, anew=anew)
        screen().print(words(f"{counted(number, 'finding')} accepted in {FILE}: have it reviewed, and commit it"))
    return 0


def _is_lost(root: str, *, whole: bool) -> bool:
    """Whether the baseline has to be written anew. A scan of a few paths does not know what it held of the others."""
    why = why_unreadable(root)
    if why and not whole:
        raise ConfigError(
            f"{FILE}: can not be read: {why}; `leeboard scan --write-baseline {shlex.quote(root)}` writes it anew"
        )
    if why:
        say(f"{FILE} could not be read ({why}): it is written anew, and nothing of the old one is kept")
    return bool(why)


def _is_whole(root: str, paths: tuple[str, ...]) -> bool:
    """Whether one of the paths is the work tree itself."""
    return any(Path(path).resolve() == Path(root).resolve() for path in paths)


def _watch(paths: tuple[str, ...], asked: ScanOptions, show: _Show, *, ignored_too: bool) -> int:
    """The same again after each change, in the form that was asked for; each round is out before the next one is waited
    for, in a pipe too.
    """
    for page in rounds(paths, asked, ignored_too=ignored_too):
        show(page)
        sys.stdout.flush()
        say("watching; Ctrl-C ends it")
    return 0


def _tell_notes(page: ScanPage) -> None:
    for text in page.notes:
        say(text)


def _print_objects(page: ScanPage) -> None:
    for item in page.told:
        told = {"id": item.fingerprint, "state": item.state, "reason": item.reason}
        print_json({"code": code_of(item.rule)} | {key: getattr(item, key) for key in _KEYS} | told)
    _tell_notes(page)


def _print_sarif(page: ScanPage) -> None:
    from leeboard.report.sarif import render_sarif  # noqa: PLC0415 - only for who asks for it

    results = (*page.found, *page.decided, *map(_absent, page.stale))
    problems = [(one.path, one.problem or one.unread) for one in page.scanned if one.problem or one.unread]
    problems += [("", page.unfollowed_note)] if page.unfollowed_note else []
    decisions = rule_named(RULE)
    rules = (*content_rules(indexed=not page.copies), *((decisions,) if decisions else ()))
    print_json(render_sarif(results, rules, leeboard.__version__, problems, compared=_compared(page)))
    _tell_notes(replace(page, everything=True))  # what people have let stand is in the log, as such


def _compared(page: ScanPage) -> frozenset[Disposition]:
    """All that is found in a change was not there before it. A baseline holds notes where it was written with them."""
    if not page.compared:
        return frozenset()
    with_notes = page.of_change or any(one.state == "baseline" and one.disposition == "LOG" for one in page.decided)
    return frozenset({"FIRE", "QUEUE", "LOG"} if with_notes else {"FIRE", "QUEUE"})


def _print_github(page: ScanPage) -> None:
    from leeboard.report.annotations import annotate_placed  # noqa: PLC0415 - only for who asks for it

    for line in annotate_placed(map(_as_annotated, page.told)):
        click.echo(line)
    _tell_notes(page)


def _as_annotated(item: PlacedFinding) -> PlacedFinding:
    """What people have let stand is no error on the page of a change."""
    return item if item.state == "open" else replace(item, disposition="LOG", note=_let_stand(item))


def _let_stand(item: PlacedFinding) -> str:
    return DECIDED[item.state] + (f": {item.reason}" if item.reason else "")


def _absent(entry: AcceptedFinding) -> PlacedFinding:
    """An entry of the baseline that stands for nothing any more."""
    return PlacedFinding(
        rule=entry.rule,
        subclass="",
        path=entry.path,
        line=0,
        confidence=0.0,
        disposition="LOG",
        message=f"{with_code(entry.rule)} is no longer found: {entry.what}",
        fingerprint=f"{entry.rule}:{entry.path}:{entry.what}",
        name=entry.path,
        what=entry.what,
        state="absent",
    )


def _what_repeats(*found: PlacedFinding) -> str:
    by_value = [subclass_of(item.subclass).passes_by_value for item in found if item.also]
    return " or ".join(filter(None, ("value" if any(by_value) else "", "line" if not all(by_value) else "")))


def _named(places: tuple[str, ...]) -> str:
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return ", ".join(places[:_PLACES]) + more


_PLACES = 5


def _show(page: ScanPage, *, verbose: bool = False) -> None:
    console = screen()
    for item in page.told:
        if item.same_as:
            continue  # named where the value is told
        place = f"{item.path}:{item.line}" if item.line else item.path
        kind = f" {with_code(item.rule)} {item.confidence:g}"
        heard = _HEARD[item.disposition]
        console.print(words((f"{heard:<8}", _STYLES[item.disposition]), " ", (place, "bold"), (kind, "dim")))
        console.print(words("         ", item.message))
        if item.also:
            console.print(words((f"         the same {_what_repeats(item)}: ", "dim"), (_named(item.also), "dim")))
        if item.note:
            why = "only noted" if item.disposition == "LOG" else "no refusal"
            console.print(words((f"         {why}: ", "dim"), (item.note, "dim")))
        if item.state != "open":
            console.print(words(("         ", ""), (_let_stand(item), "green")))
        if verbose:
            console.print(words(("         id: ", "dim"), (shlex.quote(item.fingerprint), "dim")))
    found = [item for item in page.told if item.state == "open"]
    weights = Counter(item.disposition for item in found)
    counts = ", ".join(f"{weights[name]} {heard}" for name, heard in _HEARD.items())
    total = f"{counted(len(found), 'finding')} in {counted(len(page.scanned), 'file')}: {counts}"
    repeated = sum(bool(item.same_as) for item in found)
    repeat = "repeat" if repeated > 1 else "repeats"
    again = f"{repeated} of them {repeat} a {_what_repeats(*found)} told above" if repeated else ""
    console.print(
        words("; ".join(filter(None, ("nothing was scanned",) if page.failed else (total, again, page.copies))))
    )
    for text in page.notes:
        console.print(words((text, "yellow")))
    heavy = [item for item in found if item.disposition != "LOG"]
    ids = "" if verbose else " (`--verbose` shows ids)"
    ways = f"to let one stand: {_WAY_OUT}{ids}" if any(item.rule != RULE for item in heavy) else ""
    if told := ". ".join(filter(None, (ways, _REVIEWED if heavy and page.of_change else ""))):
        console.print(words((told, "dim")))


_FORMS: dict[str, _Show] = {
    "json": _print_objects,
    "sarif": _print_sarif,
    "github": _print_github,
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
