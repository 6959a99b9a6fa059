"""`leeboard flow new`: a piece of work begins, from a title or from what somebody wrote down."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from leeboard.app.views.plan import blockers
from leeboard.errors import ConfigError
from leeboard.model.plan import Plan
from leeboard.model.studio import Studio
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.studios import DEFAULT, default_studio, list_studios, load_studio
from leeboard.plan.files.written_spec import WrittenSpec, read_spec
from leeboard.plan.machine.stage_moves import MODES, asks_nobody
from leeboard.plan.words import explained
from leeboard.secrets.redaction import redact
from leeboard.surfaces.cli.flow.place import CurrentFlow, meant
from leeboard.surfaces.cli.flow.view import WITHOUT_GIT, show_slips
from leeboard.surfaces.cli.person import is_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_wrapped, screen, words
from leeboard.text.words import counted

LARGEST_SPEC = 1 << 18
_STDIN = "-"


@click.command(epilog="Example:  leeboard flow new --from issue.md")
@click.argument("title", default="")
@click.option(
    "--from",
    "source",
    default="",
    metavar="FILE|-|TEXT",
    help="A written wish: a file, - for stdin, or the text itself. Title, goal and criteria are taken from it.",
)
@click.option("--description", default="", metavar="TEXT", help="What is wanted, and why.")
@click.option("--slug", "named", default="", help="Its short name; else made from the title.")
@click.option(
    "--studio",
    default="",
    help=f"How it is worked on; else `studio` of .haiku/settings.yml, or {DEFAULT}.",
)
@click.option("--mode", type=click.Choice(list(MODES)), default="continuous", show_default=True)
@json_option
def new(title: str, source: str, *, as_json: bool, **given: str) -> None:
    """Begin a piece of work, called an intent.

    With --from it begins with what was written down: an issue, a ticket, a few sentences, or what `gh issue view 12`
    prints, piped in. Nothing is fetched.
    """
    flow = CurrentFlow()
    if source and given["description"]:
        raise ConfigError("--from and --description both say what is wanted: give one of them")
    spec = _spec(source) if source else WrittenSpec(title="", goal="", criteria=(), body=given["description"])
    chosen = _usable(flow, given["studio"] or default_studio(flow.home))
    by_person = is_person()
    refusal = None if by_person else asks_nobody(chosen)
    if refusal:
        raise ConfigError(refusal.message)
    made = flow.engine.create(_title(title, spec), spec.body, given["named"], chosen.slug, given["mode"])
    if by_person:
        flow.engine.keep_choice(made, chosen)
    plan = flow.engine.look(made)
    home = flow.home
    path = PlanFolder(home).spelled(layout.intent_file(made))
    slips = (*chosen.complaints, *_around(plan))
    if as_json:
        told = {"title": plan.intent.title, "goal": spec.goal, "criteria": list(spec.criteria), "studio": chosen.slug}
        print_json({"intent": made, "path": path, **told, "warnings": list(slips)})
        return
    begins = f"`leeboard flow next{'' if meant(flow) == made else f' --intent {made}'}` begins it"
    screen().print(words("made ", (made, "bold"), f" ({path}); {begins}"))
    if home != flow.engine.top:
        beside = f"{home}; {flow.engine.top} stays as it is. Start its agent there"
        print_wrapped(words(("  work tree  ", "dim")), words(beside), screen())
    _show_beginning(spec, chosen, written=bool(source))
    show_slips(slips, screen())


def _title(given: str, spec: WrittenSpec) -> str:
    title = given or spec.title
    if not title:
        raise ConfigError("nothing says what is wanted: give a TITLE, or --from FILE, - or TEXT")
    return title


def _show_beginning(spec: WrittenSpec, studio: Studio, *, written: bool) -> None:
    console = screen()
    if written:
        rows = [("title", spec.title), *([("goal", spec.goal)] if spec.goal else [])]
        rows += [("must hold", f"[ ] {each}") for each in spec.criteria]
        none = [("must hold", "nothing is named: the plan will have to say when it is done")]
        fields([*rows, *(none if not spec.criteria else ())], console, indent=2)
    asked = [stage for stage in studio.stages if stage.review != ("auto",)]
    way = " -> ".join(stage.name for stage in studio.stages)
    who = (
        f"you decide over the plan and over the result of {counted(len(asked), 'stage')}"
        if asked
        else "nobody is asked"
    )
    print_wrapped(words(("  studio     ", "dim")), words(f"{studio.slug} ({way}): {who}"), console)
    print_wrapped(words(("  words      ", "dim")), words((explained("intent", "studio"), "dim")), console)


def _spec(source: str) -> WrittenSpec:
    """ConfigError where there is no such file, or no words in it."""
    text = redact(_text(source))
    spec = read_spec(text)
    if not spec.title:
        raise ConfigError(f"--from {source[:60]!r} has no words in it: there is nothing to begin with")
    return spec


def _text(source: str) -> str:
    if source == _STDIN:
        return _decoded(sys.stdin.buffer.read(LARGEST_SPEC + 1), "stdin")
    if "\n" in source or " " in source.strip():
        return _decoded(source.encode("utf-8", "surrogateescape"), "the text")
    if source.startswith(("https://", "http://")):
        raise ConfigError(
            f"--from {source[:80]!r} is an address, and nothing is fetched: print it and pipe it in, such as "
            "`gh issue view NUMBER | leeboard flow new --from -`"
        )
    path = Path(source)
    if not path.is_file():
        raise ConfigError(f"--from {source[:80]!r} is no file here; a text has more than one word, stdin is -")
    with path.open("rb") as file:
        return _decoded(file.read(LARGEST_SPEC + 1), source)


def _decoded(data: bytes, called: str) -> str:
    if len(data) > LARGEST_SPEC:
        raise ConfigError(f"--from: {called} is larger than {LARGEST_SPEC >> 10} KB: give what is wanted, and no more")
    if b"\0" in data:
        raise ConfigError(f"--from: {called} is no text")
    return data.decode("utf-8", "replace")


def _around(plan: Plan) -> tuple[str, ...]:
    """What is to be known before the work begins: slips in the settings, and whether git is there and ready."""
    without = f"git: {WITHOUT_GIT}; `git init` before you begin changes that"
    return (*plan.notes, *(blockers(plan) if plan.git.available else (without,)))


def _usable(flow: CurrentFlow, name: str) -> Studio:
    """ConfigError for a studio that is none, or that no work could go through."""
    found = load_studio(flow.home, name)
    if found is None:
        known = ", ".join(each.slug for each in list_studios(flow.home))
        raise ConfigError(f"there is no studio {name!r}; there are {known}")
    refuse_unusable(flow, found)
    return found


def refuse_unusable(flow: CurrentFlow, studio: Studio | None) -> None:
    if studio is not None and studio.unusable:
        raise ConfigError(f"{studio.unusable}: put it right below {flow.home}/.haiku/studios/, then call again")
