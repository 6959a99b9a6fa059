"""`leeboard serve`."""

from __future__ import annotations

import sys
from typing import Any

import click

from leeboard.app.ring import RingSettings
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words

MISSING = "the page needs packages that are not installed: install Leeboard with its extra `web`"
_PORT, _NAMES = 4117, ("leeboard.localhost", "localhost", "127.0.0.1")


@click.command(epilog="Example:  leeboard serve --webhook https://chat.example/hooks/42")
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True, help="Else another free one.")
@click.option("--name", type=click.Choice(_NAMES), default=_NAMES[0], show_default=True, help="For the address.")
@click.option("--no-bell", is_flag=True, help="No bell in this terminal where something waits.")
@click.option("--no-desktop", is_flag=True, help="No notification on the desktop.")
@click.option("--ring-command", default="", metavar="COMMAND", envvar="LEEBOARD_RING_COMMAND", help="Run it as well.")
@click.option("--webhook", default="", metavar="URL", envvar="LEEBOARD_RING_WEBHOOK", help="Tell it as well.")
@click.option("--stop", is_flag=True, help="End the server that runs.")
@click.option("--sign-out", is_flag=True, help="Every browser has to be let in anew.")
@json_option
def command(port: int, name: str, ring_command: str, webhook: str, **given: bool) -> None:
    """Serve the page on which people look and decide, on this machine alone.

    It shows what waits in every project, the review of a gate, changed files, sessions as they run, and trends. While
    it runs, a gate that opens rings. Only people may run it, in a terminal of their own, and what is decided on its
    pages is decided under their name. A browser is let in by an address that is good once: the one that is printed, or
    `leeboard open`.
    """
    require_person("serve")
    server = _imported()
    if given["stop"] or given["sign_out"]:
        _tell("stop" if given["stop"] else "send_away", as_json=given["as_json"])
        return
    ring = RingSettings(
        desktop=not given["no_desktop"], bell=not given["no_bell"], command=ring_command, webhook=webhook
    )
    ring.check()
    settings = server.ServerSettings(root=current_project(), port=port, name=name, ring=ring)
    say = _say_json if given["as_json"] else _say
    made = server.WebServer(settings, say)
    server.hide_memory()
    console = screen()
    if given["as_json"]:
        print_json({"kind": "serving", "address": made.address})
    elif sys.stdout.isatty():
        console.print(words(made.entrance()))
        console.print(words(("good for one browser, for two minutes; `leeboard open` makes another", "dim")))
    else:
        console.print(words(f"serving {made.address}; `leeboard open` lets a browser in"))
    made.run()


def _say(text: str) -> None:
    screen().print(words(text))


def _say_json(text: str) -> None:
    print_json({"kind": "waiting", "text": text})


def _imported() -> Any:
    """The module of the server, whose packages are an extra."""
    try:
        from leeboard.surfaces.web import server  # noqa: PLC0415 - as said
    except ImportError as error:
        raise ConfigError(MISSING) from error
    return server


def _tell(word: str, *, as_json: bool) -> None:
    from leeboard.surfaces.web.control import ask  # noqa: PLC0415 - as above

    told = ask({"ask": word})
    if told is None:
        raise ConfigError("no page is served; `leeboard serve` starts it")
    done = "ended" if word == "stop" else "every browser has to be let in anew"
    if as_json:
        print_json({"kind": word, "address": told["address"]})
    else:
        screen().print(words(f"{told['address']}: {done}"))
