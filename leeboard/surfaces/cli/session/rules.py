"""`leeboard rules`."""

from __future__ import annotations

import os

import click

from leeboard.app.views.own_rules import SampleRun, new_rule, test_rules
from leeboard.app.views.rules import RuleView, rule_views
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.model.verdict import class_of
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, screen, table, words


@click.group(invoke_without_command=True, epilog="Example:  leeboard rules --json | jq -r .id")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """List the rules; write rules of your own and run their samples.

    A rule that refuses always does so under the profile `advise` too, one that refuses what is certain as well.
    Those of `enforce` refuse there alone, where they bring the score below 5; the others only speak.
    `leeboard explain RULE` shows a rule's page.
    """
    if ctx.invoked_subcommand is not None:
        if as_json:
            ctx.fail(f"put --json after {ctx.invoked_subcommand}")
        return
    rules = rule_views(current_project(), os.environ)
    if as_json:
        for rule in rules:
            print_view(rule)
        return
    rows = [
        (rule.code, words((rule.id, "bold")), class_of(rule.subclass).title or "-", _refuses(rule), rule.summary)
        for rule in rules
    ]
    table(("CODE", "RULE", "ABOUT", "REFUSES", "WHAT IT FLAGS"), rows, screen())


def _refuses(rule: RuleView) -> str:
    """When it refuses; that it is off here, or who else wants it on."""
    if rule.off:
        return "off here"
    return f"{rule.refuses} ({rule.origin})" if rule.origin else rule.refuses


@command.command(epilog="Example:  leeboard rules new use-the-logger")
@click.argument("name")
@json_option
def new(name: str, *, as_json: bool) -> None:
    """Write a rule of your own to start from: `.leeboard/rules/NAME.yml`, with samples that run."""
    path = new_rule(current_project(), name)
    if as_json:
        print_json({"kind": "own_rule_file", "path": path})
        return
    screen().print(words("wrote ", (path, "bold")))
    screen().print(words(("change it, run `leeboard rules test`, then `leeboard trust` lets it count", "dim")))


@command.command(epilog="Example:  leeboard rules test")
@json_option
@click.pass_context
def test(ctx: click.Context, *, as_json: bool) -> None:
    """Run the samples of your own rules; exit 1 where one does not hold, 2 where a file can not be read."""
    run = test_rules(current_project())
    if as_json:
        print_view(run)
    else:
        _print(run)
    if run.problems:
        raise ConfigError(f"{len(run.problems)} of the files can not be read as rules")
    ctx.exit(0 if run.failed == 0 else 1)


def _print(run: SampleRun) -> None:
    console = screen()
    for problem in run.problems:
        console.print(words((problem, "red")))
    for sample in run.samples:
        if not sample.holds:
            expected = "speaks of" if sample.fires else "is silent about"
            console.print(words((f"{sample.place}: {sample.rule} should be one that {expected} this sample", "red")))
    for rule in run.untested:
        console.print(words((f"{rule} has no samples that fire: nobody knows whether it ever does", "yellow")))
    console.print(words(f"{run.rules} rules, {len(run.samples)} samples, {run.failed} that do not hold"))
