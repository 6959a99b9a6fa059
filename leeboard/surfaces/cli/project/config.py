"""`leeboard config`: show, schema."""

from __future__ import annotations

import json
import os

import click

from leeboard.app.views.settings import SettingView, settings_page
from leeboard.io.places import current_project
from leeboard.settings.schema import settings_schema
from leeboard.surfaces.cli.screen import json_option, print_view, say, screen, words


@click.group(epilog="Example:  leeboard config show --origin")
def command() -> None:
    """Show the settings that count here, and the JSON Schema of leeboard.toml."""


@command.command(epilog="Example:  leeboard config show --origin")
@click.option("--origin", is_flag=True, help="Also where each comes from: file and line, variable, or default.")
@json_option
def show(*, origin: bool, as_json: bool) -> None:
    """Show every setting as it counts in this project.

    What is printed is a valid leeboard.toml, but for `enabled`, which only LEEBOARD_OFF switches off. With --json each
    setting always says where it comes from.
    """
    page = settings_page(current_project(), os.environ)
    console = screen()
    for setting in page.settings:
        if as_json:
            print_view(setting)
        else:
            console.print(
                words(f"{setting.key} = {_toml(setting.value)}", (_comment(setting) if origin else "", "dim"))
            )
    for note in page.notes:
        say(note)


@command.command(epilog="Example:  leeboard config schema > leeboard.schema.json")
def schema() -> None:
    """Print the JSON Schema of leeboard.toml, for editors that complete and check it.

    With `#:schema ./leeboard.schema.json` as its first line, Taplo, Tombi and the extensions built on them use it.
    """
    click.echo(json.dumps(settings_schema(), indent=2))


def _comment(setting: SettingView) -> str:
    said = f"  # {', '.join(setting.origin)}"
    return f"{said}; {setting.asleep} says otherwise and does not count" if setting.asleep else said


def _toml(value: object) -> str:
    """Texts, numbers, truth values and lists of them are written in TOML as JSON writes them, but for DEL."""
    return json.dumps(value).replace("\x7f", "\\u007f")
