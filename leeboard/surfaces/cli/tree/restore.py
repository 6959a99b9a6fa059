"""`leeboard restore`."""

from __future__ import annotations

import os
from posixpath import exists, join
from typing import TYPE_CHECKING

import click

from leeboard.app.safety_net.put_back import PutBack, Restored
from leeboard.app.views.kept import KeptPage, KeptView, kept_page, kept_text
from leeboard.io.clock import ago
from leeboard.io.places import current_project
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, screen, table, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Text

_ENDINGS = {"restored": "green", "unchanged": "", "refused": "bold yellow", "failed": "bold red"}


@click.command(epilog="Example:  leeboard restore notes.md")
@click.argument("names", metavar="[PATH]...", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Show what is kept, and change nothing.")
@click.option("--gone", is_flag=True, help="All that was found to be gone.")
@click.option("--to", metavar="DIR", default="", help="Put files into this folder, not into the work tree.")
@click.option("--force", is_flag=True, help="Replace what else lies there, which is kept first.")
@json_option
def command(names: tuple[str, ...], *, only_list: bool, gone: bool, to: str, force: bool, as_json: bool) -> int:
    """Put back work that was in no commit and is gone.

    While agents work, what you have changed and not committed is noted at each of your prompts, with a copy of each
    file in your state directory. PATH is a file, a folder, a branch, or an id that the list shows; without any, the
    list is shown. A file comes back byte for byte, a branch and a stash by git's own commands. Nothing different is
    written over without --force, unless git has it in a commit. Exits 1 where something was not put back.
    """
    root = current_project()
    if only_list or not (names or gone):
        _show(kept_page(root), as_json=as_json)
        return 0
    done = PutBack(root, to=to, force=force).put_back(names, os.getcwd(), gone=gone)  # noqa: PTH109 - as it is spelled
    for one in done:
        if as_json:
            print_view(one)
        else:
            screen().print(_line(one))
    if not done and not as_json:
        screen().print(words("nothing is gone"))
    return 0 if all(one.ending in {"restored", "unchanged"} for one in done) else 1


def _line(one: Restored) -> Text:
    return words((one.ending, _ENDINGS[one.ending]), f"  {one.name}: {one.text}")


def _show(page: KeptPage, *, as_json: bool) -> None:
    if as_json:
        print_json({"kind": "kept", **{name: getattr(page, name) for name in _PAGE_FIELDS}})
        for one in page.kept:
            print_view(one)
        return
    console = screen()
    console.print(words(kept_text(page) or _nothing_kept(page.root)))
    if page.kept:
        table(("id", "what", "state", "size", ""), map(_row, page.kept), console)


def _nothing_kept(root: str) -> str:
    if not exists(join(root, ".git")):
        return "nothing is kept here: git tells what is in no commit, and this folder is in no repository"
    return "nothing is kept here yet: it begins with an agent's next session"


_PAGE_FIELDS = ("root", "noted", "files", "left_out", "copies", "bytes", "gone", "trouble")


def _row(one: KeptView) -> tuple[Text | str, ...]:
    if one.lost:
        state: Text | str = words((f"gone {ago(one.lost)}", "bold red"))
    elif one.kind == "uncopied":
        state = words(("no copy", "yellow"))
    else:
        state = f"kept {ago(one.time)}"
    name = one.name if one.kind in {"copy", "uncopied"} else f"{one.kind} {one.name}"
    return words(one.id), words(name), state, str(one.size or ""), words(one.since)
