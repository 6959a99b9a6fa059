"""`leeboard untrust`."""

from __future__ import annotations

import click

from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words
from leeboard.text.words import counted
from leeboard.trust import record


@click.command(epilog="Example:  leeboard untrust settings:leeboard.toml")
@click.argument("parts", nargs=-1, metavar="[PART]...")
@json_option
def command(parts: tuple[str, ...], *, as_json: bool) -> None:
    """Take trust back.

    Without a PART all of it, in every work tree of this repository; `leeboard trust show --json` names the parts. It
    sleeps again from the next step on. Only people may do this: without its plan an agent is held to less.
    """
    require_person("untrust")
    root = current_project()
    known = record.known(root)
    there = known.record.parts
    strange = [part for part in parts if part not in there]
    if strange:
        listed = ", ".join(map(record.escaped, there)) or "nothing"
        raise ConfigError(f"{record.escaped(strange[0])} is not trusted here; trusted: {listed}")
    gone = parts or tuple(there)
    if gone or known.problem:
        record.revoke(root, gone)
    if as_json:
        print_json({"kind": "untrusted", "repository": known.record.repository, "parts": list(gone)})
        return
    done = f"revoked the trust in {counted(len(gone), 'thing')}" if gone else "nothing was trusted here"
    screen().print(words(done))
