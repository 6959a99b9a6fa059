"""`leeboard proxy`."""

from __future__ import annotations

import asyncio
import os
import socket

import click

from leeboard.errors import EffectError
from leeboard.surfaces.cli.screen import json_option, print_json, say

PORT = 8377
_VARIABLES = {"ANTHROPIC_BASE_URL": "https://api.anthropic.com", "OPENAI_BASE_URL": "https://api.openai.com/v1"}


@click.command(epilog="Example:  leeboard proxy --port 8377  (`leeboard run -- claude` needs none of this)")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Where it listens.")
@click.option("--plain", is_flag=True, help="Only forward: nothing is judged, held or added.")
@click.option("--upstream", "upstreams", multiple=True, metavar="URL", help="Print the address of this API, too.")
@click.option("--addresses", "only_print", is_flag=True, help="Print the addresses and end.")
@json_option
def command(*, port: int, plain: bool, upstreams: tuple[str, ...], only_print: bool, as_json: bool) -> None:
    """Run a standing proxy between coding agents and their models, until Ctrl-C.

    It listens on this machine only, and only who knows its addresses gets through: they hold a token of yours. Each
    leads to one API; clients take it for their base URL. `leeboard run` finds a standing proxy by itself.
    """
    from leeboard.surfaces.proxy.address import base_url, kept_token  # noqa: PLC0415 - the proxy's modules cost their import

    token = kept_token()
    named = {name: base_url(port, token, upstream) for name, upstream in _VARIABLES.items()}
    named |= {upstream: base_url(port, token, upstream) for upstream in upstreams}
    listener = None if only_print else _listen(port)
    if as_json:
        print_json({"port": port, "addresses": named})
    else:
        for name, address in named.items():
            click.echo(f"{name}={address}" if name in _VARIABLES else f"{name} is at {address}")
    if listener is not None:
        _stand(listener, port, plain=plain)


def _listen(port: int) -> socket.socket:
    from leeboard.surfaces.proxy.process import open_listener  # noqa: PLC0415 - as above

    try:
        return open_listener(port)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise EffectError(f"127.0.0.1:{port}: the proxy can not listen there: {why}: choose another --port") from error


def _stand(listener: socket.socket, port: int, *, plain: bool) -> None:
    from leeboard.app.proxy.desk import ProxyDesk  # noqa: PLC0415 - as above
    from leeboard.surfaces.proxy.process import run  # noqa: PLC0415 - as above
    from leeboard.surfaces.proxy.standing import forget, record  # noqa: PLC0415 - as above

    def ready() -> None:
        record(port)
        say(f"the proxy listens on 127.0.0.1:{port}; Ctrl-C ends it")

    async def for_ever() -> None:
        await asyncio.Event().wait()

    try:
        run(listener, None if plain else ProxyDesk(os.environ), for_ever, ready)
    finally:
        forget()
