"""A file of the user's that a command changes, and can give back byte for byte.

Beside every write a record is kept in the user's state directory: what stood there before, and a digest of what we
wrote. As long as the digest fits, giving back is exact; after that only the caller knows how to take its part out.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from leeboard.errors import ConfigError
from leeboard.io.file import leads_out, read_regular
from leeboard.io.places import make_private_dir, project_root, state_dir

_MOST = 16 << 20


class KeptFile(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    original: bytes | None
    """None: there was no file."""
    written: str
    """Digest of what we wrote."""
    folders: tuple[str, ...] = ()
    """Those we made for it, innermost first."""


def read_bytes(path: str) -> bytes | None:
    """What stands there; None when there is no file."""
    try:
        return read_regular(path, _MOST, follow=True)
    except FileNotFoundError:
        return None


def read_record(path: str) -> KeptFile | None:
    held = read_bytes(_record_path(path))
    try:
        return msgspec.json.decode(held, type=KeptFile) if held else None
    except msgspec.MsgspecError:
        return None


def record_time(path: str) -> float:
    """When we wrote the file last, in epoch seconds; zero where we never did."""
    try:
        return Path(_record_path(path)).stat().st_mtime
    except OSError:
        return 0.0


def all_records() -> tuple[KeptFile, ...]:
    folder = Path(_record_folder())
    records = (_decoded(entry) for entry in sorted(folder.glob("*.json")))
    return tuple(record for record in records if record is not None)


def unchanged(record: KeptFile) -> bool:
    """Whether the file is still as we wrote it."""
    held = read_bytes(record.path)
    return held is not None and digest(held) == record.written


def untouched_files(root: str, paths: Collection[str], before: Callable[[str], bytes | None]) -> frozenset[str]:
    """Those of these paths in a project that are as a command of ours wrote them, over what stood there `before`: what
    is new in them is our own writing, and nobody else's.
    """
    here = {record.path: record for record in all_records() if record.path.startswith(f"{root}/")}
    known = ((path, here.get(f"{root}/{path}")) for path in (paths if here else ()))
    written = ((path, record) for path, record in known if record is not None and not Path(record.path).is_symlink())
    return frozenset(path for path, record in written if unchanged(record) and before(path) == record.original)


def write_kept(path: str, after: bytes, original: bytes | None, mode: int | None = None) -> None:
    """Write the file, having kept what is to come back when it is given back. It keeps its mode unless one is given."""
    known = read_record(path)
    folders = _missing_folders(path)
    if known is not None and known.original is None and original is None:
        folders = (*folders, *known.folders)
    record = KeptFile(path=str(Path(path).absolute()), original=original, written=digest(after), folders=folders)
    _keep(record)
    for folder in reversed(folders):
        Path(folder).mkdir(exist_ok=True)
    write_whole(path, after, mode)


def write_over(path: str, after: bytes, before: bytes | None) -> None:
    """Write the file again: what comes back is what stood there before the first of our writes that still stands."""
    record = read_record(path)
    write_kept(path, after, record.original if record is not None and unchanged(record) else before)


def put_back(path: str, content: bytes | None) -> bool:
    """Whether the file is one that we wrote, and has `content` again; None for no file."""
    record = read_record(path)
    if record is not None:
        give_back(record, content)
    return record is not None


def give_back(record: KeptFile, content: bytes | None) -> None:
    """Put `content` in place of what we wrote, None for no file, and forget the record."""
    forget(record)
    if content is not None:
        write_whole(record.path, content)
        return
    Path(record.path).unlink(missing_ok=True)
    for number, folder in enumerate(record.folders):
        try:
            Path(folder).rmdir()
        except OSError:
            _hand_over(record.folders[number:])
            return


def _hand_over(folders: tuple[str, ...]) -> None:
    """Folders of ours that another file of ours still needs go when that one goes."""
    heir = next((other for other in all_records() if Path(other.path).is_relative_to(folders[0])), None)
    if heir is not None:
        _keep(msgspec.structs.replace(heir, folders=(*heir.folders, *folders)))


def forget(record: KeptFile) -> None:
    Path(_record_path(record.path)).unlink(missing_ok=True)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _keep(record: KeptFile) -> None:
    make_private_dir(_record_folder())
    write_whole(_record_path(record.path), msgspec.json.encode(record), 0o600)


def _decoded(entry: Path) -> KeptFile | None:
    try:
        return msgspec.json.decode(entry.read_bytes(), type=KeptFile)
    except (OSError, msgspec.MsgspecError):
        return None


def _record_folder() -> str:
    return str(Path(state_dir()) / "backups")


def _record_path(path: str) -> str:
    name = hashlib.blake2b(os.fsencode(Path(path).absolute()), digest_size=8).hexdigest()
    return str(Path(_record_folder()) / f"{name}.json")


def _missing_folders(path: str) -> tuple[str, ...]:
    missing: list[str] = []
    folder = Path(path).absolute().parent
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    return tuple(missing)


def write_whole(path: str, content: bytes, mode: int | None = None) -> None:
    """All or nothing, through a link to the file it names, with the permissions it had."""
    if leads_out(path, project_root(str(Path(path).parent))):
        raise ConfigError(f"{path} leads out of its project, to {os.path.realpath(path)}; make it a file of its own")
    target = Path(os.path.realpath(path))
    if mode is None:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    from tempfile import mkstemp  # noqa: PLC0415 - who looks whether a file is untouched writes none

    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
