"""`leeboard mcp`."""

from __future__ import annotations

import sys

import click

from leeboard.surfaces.cli.screen import json_option, print_json
from leeboard.surfaces.mcp.server import serve


@click.command(epilog="Example:  leeboard mcp --tools  (`leeboard init --workflow` registers the server)")
@click.option("--root", type=click.Path(exists=True, file_okay=False), help="The project; else the current folder.")
@click.option("--tools", is_flag=True, help="List the tools and end.")
@json_option
def command(root: str | None, *, tools: bool, as_json: bool) -> None:
    """Serve the workflow to an agent, as an MCP server on stdin and stdout.

    Clients start it; a person has no use for it but to look. The agent asks for the next action, does it, and asks
    again; everything it is told stands in .haiku/, so the server may be stopped and started at any moment. No tool
    decides for the person: that is `leeboard flow review`.
    """
    if tools:
        _list_tools(as_json=as_json)
        return
    if sys.stdin.isatty():
        click.echo("leeboard mcp: speaks MCP on stdin; end it with Ctrl-D. Clients start it by themselves.", err=True)
    serve(root or "")


def _list_tools(*, as_json: bool) -> None:
    from leeboard.surfaces.mcp.tools import tools  # noqa: PLC0415 - the server itself lists them when it is asked

    for tool in tools():
        if as_json:
            print_json({"name": tool.name, "description": tool.description})
            continue
        click.echo(f"{tool.name:<28} {tool.description.partition('. ')[0].rstrip('.')}.")
