"""What is kept of a person's work in a work tree, as people and programs are shown it."""

from __future__ import annotations

import msgspec

from leeboard.app.safety_net.copies import KeptCopy, KeptRef, LostFile, disk_size, read_kept
from leeboard.app.safety_net.note import NotedFile, read_note
from leeboard.app.safety_net.put_back import is_without
from leeboard.text.words import counted


class KeptView(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a file, a file without one, or a branch or stash that is gone."""

    kind: str
    """`copy`, `uncopied`, `branch`, `commits` or `stash`."""
    name: str
    id: str = ""
    time: float = 0.0
    """When it was last seen so."""
    size: int = 0
    lost: float = 0.0
    """When it was found to be gone; zero: it was not."""
    since: str = ""
    """What ran then, or why there is no copy."""


class KeptPage(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    noted: float = 0.0
    """When the work was last noted; zero: never."""
    files: int = 0
    """Those that are looked after now."""
    left_out: int = 0
    copies: int = 0
    bytes: int = 0
    """On the disk, compressed."""
    gone: int = 0
    trouble: str = ""
    kept: tuple[KeptView, ...] = ()


def kept_page(root: str) -> KeptPage:
    note, kept = read_note(root), read_kept(root)
    copies = sorted(kept.copies, key=lambda one: (one.lost, one.time), reverse=True)
    without = tuple(one for one in kept.without if is_without(root, one))
    uncopied = tuple(_uncopied(file) for file in (note.files if note else ()) if not file.copied)
    return KeptPage(
        root=root,
        noted=note.time if note else 0.0,
        files=len(note.files) if note else 0,
        left_out=note.left_out if note else 0,
        copies=len(kept.copies),
        bytes=disk_size(kept),
        gone=sum(1 for one in kept.copies if one.lost) + len(kept.refs) + len(without),
        trouble=note.trouble if note else "",
        kept=(*map(_ref, reversed(kept.refs)), *map(_without, without), *map(_copy, copies), *uncopied),
    )


def kept_text(page: KeptPage) -> str:
    """On one line; empty where nothing was ever noted."""
    if page.trouble:
        return f"{page.trouble}: work that is in no commit has no copy"
    if not page.noted:
        return ""
    held = (
        f"{page.copies} {'copy' if page.copies == 1 else 'copies'} kept ({_size(page.bytes)})"
        if page.copies
        else "no copies kept"
    )
    told = (
        f"{counted(page.files, 'file')} in no commit, {held}" if page.files or page.copies else "all of it is committed"
    )
    without = sum(1 for one in page.kept if one.kind == "uncopied")
    told += f"; {without} without a copy" if without else ""
    told += f"; {page.left_out} more are not looked after" if page.left_out else ""
    return told + (f"; {page.gone} gone: `leeboard restore --gone` puts them back" if page.gone else "")


def _copy(one: KeptCopy) -> KeptView:
    return KeptView(
        kind="copy", name=_text(one.name), id=one.id, time=one.time, size=one.size, lost=one.lost, since=one.line
    )


def _ref(one: KeptRef) -> KeptView:
    return KeptView(kind=one.kind, name=one.name, id=one.id, lost=one.lost, since=one.line)


def _without(one: LostFile) -> KeptView:
    return KeptView(kind="uncopied", name=_text(one.name), size=one.size, lost=one.lost, since=_why(one))


def _why(one: LostFile) -> str:
    return f"no copy, {one.why or 'none was made yet'}; {one.line}".rstrip("; ")


def _uncopied(file: NotedFile) -> KeptView:
    return KeptView(kind="uncopied", name=_text(file.name), size=file.look[1], since=file.uncopied)


def _text(name: str) -> str:
    """Bytes of a name that are no text become signs that show it."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _size(count: int) -> str:
    return f"{count / (1 << 20):.1f} MB" if count >= 1 << 20 else f"{count / 1024:.0f} KB"
