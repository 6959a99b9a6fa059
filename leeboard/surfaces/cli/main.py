"""The command line. A command's module is imported when it is called, so that `--version` and `hook` stay fast.

README lists the exit codes; each error says its own (`leeboard.errors`).
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

import leeboard
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io.clock import iso, now
from leeboard.io.places import current_project, make_private_dir, state_dir
from leeboard.model.text import compile_with, nearest
from leeboard.secrets.given_text import holds_secret
from leeboard.secrets.redaction import redact

COMMANDS = {
    "init": "Put the hooks into the settings of Claude Code, or of another client.",
    "uninstall": "Take them out again, byte for byte.",
    "run": "Run a coding agent behind the proxy.",
    "proxy": "Stand between coding agents and their models.",
    "status": "Is the guard alive here, and what does it think?",
    "statusline": "One line for the client's status line.",
    "doctor": "Check everything the guard needs; --fix repairs it.",
    "bench": "How long the guard really took here, by event and by rule.",
    "pause": "Let agents work for a while without a word or a refusal.",
    "resume": "End a pause.",
    "trust": "Trust what this repository brings: show it, and ask.",
    "untrust": "Take trust back.",
    "watch": "What is said to the agents of this project, live.",
    "restore": "Put back work that is gone: list it, restore it.",
    "drift": "Which files others changed: status, diff, accept.",
    "check": "Check the work tree against its contract.",
    "contract": "What the work promised: start, show, set-touch, ensure, end.",
    "flow": "Drive and inspect a workflow that lives on disk.",
    "mcp": "Serve the workflow to an agent over MCP.",
    "serve": "Serve the page where people look and decide.",
    "open": "Open the page in a browser.",
    "monitor": "Report drift of tasks in progress as events.",
    "redirect": "Act on the events of a monitor, each once.",
    "steer-tree": "Monitor and redirect together.",
    "scan": "Look for secrets, injections and weak cryptography in files.",
    "test": "What would be thought of a command or a file, and why.",
    "report": "What a session amounts to: scores, what was said, files.",
    "why": "How a score or a correction came about.",
    "recall": "What past sessions knew about a question or a path.",
    "scope": "Show what the work may touch; widen or narrow it.",
    "allow": "Let a finding stand, with a reason and an end.",
    "replay": "Judge recorded sessions as if they happened now.",
    "backtest": "What would it have said over your sessions, and was it right?",
    "index": "What is known of the code of this work tree.",
    "config": "The settings that count here; their JSON Schema.",
    "docs": "Read these pages without a network.",
    "completion": "Print what makes a shell complete our commands.",
    "rules": "List the rules.",
    "explain": "Show the page of a rule.",
    "demo": "Play a recorded session and show what Leeboard says.",
    "hook": "Answer one hook payload from stdin, for debugging.",
    "telemetry": "Tell an OpenTelemetry collector what the guard does: status, ship.",
    "team": "Share records with a team's PostgreSQL: status, ship, sql, policy.",
    "export": "Print all that is kept about this project.",
    "purge": "Forget old sessions, or all about this project.",
}
USAGE, INTERRUPTED = 2, 130
_FOLDERS = {
    "session": "run watch scan test report why recall scope allow replay backtest rules explain",
    "tree": "restore drift check contract monitor redirect steer-tree",
    "flow": "flow",
}
"""The folder of `surfaces/cli` in which each command lies; those of the project as a whole are not listed."""


class LazyGroup(click.Group):
    """Knows its commands by name and imports the one that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        folder = next((folder for folder, names in _FOLDERS.items() if cmd_name in names.split()), "project")
        module = importlib.import_module(f"leeboard.surfaces.cli.{folder}.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)  # noqa: S101 - every module of COMMANDS defines one
        return watched(command, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], COMMANDS)
            ctx.fail(f"there is no command {args[0]!r}{f'; did you mean `leeboard {near}`?' if near else ''}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """From the table: importing every command would make the person wait at each Tab."""
        found = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return found or super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `leeboard demo`, then `leeboard init` in a repository of yours.",
)
@click.option(
    *("--version", "version"),
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, _param, asked: _tell_version(ctx) if asked else None,
    help="Show the version and exit; with --json for programs.",
)
@click.option("--json", "as_json", is_flag=True, is_eager=True, hidden=True)
@click.pass_context
def cli(ctx: click.Context, *, as_json: bool) -> None:
    """Leeboard keeps coding agents on course.

    It knows what the agent was asked to do, scores every edit and command from 1 to 10, says one clear thing when the
    work slides away, and refuses the few things that must not pass. Everything stays on this machine, but for
    what the proxy carries for your client and what you have configured to leave it: a team, telemetry, --on, a
    webhook, a judging model.
    """
    if as_json:
        ctx.fail(f"put --json after {ctx.invoked_subcommand}")


def _tell_version(ctx: click.Context) -> NoReturn:
    """For programs also what runs it, which is what a report of a fault has to name."""
    version = leeboard.__version__
    if ctx.params["as_json"]:
        python = ".".join(map(str, sys.version_info[:3]))
        told = {"kind": "version", "version": version, "python": python, "platform": sys.platform}
        click.echo(json.dumps(told | {"program": str(Path(leeboard.__file__).parent)}))
    else:
        click.echo(f"leeboard, version {version}")
    ctx.exit()


def main() -> NoReturn:
    """The script's entry."""
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: PTH123, SIM115 - closed by who started it
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that can not show a character is no reason to fail
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command line; every failure becomes one clear line and its exit code."""
    try:
        _say_aloud(arguments)
        with _patterns_for(next(iter(arguments), "")):
            code = cli.main(args=arguments or ["--help"], prog_name="leeboard", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of this surface: nobody should have to read a traceback
        code = _ended_by(error, _tell_program if arguments[:1] == ["flow"] and "--json" in arguments else _complain)
        return 1 if arguments[:1] == ["check"] and code > USAGE else code
    return code if isinstance(code, int) else 0


_JUDGES = frozenset({"scan", "check"})
"""Commands that compile hundreds of patterns to look at a few files."""


@contextmanager
def _patterns_for(name: str) -> Iterator[None]:
    if name not in _JUDGES:
        yield
        return
    from leeboard.surfaces.kept_patterns import MOST_OF_A_COMMAND, KeptPatterns, patterns_file  # noqa: PLC0415 - as below

    file = patterns_file(os.path.dirname(leeboard.__file__), name)  # noqa: PTH120 - the spelling of the interpreter
    patterns = KeptPatterns(file, MOST_OF_A_COMMAND)
    patterns.use()
    try:
        yield
    finally:
        compile_with(re.compile)
        patterns.save()


_SAYS_ITSELF = frozenset({"status", "statusline", "doctor", "hook", "mcp", "pause", "resume", "init", "uninstall"})
"""Commands that show it in their own way, or that end it; the server for agents says it when it loads its tools."""


def _say_aloud(arguments: list[str]) -> None:
    """Whatever the person asks for, they are told first that the guard here is paused, or was not heard when it had to
    be: on stderr, so that no program that reads the answer stumbles over it.
    """
    name = next(iter(arguments), "")
    if name not in COMMANDS or name in _SAYS_ITSELF or {"--help", "-h"} & set(arguments):
        return
    from leeboard.app.pause import may_be_loud  # noqa: PLC0415 - what a hook waits for does not need it

    root = current_project()
    if not may_be_loud(root):
        return
    from leeboard.app.guard.alive import loud_words  # noqa: PLC0415 - as above
    from leeboard.surfaces.cli.screen import say  # noqa: PLC0415 - as above

    for line in loud_words(root, os.environ):
        say(redact(line))


def _ended_by(error: Exception, tell: Callable[[str, int, str], int]) -> int:
    match error:
        case click.Abort():
            return INTERRUPTED
        case click.ClickException():
            return _show_help(error) if isinstance(error, _NO_COMMAND) else tell(_usage(error), USAGE, "wrong_use")
        case LeeboardError():
            return tell(str(error), error.exit_code, error.kind)
        case BrokenPipeError():
            return _reader_left()
        case OSError():
            return tell(f"{error.filename or 'the system'}: {error.strerror or error}", 5, "not_done")
    return tell(keep_crash(error), 3, "crashed")


_NO_COMMAND = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What a group raises that was called without a command; click 8.1 ends with 0 there and raises nothing."""


def _show_help(error: click.ClickException) -> int:
    click.echo(error.format_message(), err=True)
    return USAGE


def _usage(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    return f"{text} (`{context.command_path} --help` shows how)" if context is not None else text


def _complain(text: str, exit_code: int, _kind: str) -> int:
    from leeboard.surfaces.cli.screen import say  # noqa: PLC0415 - only needed where something is wrong

    say(redact(text))
    return exit_code


def _tell_program(text: str, exit_code: int, kind: str) -> int:
    """As a refusal is told: who asked for JSON can read nothing else."""
    from leeboard.surfaces.cli.screen import print_json  # noqa: PLC0415 - only needed where something is wrong

    print_json({"error": kind, "message": " ".join(redact(text).split())})
    return exit_code


def _reader_left() -> int:
    """Whoever read our output has enough: end silently, and keep Python from complaining at exit."""
    import os  # noqa: PLC0415 - only needed where something is wrong

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


# What is typed after a command is looked at for secrets before the command sees it, whatever the command is.


PROSE = frozenset(
    {
        *("allow reason", "pause reason", "scope widen reason", "contract start goal", "contract start non_goals"),
        *(
            "flow new title",
            "flow new description",
            "flow new source",
            "flow say text",
            "flow revisit reason",
            *("flow report text", "flow abandon reason"),
        ),
        *("flow review changes", "flow unit because", "flow unit reject", "flow baseline-reset reason"),
        *("flow classify why", "flow classify title", "flow classify body"),
        *("flow feedback add title", "flow feedback add body", "flow feedback reply text"),
        *("flow feedback fix because", "flow feedback fix again", "flow feedback reject reason"),
    }
)
"""Command and parameter of what people say in their own words: kept without the secret."""
ONLY_READ = frozenset(
    {
        *("scan paths", "replay files", "replay settings", "backtest paths", "backtest settings", "backtest labels"),
        *("run client", "proxy upstreams", "recall question"),
    }
)
"""Files to be looked at, programs to be run, questions: all of it is written nowhere, and shown without a secret."""
FINDINGS = frozenset({"allow what"})
"""`rule:subject`: what follows the name of a rule is no value of that name."""
_ELSEWHERE = {
    "contract start acceptance": "let the command read it from the environment",
    "contract start touch": "rename the file, or name its folder",
    "contract set-touch globs": "rename the file, or name its folder",
    "scope widen paths": "rename the file, or name its folder",
    "allow glob": "rename the file, or name its folder",
}
_NO_TEXT = (click.types.BoolParamType, click.types.IntParamType, click.types.FloatParamType, click.Choice)


class Watched:
    """The callback of a parameter, with a look at what it was given first."""

    def __init__(self, name: str, then: Callable[[click.Context, click.Parameter, Any], Any] | None) -> None:
        self._name = name
        self._then = then

    def __call__(self, ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        value = self._looked_at(value, parameter)
        return self._then(ctx, parameter, value) if self._then else value

    def _looked_at(self, value: Any, parameter: click.Parameter) -> Any:
        if isinstance(value, tuple):
            return tuple(self._looked_at(each, parameter) for each in value)
        if not isinstance(value, str) or self._name in ONLY_READ:
            return value
        if self._name in PROSE:
            return _bare(value, _called(parameter))
        if holds_secret(value.partition(":")[2] or value if self._name in FINDINGS else value):
            step = _ELSEWHERE.get(self._name, "give it without")
            raise ConfigError(f"{_called(parameter)} holds a secret, and would be written down as it is: {step}")
        return value


def watched(command: click.Command, *path: str) -> click.Command:
    """The command, with every parameter of it and of the commands below it watched; the second time nothing changes."""
    for parameter in command.params:
        if takes_text(parameter) and not isinstance(parameter.callback, Watched):
            parameter.callback = Watched(" ".join((*path, parameter.name or "")), parameter.callback)
    for name, each in command.commands.items() if isinstance(command, click.Group) else ():
        watched(each, *path, name)
    return command


def takes_text(parameter: click.Parameter) -> bool:
    """Whether anything at all can be written there."""
    return not isinstance(parameter.type, _NO_TEXT) and not getattr(parameter, "is_flag", False)


def _bare(text: str, called: str) -> str:
    bare = redact(text)
    if bare != text:
        click.echo(f"leeboard: {called} held what looks like a secret: [redacted] is kept in its place", err=True)
    return bare


def _called(parameter: click.Parameter) -> str:
    """As a person writes it."""
    longest = max(parameter.opts, key=len, default="")
    return longest if isinstance(parameter, click.Option) else (parameter.metavar or longest.upper()).strip("[].")


# A fault of Leeboard itself: the person gets one line, whoever repairs it gets a file.


def keep_crash(error: BaseException) -> str:
    """Write the exception down; the line to show, which says where."""
    import traceback  # noqa: PLC0415 - only needed where something is wrong

    what = f"this is a fault of Leeboard ({type(error).__name__})"
    trace = redact("".join(traceback.format_exception(error)))
    page = f"leeboard {leeboard.__version__}, python {sys.version}\n\n{trace}"
    path = Path(state_dir()) / "crashes" / f"{iso(now()).replace(':', '')}-{os.getpid()}.txt"
    try:
        make_private_dir(str(path.parent))
        path.write_text(page, encoding="utf-8", errors="replace")
        path.chmod(0o600)
    except OSError:
        return f"{what}: {redact(str(error))[:200]}; the report could not be written to {path}"
    return f"{what}; a report is in {path}"
