"""A scan on a cluster: files are read here and sent, since no worker has them on its disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import msgspec

from leeboard.app.engine.cluster import Cluster
from leeboard.app.scan.judged_text import judged_text, scan_key
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedFiles
from leeboard.app.scan.told import told_of
from leeboard.app.scan.unanalysed import unreadable
from leeboard.app.scan.work import FileScan, Terms
from leeboard.model.lookup import Tree
from leeboard.text.language import is_env_file

_IN_A_BATCH = 24


class SentFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file with all that its scan looks up."""

    target: Target
    terms: Terms
    text: str | None
    problem: str = ""
    """Why there is no text."""
    ignored: bool | None = None
    """Whether git ignores it; asked for environment files alone."""
    key: bytes = b""
    """The user's, by which an allowance knows the secret that it is about."""


class _SentFiles:
    """The work tree as far as a worker knows it."""

    def __init__(self, sent: SentFile) -> None:
        self._sent = sent

    def text(self, path: str) -> str | None:
        return self._sent.text if path == self._sent.target.name else None

    def exists(self, path: str) -> bool | None:
        return True if path == self._sent.target.name else None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - a worker's disk is another one
        return None

    def ignored(self, path: str) -> bool | None:
        return self._sent.ignored if path == self._sent.target.name else None


def scan_on(cluster: Cluster, targets: Iterable[Target], terms: Mapping[str, Terms]) -> Iterator[FileScan]:
    """In the order of the targets, as `scan` tells them."""
    key = scan_key()
    sent = (_sent(target, terms.get(target.root, Terms()), key) for target in targets)
    for batch in cluster.each(_scan_batch, _batches(sent)):
        yield from batch


def _batches(sent: Iterator[SentFile]) -> Iterator[tuple[SentFile, ...]]:
    while batch := tuple(islice(sent, _IN_A_BATCH)):
        yield batch


def _sent(target: Target, terms: Terms, key: bytes) -> SentFile:
    files = ScannedFiles(target.root)
    text = files.text(target.name)
    if text is None:
        return SentFile(target=target, terms=terms, text=None, problem=unreadable(target))
    ignored = files.ignored(target.name) if is_env_file(target.name) else None
    return SentFile(target=target, terms=terms, text=text, ignored=ignored, key=key)


def _scan_batch(batch: tuple[SentFile, ...]) -> tuple[FileScan, ...]:
    """Runs on a worker of the cluster, which is sent texts and sees no file."""
    return tuple(map(_scan_sent, batch))


def _scan_sent(sent: SentFile) -> FileScan:
    if sent.text is None:
        return FileScan(path=sent.target.shown, problem=sent.problem)
    work = (sent.target, sent.terms, None)
    judged = judged_text(sent.text, work, Tree(_SentFiles(sent)), sent.key)
    return told_of(sent.text, work, judged, sent.key)
