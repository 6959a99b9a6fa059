from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from leeboard.errors import ConfigError
from leeboard.surfaces.cli.main import Watched, takes_text, watched
from tests.leak import live_key


def made() -> click.Command:
    @click.command()
    @click.argument("paths", nargs=-1)
    @click.option("--reason", callback=lambda _ctx, _parameter, value: f"<{value}>")
    @click.option("--count", type=int)
    @click.option("--loud", is_flag=True)
    def command(paths: tuple[str, ...], reason: str, count: int | None, *, loud: bool) -> None:
        click.echo(f"{paths} {reason} {count} {loud}")

    return watched(watched(command, "allow"), "allow")


def test_only_what_takes_text_is_watched_and_once() -> None:
    found = {parameter.name: parameter for parameter in made().params}
    assert {name for name, parameter in found.items() if takes_text(parameter)} == {"paths", "reason"}
    assert isinstance(found["reason"].callback, Watched)
    assert not isinstance(found["reason"].callback._then, Watched)


def test_what_people_say_is_kept_without_the_secret_and_they_are_told() -> None:
    ran = CliRunner().invoke(made(), ["--reason", f"use {live_key(1)} now"])
    assert ran.stdout == "() <use [redacted] now> None False\n"
    assert ran.stderr == "leeboard: --reason held what looks like a secret: [redacted] is kept in its place\n"


def test_what_has_to_stay_as_it_is_is_refused_without_showing_it() -> None:
    ran = CliRunner().invoke(made(), ["src/a.py", f"src/{live_key(1)}.py"])
    assert isinstance(ran.exception, ConfigError)
    assert live_key(1)[8:] not in str(ran.exception)
    assert str(ran.exception).startswith("PATHS holds a secret")


@pytest.mark.parametrize("text", ["docs ride along", "see 5fdeeea170afc63be7b74880901f7ab03a9aaaaa", ""])
def test_other_texts_pass_as_they_are(text: str) -> None:
    assert CliRunner().invoke(made(), ["--reason", text]).stdout == f"() <{text}> None False\n"
