"""`leeboard open`."""

from __future__ import annotations

import os
import time
import webbrowser
from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.app.views.projects import project_key
from leeboard.errors import ConfigError, EffectError
from leeboard.io import detached
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.project.serve import MISSING
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words

STARTS_SECONDS, LOOK_SECONDS = 15.0, 0.1
_CODE = "from leeboard.surfaces.web.server import background; background()"


@click.command("open", epilog="Example:  leeboard open --intent count-words")
@click.option("--intent", "slug", default="", metavar="SLUG", help="Its review; else what waits everywhere.")
@click.option("--print", "printed", is_flag=True, help="Print the address, and open nothing.")
@click.option("--ssh", is_flag=True, help="For a browser on another machine: print what to run and open there.")
@json_option
def command(slug: str, *, printed: bool, ssh: bool, as_json: bool) -> None:
    """Open the page in a browser; where none is served, it is started behind the scenes.

    The address lets one browser in, once, and for two minutes. Only people may do this, in a terminal of their own:
    an agent, and whatever it runs, is told no address. `leeboard serve --stop` ends a page that was started so.

    With --ssh the address is for a browser that comes through `ssh -L`, and for no other.
    """
    require_person("open")
    asked = {"ask": "enter", "to": _place(slug), "from": "elsewhere" if ssh else "here"}
    told = _asked(asked) or _started(asked)
    address = str(told["address"])
    if ssh and not as_json:
        port = urlsplit(address).port
        screen().print(words(("there, in a terminal:  ", "dim"), f"ssh -N -L {port}:127.0.0.1:{port} THIS-MACHINE"))
        screen().print(words(("and in a browser:      ", "dim"), address))
    elif as_json:
        print_json({"kind": "page", "address": address})
    elif printed or not webbrowser.open(address):
        screen().print(words(address))


def _place(slug: str) -> str:
    if not slug:
        return ""
    root = current_project()
    return f"/p/{project_key(root)}/i/{Engine(root).resolve(slug)}"


def _asked(asked: dict[str, Any]) -> dict[str, Any] | None:
    try:
        from leeboard.surfaces.web import control, server  # noqa: F401, PLC0415 - their packages are an extra
    except ImportError as error:
        raise ConfigError(MISSING) from error
    return control.ask(asked)


def _started(asked: dict[str, Any]) -> dict[str, Any]:
    """By a process that outlives this one."""
    settings = msgspec.json.encode({"root": current_project()}).decode()
    if not detached.fork_twice(lambda: detached.become(_CODE, os.environ, settings)):
        raise EffectError("the page can not be started: `leeboard serve` says why")
    until = time.monotonic() + STARTS_SECONDS
    while time.monotonic() < until:
        told = _asked(asked)
        if told is not None:
            return told
        time.sleep(LOOK_SECONDS)
    raise EffectError("the page did not start in time: `leeboard serve` says why")
