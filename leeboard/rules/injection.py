"""A foreign value reaches SQL, a shell, a page, a path or code without being checked.

## What it catches
A value that an outsider sends, followed within one file through assignments, containers, built strings and functions
into a call where it does harm: SQL, a shell, `eval`, HTML, a file path, an address to fetch, a redirect, LDAP, XPath,
XML entities, a deserialiser, the source of a template, a log. Also:

- a request body that becomes a record's fields as it came, so that its sender sets fields nobody asked for;
- the names in an archive that become file paths (queued, whoever hands the archive in);
- calls that are unsafe by themselves, such as `yaml.load` without a safe loader;
- what should not go out (queued): a stack trace in an answer, unless the function asks whether it runs for developers;
  a password in a log; an answer with credentials that any origin may read.

Above a confidence of 0.85 it is refused before the file is written.

## Who the attacker is
Whoever sends a request, a message or an upload, or hands in a file. Not the person who types the command line or sets
the environment, not the caller of an internal function, not the repository's own data, and not the page's own address:
a visitor who is sent back to it stays in place, but anyone can choose a parameter that is read from it.

A parameter is foreign only where a framework makes it so: in a route, a handler (also one that is returned or passed
as a closure), a consumer, a resolver, an action, a remote service, a tool that a model calls. A function that reads
`request.GET` or `request.form` counts as a handler, whatever its file imports. What a visitor sends and the code keeps
in the visitor's own session harms nobody else; kept under a key that says who the visitor is, or that the visitor
chose, it is queued. What the machine's own people type has a confidence of 0.5 and goes by the formula (but for what a
prompt asks for and is run as code); their environment is logged.

## What happens
**Refused** is what leaves no doubt: such an entry, a sink, and a way between them on which every step is understood
and nothing looks at the value. A doubt makes it **queued**, and the evidence names the doubt:

- *It may have been checked.* A test in this file asks more of it, or of the same field, than whether it is there, what
  type it has or how long it is; a class in another file may check it; something called a check stands in front of the
  handler; characters in it are replaced (more than one tag that is spelled out); a host's name is looked for anywhere
  in it; a model let it through; it only took another form on its way into a query, a command, code or a loader.
- *It may do no harm there.* The page may escape it; nothing says that the store knows operators; a library does the
  merging; whatever sends the file refuses two dots in a path.
- *There is little to choose.* A path begins or ends with a fixed text, or is one segment of an address, which holds no
  slash; the value is a part of an address whose pattern stands in another file; it is an address that the same
  function takes apart, or the page's own, which goes back to its sender.
- *It is what the program is for.* A whole clause of a query is sent, as to a console; the program manages a database,
  or the accounts in one; the function it is handed to exists to run code; it is an example, a benchmark or a trial
  beside the product.

**Logged**, with the reason: what passed a check in another file, or came out of a function that is not in this file; a
header that goes back to its sender; the whole of the page's address, shown as browsers encode it; an address that
begins with something of the program's own; one segment of the own address; the path of a handler for one address; a
text for a store, of which nothing is a statement; the name of a program to load between a folder and a fixed ending;
log lines and response headers, in which servers refuse line breaks.

A flow that the file had before the change is nobody's new fault. It counts where it was not there, or was less sure.
An import or a route that makes an older line dangerous counts, and so does a check that is taken out.

## Committed code
All of this holds in a session, in a change, and on lines that git does not have yet. A `leeboard scan` of committed
code, or of code outside of git, says less: it has run, and most of what looks like a fault there was looked at.

Refused is only a field that a request names, on a way of at most twenty-five lines, into SQL, a command, code, a
deserialiser, a template's source or text between tags, and not in what installs, shows or tries out the program. The
rest is queued, with what it lacks. Groups that were hardly ever a fault where they were read are logged, each with its
reason (`data/security/at_rest.toml`): a way of ninety lines and more; a value that something looks at before it
reaches a page, an address or a file; an address that goes back to its sender as a browser sends it; a part of an
address whose pattern stands in another file; a path that a container has settled; the name of an attribute; a
parameter of a private function or of a script of the machine's own people; what an example shows; a form's field that
its sender is redirected to. A flow counts as committed if all of its lines are, and if no new line of the file names
its function or its sink.

## Templates
Vue, Svelte, Astro, Jinja, Django, Twig, Thymeleaf, ERB, Haml, Slim, EJS, Pug, Blade, Razor, JSP, Handlebars and
Mustache are read by patterns. What they write unescaped is refused where the same file shows that the request brings
it, and logged where the value comes from code elsewhere. Scripts in a page, a Vue or a Svelte file are followed as
files of their own. Templates of other engines are not analysed.

## Why it matters
An injection is found by attackers, not by tests: the code works. It costs a line now and an incident later.

## Example
`cursor.execute(f"SELECT * FROM users WHERE name = '{request.args['name']}'")`

## Known limits
- **One file.** What another module returns is taken for what went in; what it stores is not followed. A function that
  many places call is followed for four different constants, and from then on only for another foreign value.
- **What ends a way:** a cast, an escape made for that sink, an allow-list, a narrow pattern, a parameter of the
  statement.
- **Plain parameters count 0.6 and are logged:** in real sessions they were helpers of command-line tools. They are
  spoken of where the code is wrong whoever calls it: a value stands in the text of a query, is a word of a shell line
  (but for scripts of the machine's own people) or runs as code; a field that somebody typed (a name, a title) stands
  between two tags that are called safe, or a template's filter puts there what it is given; or the name says that a
  stranger sends it (`user_input`, `cookie`). Not where the name says that it is code, a command's options, a number or
  was made safe, and not in a vendored library.
- **Repeated:** what a file does again and again with such parameters, or with calls that are unsafe by themselves, is
  told once, at its surest place, with the lines of the others.
- **Loaders** that only harm by foreign bytes (`pickle.load`, a `FullLoader`) are logged while no outside caller is
  seen. So is a value of unknown origin that the file itself sets, and what JavaScript, PHP and Ruby run as code for a
  caller.
- **Models** that check their fields (pydantic, marshmallow, zod, Joi) are judged field by field where the class stands
  in the file: numbers, dates, identifiers and choices are harmless, a plain text is what was sent. For a class defined
  elsewhere (a message's getter, too), and for a text that it limits, everything counts 0.8 at most.
- **Very large files:** what a stranger reaches is followed first, and when the steps for a file are spent, a scan says
  at which lines it was analysed in part. A text of which thousands of places can not be parsed is not followed at all.
- **Tests and migrations** are logged, and so is code run by a tool made for that (a console, a debugger, a template
  engine), unless a request brings the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from leeboard.analysis.brought_flows import brought_flows, flows_of, read_as, within
from leeboard.model.event import FilesChanged, ToolFinished, ToolProposed
from leeboard.model.ledger import Entry
from leeboard.model.lookup import BaseFiles, Files, Registry
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.language import is_measurement, is_sample, is_trial

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
    found = [(diff, flows) for diff in diffs if (flows := brought_flows(diff, base))]
    elsewhere = {entry.path for entry in registry.find("signal", ("injection",))} if found else set()
    systemic = len(elsewhere.union(diff.path for diff, _flows in found)) >= SYSTEMIC
    flag = _announced(world, registry) if found else None
    findings = [
        (_finding(diff.path, one, 4 if systemic else min(3, 1 + len(flows)), flag), one.flow.trust in _SENT)
        for diff, flows in found
        for one in _told(diff, flows)
    ]
    least = DENIED_ABOVE if isinstance(event, ToolProposed) else 0.0
    told = sorted(_distinct(item for item in findings if item[0].confidence > least), key=_rank)
    yield from told if world.tells_all else told[:MOST]


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
    flows = flows_of(text, read_as(finding.path, text))
    same = [flow for flow in flows if subject in {_subject(finding.path, flow), _in_a_piece(finding.path, flow)}]
    return len({flow.sink_line for flow in same}) >= number and any(
        not why_logged(finding.path, text, flow) for flow in same
    )


def _announced(world: World, registry: Registry) -> Entry | None:
    """The agent said so; that alone proves nothing."""
    recent = world.agent.turn - _FLAG_TURNS
    flags = (flag for flag in registry.newest("flag", 20) if flag.key in _ANNOUNCES and flag.turn >= recent)
    return next(flags, None)


def _subject(path: str, flow: Flow) -> str:
    return f"{path}:{within(flow)}:{flow.kind}:{flow.sink}"


def _in_a_piece(path: str, flow: Flow) -> str:
    """Its subject where only a piece of the file was seen, without the class or the route around it."""
    return f"{path}:{flow.function}:{flow.kind}:{flow.sink}"


def _numbered(subject: str) -> tuple[str, int]:
    """What a subject names, and the how manieth of its kind it is."""
    named, _, number = subject.rpartition("#")
    return (named, int(number)) if named and number.isdecimal() else (subject, 1)


def _finding(path: str, told: _Told, rework: int, flag: Entry | None) -> Finding:
    from leeboard.security.taint.at_rest import rest_of  # noqa: PLC0415 - where one was found
    from leeboard.security.taint.doubts.only_logged import is_script  # noqa: PLC0415 - as above
    from leeboard.security.taint.said import said_of, why_queued  # noqa: PLC0415 - as above

    flow, note, way = told.flow, told.note, told.flow.way or told.flow.steps
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
            Evidence(f"lines on the way: {', '.join(str(line) for line in way)}; no check or escape among them"),
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
            doubt=why_queued(flow, doubt, DENIED_ABOVE),
            at_rest=rest.why,
            rests_at=rest.at_most,
            symbol=flow.function if flow.function.isidentifier() else "",
            steps=way,
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
