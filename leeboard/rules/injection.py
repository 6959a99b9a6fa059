"""A foreign value reaches SQL, a shell, a page, a path or code without being checked.

## What it catches
A value from a request, a handler's, consumer's or resolver's parameter, a socket or another window that goes, through
assignments, containers, string building and functions of the same file, into a call in which it does harm: SQL, shell
commands, `eval`, HTML, file paths, addresses, redirects, LDAP, XPath, XML entities, deserialisers, templates, logs; and
a body that is made a record's fields as it came, so that its sender sets those nobody asked for. The names of an
archive's entries that become file paths are queued, whoever hands the archive in. Also calls that are unsafe by
themselves, such as `yaml.load` without a safe loader; and, queued, what goes out: the trace of a failure in an answer
(unless the function asks whether it runs for developers), a password in a log, answers with credentials that any
origin may read. Above a confidence of 0.85 it is refused before the file is written.

## Who the attacker is
Whoever sends a request, a message, an upload or a file that is handed in. Not the person who types the command line or
sets the environment, not a caller of an internal function, not the repository's own data, and not the page's own
address: who is sent to where he came from stays there, while a parameter that is read from it is his to choose. A
parameter is foreign only where a framework makes it so: a route, a handler (also one that is returned or passed as a
closure), a consumer, a resolver, an action, a service that is called from afar, a tool that a model calls.

It is refused where nothing is in doubt: such an entry, a sink and a way between them of which every step is understood,
on which nobody looks at the value. A doubt makes it queued, and is named in the evidence: a test of this file asks more
of it, or of the same field, than whether it is there, of which type or how long it is; a class of another file may have
checked it; marks are replaced in it, other than one tag that is spelled out; the name of a host is looked for anywhere
in it; what calls itself a check stands in front of the handler; a path is one segment of the address, in which no slash
stands, begins or ends with a fixed text; it is a part of the address, whose pattern stands in another file; the page it
is set into may escape it; it is the page's own address (only logged where the whole of it is shown, as browsers encode
it), unless it is a field that is read from it by its name; it is an address that the same function takes apart; the
address as a browser writes it goes back to its sender in a page or a redirect; nothing says that the store knows
operators; a library merges it; a whole clause of a query is sent, as to a console; the program manages a database; what
sends the file refuses two dots in its path; running code is what the function that it is handed to is for; it is an
example, a benchmark or a trial beside the product. Logged is what passed a check of another file, a header that goes
back to its sender, an address that begins with something of the program's own, a segment of the own address between
slashes, the path of a handler of one address, the name of a program to load between a folder and a fixed ending. A
value that an unknown function had in between is logged too; one that a model let through, or that only took another
form on the way into a query, a command, code or a loader, is queued. Log lines and response headers, in which servers
refuse line breaks, are logged.

A function that reads `request.GET` or `request.form` is one that a framework calls, whatever its file imports. What the
session of a visitor notes for him is his own; under a key that says who he is, or under a key of his choice, it is
queued. What the machine's own people give has confidence 0.5 and goes by the formula; their environment is logged.

In a session, in a change and in a line that git does not have yet all of this counts. `leeboard scan` of code that
lies there, committed before or outside of git, says less: what reads like a fault there was mostly looked at, and has
run. Refused is then only what leaves nothing to assume: a field that a request names, on a way of at most forty
lines, into SQL, a command, code, a deserialiser, a template's source or text between tags, and not in what installs,
shows or tries out the program. The rest is queued, with what it lacks. Groups that hardly ever were a fault where
they were read are only logged, each with its reason (`data/security/at_rest.toml`): a way of ninety lines and more; a
value that something looks at on its way to a page or an address; an address as a browser sends it that goes back to
its sender; a part of an address whose pattern stands in another file; a path that a container has settled; the name
of an attribute; a parameter of a private function or of a script of the machine's own people. A way lies there where
all lines from its first to its last were committed so, and no new line of the file names its function or its sink.

Templates (Vue, Svelte, Astro, Jinja, Django, Twig, Thymeleaf, ERB, Haml, Slim, EJS, Pug, Blade, Razor, JSP, Handlebars,
Mustache) are read by patterns: what they write as it is is refused where the same file shows that the request brings
it, and only logged where the value comes from code elsewhere. Scripts in a page, a Vue or a Svelte file are followed as
the files that they could be. Templates of other engines are not analysed.

## Why it matters
An injection is found by attackers, not by tests: the code works. It costs a line now and an incident later.

## Example
`cursor.execute(f"SELECT * FROM users WHERE name = '{request.args['name']}'")`

A flow that the file had before the change is nobody's new fault: it is held against the agent only where it was not
there, or was less sure. An import or a route that makes an older line dangerous counts as what it is, and so does a
check that is taken out.

## Known limits
It follows values inside one file: what another module returns is taken for what went in, and what it stores is not
followed. A function that many places call is followed for each other constant four times, and from then on only for
another foreign value, or another constant beside one. A cast, an escape made for that sink, an allow-list, a narrow
pattern or a parameter of the statement end it. Parameters of plain functions count less (0.6), what the machine's own
people give half (but for what is asked for at a prompt and run as code). Such a parameter is no attacker: in real
sessions it was a helper of a command-line tool that opened a file or ran a program, and nobody was helped by hearing of
it. It is logged, and spoken of where it is wrong whoever calls: it is set into the text of a query where a value
stands, into a line for a shell as one of its words (but for scripts of the machine's own people), or it is run as code;
a field that somebody typed (a name, a title) stands between two tags that are called safe, or a template's filter puts
there what it is given; or its own name says that a stranger sends it (`user_input`, `cookie`); but not where its name
says that it is code, a command's options, a number or was made safe, and not in a library of others that is kept in the
project. What a file does again and again with such parameters, or with calls that are unsafe by themselves, is told
once for the file, at its surest place, with the lines of the others. Loaders that only harm by foreign bytes
(`pickle.load`, a `FullLoader`) are only logged while no outside caller is seen; so is what nobody knows the origin of
where the file itself sets it, and what JavaScript, PHP and Ruby make code of for a caller. Models that check their
fields (pydantic, marshmallow, zod, Joi) are judged field by field where the class stands in the file: numbers, dates,
identifiers and choices are harmless, a plain text is what was sent; of a class defined elsewhere (a getter of a
message, too), and of a text it limits, all counts 0.8 at most. Tests are only logged, and so are migrations and code
that is run by a tool made for that (a console, a debugger, a template engine), unless a request brings the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from leeboard.analysis.lost_lines import beside_lost, goes_past, has_lost
from leeboard.model.event import FilesChanged, ToolFinished, ToolProposed
from leeboard.model.ledger import Entry
from leeboard.model.lookup import BaseFiles, Files, Registry
from leeboard.model.text import lazy
from leeboard.model.touch import Diff, Diffs, Span
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.language import is_measurement, is_sample, is_trial, language_of, was_generated

if TYPE_CHECKING:
    from leeboard.security.taint.state import Flow

RULE = Rule(
    code="LB-B201",
    channel="signal",
    subclass="B2",
    needs_no_history=True,
    only_where="written",
    summary="a foreign value reaches a dangerous call unchecked",
)

FIRES = (
    Sample(
        name="SQL from a request",
        lines=(
            "@ add a search",
            """write src/u.py | db.execute("SELECT * FROM u WHERE n = '" + request.args["n"] + "'")""",
        ),
    ),
    Sample(name="a shell line", lines=("@ add a ping", 'write src/p.py | os.system("ping " + request.args["host"])')),
    Sample(name="a call without brackets", lines=("@ add a ping", "write app/ping.rb | system params[:host]")),
    Sample(name="a loader that runs code", lines=("@ read the file", "write src/c.py | yaml.load(open(name))")),
)
SILENT = (
    Sample(
        name="a parameter of the statement",
        lines=("@ add a search", 'write src/u.py | db.execute("SELECT * FROM u WHERE n = ?", (request.args["n"],))'),
    ),
    Sample(
        name="a list of arguments", lines=("@ ping", 'write src/p.py | subprocess.run(["ping", request.args["h"]])')
    ),
    Sample(
        name="the command line",
        lines=("@ add a reader", 'write main.go | package main; import "os"; func main() { os.ReadFile(os.Args[1]) }'),
    ),
    Sample(name="a number", lines=("@ kill it", 'write src/k.py | os.system(f"kill {int(request.args["pid"])}")')),
    Sample(name="a test", lines=("@ test it", 'write tests/test_p.py | os.system("ping " + request.args["host"])')),
)

DENIED_ABOVE = 0.85
MOST = 20
SYSTEMIC = 3
_ANNOUNCES = {"RF-B2", "RF-B4", "RF-B5"}
_SENT = {"request", "handler"}
_FLAG_TURNS = 3
_INTERNAL = 0.5
_NAMED_LINES = 5
_SHOWN = 0.8
"""In an example, which nobody serves: worth a look, since examples are copied, and no refusal."""
_NAME = lazy(r"[^\W\d]\w*")
_CALLS = lazy(r"[(=`]")
_WITHOUT_BRACKETS = frozenset({"ruby", "php"})
"""Languages in which a call needs none: `system params[:host]`, `echo $_GET["q"]`."""
_MAY_BE_TEMPLATES = frozenset({"", "html", "php"})


class _Told(Struct, frozen=True):
    """A flow of a file, and how it is told."""

    flow: Flow
    beside: int
    """How many of its kind were there before it."""
    note: str
    """Why it is only logged; empty where somebody is interrupted."""
    also: tuple[int, ...] = ()
    """Lines of those that are told with it."""
    text: str = ""
    """The file as it is."""


def detect(
    event: ToolProposed | ToolFinished | FilesChanged, world: World, diffs: Diffs, registry: Registry, base: BaseFiles
) -> Iterator[Finding]:
    """One finding for each sink a foreign value reaches over a written line; before the call only those denied."""
    if isinstance(event, ToolFinished) and event.outcome != "done":
        return
    found = [(diff, flows) for diff in diffs if (flows := new_flows(diff, base))]
    elsewhere = {entry.path for entry in registry.find("signal", ("injection",))} if found else set()
    systemic = len(elsewhere.union(diff.path for diff, _flows in found)) >= SYSTEMIC
    flag = _announced(world, registry) if found else None
    findings = [
        (_finding(diff.path, one, 4 if systemic else min(3, 1 + len(flows)), flag), one.flow.trust in _SENT)
        for diff, flows in found
        for one in _told(diff, flows)
    ]
    least = DENIED_ABOVE if isinstance(event, ToolProposed) else 0.0
    yield from sorted(_distinct(item for item in findings if item[0].confidence > least), key=_rank)[:MOST]


def _told(diff: Diff, flows: list[tuple[Flow, int]]) -> Iterator[_Told]:
    """What a file does again and again is told at one place."""
    from leeboard.security.taint.doubts.only_logged import habits, why_logged  # noqa: PLC0415 - where one was found

    notes = [why_logged(diff.path, diff.after, flow) for flow, _beside in flows]
    known = habits(flow for (flow, _beside), note in zip(flows, notes, strict=True) if not note)
    also = {id(habit.told): habit.lines for habit in known}
    again = {id(flow): habit.told.sink_line for habit in known for flow in habit.others}
    for (flow, beside), note in zip(flows, notes, strict=True):
        line = again.get(id(flow))
        why = f"told once for the file, at line {line}" if line else note
        yield _Told(flow, beside, why, also.get(id(flow), ()), diff.after)


def _rank(finding: Finding) -> tuple[float, str, int]:
    return -finding.confidence, finding.path, finding.line


def _distinct(findings: Iterator[tuple[Finding, bool]]) -> Iterator[Finding]:
    """Of those with one fingerprint each place that a stranger reaches, numbered in their order, and else the surest:
    what is wrong by its form alone is told once.
    """
    kept: dict[str, dict[int, Finding]] = {}
    for finding, is_sent in findings:
        places = kept.setdefault(finding.subject, {})
        place = finding.line if is_sent else 0
        known = places.get(place)
        if known is None or known.confidence < finding.confidence:
            places[place] = finding
    for subject, places in kept.items():
        named, first = _numbered(subject)
        reached = [places[place] for place in sorted(places) if place or len(places) == 1]
        for number, finding in enumerate(reached, start=first):
            yield replace(finding, subject=named if number == 1 else f"{named}#{number}")


def holds(finding: Finding, world: World, files: Files) -> bool:
    """Whether the file has it still, beside those of its kind that were there before it."""
    from leeboard.security.taint.doubts.only_logged import why_logged  # noqa: PLC0415 - where one was found

    text = files.text(finding.path)
    if text is None:
        return files.exists(finding.path) is not False
    subject, number = _numbered(finding.subject)
    flows = _flows(text, _read_as(finding.path, text))
    same = [flow for flow in flows if subject in {_subject(finding.path, flow), _in_a_piece(finding.path, flow)}]
    return len({flow.sink_line for flow in same}) >= number and any(
        not why_logged(finding.path, text, flow) for flow in same
    )


def new_flows(diff: Diff, base: BaseFiles) -> list[tuple[Flow, int]]:
    """Flows that were not there before this change, each with how many others like it are, in the same function; where
    nobody knows what was, those with a line it wrote.
    """
    language = _read_as(diff.path, diff.after) if diff.path else ""
    if not language or not (diff.added or has_lost(diff)) or was_generated(diff.path, diff.after, diff.before):
        return []
    text = _dedented(diff)
    if not _is_worth_following(text, language):
        return []
    if _is_a_part(diff) and not _may_concern_a_flow(text, language, (*diff.added, *beside_lost(diff))):
        return []
    flows = _flows(text, language)
    if flows and diff.before is None:
        from leeboard.analysis.patch import against_commit  # noqa: PLC0415 - only where one was found

        diff = against_commit(diff, base)
    if not flows or not diff.before:
        return [(flow, 0) for flow in flows if any(diff.wrote(line) for line in flow.steps)]
    new = unmatched(flows, _flows(diff.before, language))
    old = [flow for flow in flows if flow not in new]
    made = (flow for flow in new if _is_made_by(flow, diff, language))
    return [(flow, len({one.sink_line for one in old if _is_fed_otherwise(flow, one)})) for flow in made]


def _is_a_part(diff: Diff) -> bool:
    """Whether the file has lines that the change left alone: where it wrote all of them, all of it is followed."""
    lines = diff.after.count("\n") + (not diff.after.endswith("\n"))
    return not diff.fragment and not diff.is_new and diff.added != ((1, lines),)


def unmatched(flows: Sequence[Flow], earlier: Sequence[Flow]) -> list[Flow]:
    """Those that none of the earlier ones is the same as, each taken once: also in a function that was renamed, from a
    value that was renamed, unless it is surer by now.
    """
    left, new = list(earlier), list(flows)
    for same in (_is_itself, _is_moved, _is_fed_otherwise):
        remaining: list[Flow] = []
        for flow in new:
            old = next((other for other in left if same(flow, other) and flow.confidence <= other.confidence), None)
            left.remove(old) if old is not None else remaining.append(flow)
        new = remaining
    return new


def _is_itself(flow: Flow, other: Flow) -> bool:
    return _within(flow) == _within(other) and _is_moved(flow, other)


def _is_moved(flow: Flow, other: Flow) -> bool:
    return (flow.kind, flow.sink, flow.source) == (other.kind, other.sink, other.source)


def _is_fed_otherwise(flow: Flow, other: Flow) -> bool:
    return (flow.kind, flow.sink, _within(flow)) == (other.kind, other.sink, _within(other))


def _is_made_by(flow: Flow, diff: Diff, language: str) -> bool:
    """It goes over a written line, or past a place where lines are gone, as a check may be; or one names what it goes
    through, as an import or a route does. Of a file that could not be read before, nobody knows what was in it.
    """
    if any(map(diff.wrote, flow.steps)) or goes_past(diff, *_ends(flow)):
        return True
    if not diff.added:
        return _was_readable(diff, language)
    names = {flow.sink.partition(".")[0], flow.sink.rpartition(".")[2], flow.function}
    lines = diff.after.split("\n")
    written = " ".join(line for first, last in diff.added for line in lines[first - 1 : last])
    return bool(names & set(_NAME.findall(written))) and _was_readable(diff, language)


def _ends(flow: Flow) -> Span:
    lines = (flow.sink_line, *flow.steps)
    return min(lines), max(lines)


def _was_readable(diff: Diff, language: str) -> bool:
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(diff.before or "", language)
    return tree is not None and not tree.errors


def _dedented(diff: Diff) -> str:
    """A piece of a file starts where it stands in it."""
    first = diff.after.lstrip("\n")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    if not diff.fragment or not indent:
        return diff.after
    return "\n".join(line.removeprefix(indent) for line in diff.after.split("\n"))


def _read_as(path: str, text: str) -> str:
    """The language of a file, or the ending by which it is known as a template."""
    language = language_of(path, text[:200])
    if language not in _MAY_BE_TEMPLATES:
        return language
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - most files are no templates

    return template_of(path) or language


@lru_cache(maxsize=16)
def _may_concern_a_flow(text: str, language: str, written: tuple[Span, ...]) -> bool:
    """Whether it is worth to follow the whole file: what is written into a function concerns it and those it is called
    by, and most often no flow leads there.
    """
    from leeboard.security.taint.flow import touches_flow  # noqa: PLC0415 - files that may hold a sink pay for it
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(text, language) if not language.startswith(".") else None
    return tree is None or touches_flow(tree, written) is not False


@lru_cache(maxsize=16)
def _flows(text: str, language: str) -> tuple[Flow, ...]:
    if language.startswith("."):
        from leeboard.security.taint.template import template_flows  # noqa: PLC0415 - as above

        return _once_a_line((*template_flows(text, language), *_of_scripts(text)))
    if not _is_worth_following(text, language):
        return ()
    from leeboard.security.taint.flow import find_flows  # noqa: PLC0415 - files that may hold a sink pay for it
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(text, language)
    return _once_a_line(find_flows(tree)) if tree is not None else ()


def _of_scripts(text: str) -> tuple[Flow, ...]:
    """What flows in the scripts of a page."""
    if "<script" not in text.lower():
        return ()
    from leeboard.security.taint.page_script import script_flows  # noqa: PLC0415 - pages with a script pay for it

    return script_flows(text)


def _once_a_line(flows: tuple[Flow, ...]) -> tuple[Flow, ...]:
    """One value that goes into one harm on one line is one flow, though it passes two calls there: the surest of them,
    and of equals the outermost, which comes first.
    """
    kept: dict[tuple[object, ...], Flow] = {}
    for flow in flows:
        way = (flow.kind, flow.sink_line, flow.source, flow.source_line)
        known = kept.get(way)
        if known is None or known.confidence < flow.confidence:
            kept[way] = flow
    return tuple(kept.values())


def _is_worth_following(text: str, language: str) -> bool:
    """Whether it is a template, or something is called or set in it and it names a sink."""
    if language.startswith("."):
        return True
    if language not in _WITHOUT_BRACKETS and not _CALLS.search(text):
        return False
    from leeboard.security.taint.table_file import may_flow  # noqa: PLC0415 - files in a known language pay for it

    return may_flow(text, language)


def _announced(world: World, registry: Registry) -> Entry | None:
    """The agent said so; that alone proves nothing."""
    recent = world.agent.turn - _FLAG_TURNS
    flags = (flag for flag in registry.newest("flag", 20) if flag.key in _ANNOUNCES and flag.turn >= recent)
    return next(flags, None)


def _subject(path: str, flow: Flow) -> str:
    return f"{path}:{_within(flow)}:{flow.kind}:{flow.sink}"


def _in_a_piece(path: str, flow: Flow) -> str:
    """Its subject where only a piece of the file was seen, without the class or the route around it."""
    return f"{path}:{flow.function}:{flow.kind}:{flow.sink}"


def _within(flow: Flow) -> str:
    return flow.within or flow.function


def _numbered(subject: str) -> tuple[str, int]:
    """What a subject names, and the how manieth of its kind it is."""
    named, _, number = subject.rpartition("#")
    return (named, int(number)) if named and number.isdecimal() else (subject, 1)


def _finding(path: str, told: _Told, rework: int, flag: Entry | None) -> Finding:
    from leeboard.security.taint.at_rest import rest_of  # noqa: PLC0415 - where one was found
    from leeboard.security.taint.doubts.only_logged import is_script  # noqa: PLC0415 - as above
    from leeboard.security.taint.said import said_of  # noqa: PLC0415 - as above

    flow, note = told.flow, told.note
    confidence = flow.confidence
    internal = flow.trust not in _SENT and is_script(path)
    if internal:
        confidence = min(confidence, _INTERNAL)
    doubt = flow.doubt
    if confidence > _SHOWN and (is_sample(path) or is_measurement(path) or is_trial(path)):
        confidence, doubt = _SHOWN, "nobody serves an example, a benchmark or a trial"
    reason = f"{said_of(flow)} at {path}:{flow.sink_line}"
    rest = rest_of(path, told.text, flow, is_refused=confidence > DENIED_ABOVE)
    return Finding(
        rule="injection",
        subject=_subject(path, flow) + (f"#{told.beside + 1}" if told.beside else ""),
        evidence=(
            Evidence(reason),
            Evidence(f"B2: {flow.kind} sink {flow.sink}, source {flow.trust or 'none'}, confidence {confidence:g}"),
            Evidence(f"lines on the way: {', '.join(str(line) for line in flow.steps)}; no check or escape among them"),
            *([Evidence(f"no refusal: {doubt}")] if doubt else []),
            *([Evidence("a script of the machine's own people: at most 0.5")] if internal else []),
            *([Evidence(f"{flag.key}: announced in turn {flag.turn}")] if flag is not None else []),
            *([Evidence(f"at most logged: {note}")] if note else []),
        ),
        confidence=confidence,
        path=path,
        line=flow.sink_line,
        message=f"{reason}. {flow.advice}{_also(told.also)}",
        signal=Signal(
            subclass="B2",
            rework_cost=rework,
            self_correct_prob=HIGH,
            log_only=note,
            at_rest=rest.why,
            rests_at=rest.at_most,
            symbol=flow.function if flow.function.isidentifier() else "",
            steps=flow.steps,
        ),
        remedy=flow.advice,
    )


def _also(lines: tuple[int, ...]) -> str:
    """The other places of a habit, as far as a reader wants to know them at once."""
    if not lines:
        return ""
    named = ", ".join(str(line) for line in lines[:_NAMED_LINES])
    more = f" and {len(lines) - _NAMED_LINES} more" if len(lines) > _NAMED_LINES else ""
    return f" The same at line{'s' if len(lines) > 1 else ''} {named}{more}."
