"""The tracked files of a project, taken by a person as they are: from now on nothing in them is news."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import exists

from leeboard.app.archive import opened_archive
from leeboard.app.settings_files import read_settings
from leeboard.app.tracked import Tracked
from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.io.places import database, secret_key
from leeboard.model.lookup import Receipt
from leeboard.store.sqlite import SqliteStore


@contextmanager
def opened_tracked(root: str) -> Iterator[tuple[Tracked | None, SqliteStore | None]]:
    """The tracked files of a project; None where its settings track nothing, and no store is made to find that out."""
    settings, _ = read_settings(root, os.environ)
    if not settings.track and not exists(database()):
        yield None, None
        return
    with opened_archive() as store:
        yield Tracked(root, settings.track, store, secret_key()) if settings.track else None, store


def accept_all(root: str, by: str, reason: str) -> int:
    """How many files were taken; who took them and why stays on a receipt."""
    if not reason.strip():
        raise ConfigError("say why they are taken as they are: it is kept with it")
    with opened_tracked(root) as (tracked, store):
        if tracked is None or store is None:
            raise ConfigError('no files are tracked here: name some in leeboard.toml, [truth] track = ["docs/**"]')
        accepted = tracked.accept(())
        note = f"{len(accepted)} tracked files taken as they are by {by}: {' '.join(reason.split())}"
        store.receipt(Receipt(ts=now(), event="page", outcome="accepted", note=note, project=root))
    return len(accepted)
