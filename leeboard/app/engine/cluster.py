"""Work on many things by a Dask cluster: one that is there already, or one of this machine for as long as it takes.

Nothing is assumed to lie on a worker's disk but Leeboard itself, the very same code: what a piece of work needs is sent
with it. Results come in the order of the items, so that whoever prints them prints the same as without a cluster.
"""

from __future__ import annotations

import os
from _blake2 import blake2b
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from ipaddress import ip_address
from posixpath import dirname, join
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import leeboard
from leeboard.errors import ConfigError, EffectError
from leeboard.io.file import read_regular

if TYPE_CHECKING:
    from distributed import Client, Future

Item = TypeVar("Item")
Result = TypeVar("Result")
Tell = Callable[[str], None]

LOCAL = "local"
DEFAULT_PORT = 8786
REACH_SECONDS = 10.0
"""How long a scheduler may take to answer, and to show a worker."""
DASHBOARD_SECONDS = 2.0
LOOK_SECONDS = 5.0
"""How long one result is waited for before it is looked whether anybody is left to give it."""
MISSING = "--on needs the packages dask and distributed: install Leeboard with its extra `cluster`"
_IN_FLIGHT = 4
"""Pieces of work at the cluster for each thread of it: enough that none waits, few enough for the memory here."""
_LARGEST_SOURCE = 16 << 20
_TELLING_OF_DASK = ("distributed", "tornado", "asyncio")
_FAILED, _PAGE, _NO_BOKEH = 400, 4096, b"needs bokeh"
_NO_LOG = 100
"""Above every level that is logged."""


class Cluster:
    """A Dask cluster with a connection to it, on which work is spread and whose lost workers are told."""

    def __init__(self, client: Client, address: str, tell: Tell) -> None:
        self._client, self._address, self._tell = client, address, tell
        self._lost: deque[str] = deque()
        client.subscribe_topic("all", self._hear)

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """In the order of the items, which are asked for little by little. What a worker that dies had to do is done
        by another one, and the worker is told of. EffectError where the cluster can not do it.
        """
        code, at_once = code_digest(), _IN_FLIGHT * max(self._threads(), 2)
        waiting: deque[Future] = deque()
        try:
            for item in items:
                waiting.append(self._client.submit(_run, work, item, code, pure=False))
                if len(waiting) >= at_once:
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def _result(self, future: Future) -> Any:
        from distributed import KilledWorker  # noqa: PLC0415 - only with a cluster

        self._wait(future)
        self._tell_lost()
        try:
            found = future.result()
        except KilledWorker as error:
            raise EffectError(
                f"{error.allowed_failures + 1} workers of {self._address} ended while they did the same piece of work, "
                f"{error.last_worker.address} the last of them: give workers more memory, or leave out --on"
            ) from error
        if isinstance(found, OtherCode):
            raise EffectError(
                f"the Dask worker {found.worker} has another Leeboard ({found.version}) than this one "
                f"({leeboard.__version__}), or other rules: install the same there"
            )
        return found

    def _wait(self, future: Future) -> None:
        from distributed import CancelledError, wait  # noqa: PLC0415 - only with a cluster

        warned = False
        while True:
            try:
                wait([future], timeout=LOOK_SECONDS)
            except TimeoutError:
                self._tell_lost()
                if not warned and not self._threads():
                    warned = True
                    self._tell(f"no worker is left at {self._address}: waiting for one; Ctrl-C gives up")
            except (CancelledError, OSError) as error:
                raise EffectError(
                    f"the Dask scheduler at {self._address} was lost ({error or type(error).__name__}): start it again "
                    "and run the same command, or leave out --on"
                ) from error
            else:
                return

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """On a thread of the client's own."""
        told = event[1]
        if told.get("action") == "remove-worker" and not told.get("expected"):
            self._lost.append(str(told.get("worker", "")))

    def _tell_lost(self) -> None:
        while self._lost:
            self._tell(f"the Dask worker {self._lost.popleft()} was lost: what it had to do is done again by another")

    def _threads(self) -> int:
        """Zero for a scheduler that does not answer: what becomes of its work is told by the work."""
        try:
            return sum(self._client.nthreads().values())
        except OSError:
            return 0


class OtherCode:
    """A worker's answer that it would judge differently."""

    def __init__(self, worker: str, version: str) -> None:
        self.worker, self.version = worker, version


def _run(work: Callable[[Item], Result], item: Item, code: str) -> Result | OtherCode:
    """Runs on a worker: one with another version of the code says so, as its results would differ."""
    if code_digest() != code:
        from distributed import get_worker  # noqa: PLC0415 - on a worker it is there

        return OtherCode(get_worker().address, leeboard.__version__)
    return work(item)


@lru_cache(maxsize=1)
def code_digest() -> str:
    """The code and the tables that judge, as they are: a changed rule is another judge."""
    top = dirname(leeboard.__file__)
    files = sorted(
        join(base, name)
        for base, _folders, names in os.walk(top)
        for name in names
        if name.endswith((".py", ".json", ".toml"))
    )
    seen = blake2b(leeboard.__version__.encode(), digest_size=16)
    for path in files:
        data = read_regular(path, _LARGEST_SOURCE, follow=True)
        seen.update(blake2b(path[len(top) :].encode() + b"\0" + data).digest())
    return seen.hexdigest()


def check_address(address: str) -> None:
    """ConfigError for what is no address of a scheduler."""
    if address == LOCAL:
        return
    if not _is_address(address):
        raise ConfigError(
            f"--on takes {LOCAL}, tcp://host:port or tls://host:port of a Dask scheduler, not {address!r}"
        )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"tcp", "tls"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        return False


@contextmanager
def opened_cluster(address: str, tell: Tell, jobs: int = 0) -> Iterator[Cluster]:
    """`local`: processes of this machine, `jobs` of them or as many as cores. EffectError where it can not be had."""
    check_address(address)
    try:
        import distributed  # noqa: PLC0415 - costs a second, and few ask for a cluster
        from dask import config  # noqa: PLC0415 - as above
    except ImportError as error:
        raise EffectError(MISSING) from error
    with ExitStack() as stack:
        # Sessions are sent with the work, since scattered data would be lost with the worker that holds it.
        stack.enter_context(config.set({"distributed.admin.large-graph-warning-threshold": "64 GiB"}))
        _quiet()
        if address == LOCAL:
            target: Any = stack.enter_context(_local(jobs or os.cpu_count() or 1))
        else:
            target = address
            _warn_of_plain(address, tell)
            _knock(address)
        try:
            client = stack.enter_context(distributed.Client(target, timeout=REACH_SECONDS))
        except (OSError, ValueError, TypeError) as error:  # the last for tls:// without certificates
            raise _unreachable(address, error) from error
        _await_worker(client, address)
        if link := _dashboard(client):
            tell(f"dashboard of the Dask cluster: {link}")
        yield Cluster(client, address, tell)


def _dashboard(client: Client) -> str:
    """Its address, where it is one: a scheduler without bokeh, or told to have none, names an address all the same."""
    from http.client import HTTPConnection, HTTPException  # noqa: PLC0415 - as above

    link = client.dashboard_link or ""
    parts = urlsplit(link)
    if not parts.hostname or parts.scheme != "http":
        return link
    with closing(HTTPConnection(parts.hostname, parts.port, timeout=DASHBOARD_SECONDS)) as asked:
        try:
            asked.request("GET", parts.path)
            with asked.getresponse() as answer:
                return link if answer.status < _FAILED and _NO_BOKEH not in answer.read(_PAGE) else ""
        except (OSError, HTTPException):
            return ""


def _quiet() -> None:
    """What Dask logs of workers and connections that go is told in our words."""
    import logging  # noqa: PLC0415 - as above

    # Dask sets levels of its own on loggers below these when it is imported, and tornado tells of its callbacks.
    known = [name for name in logging.root.manager.loggerDict if name.startswith(_TELLING_OF_DASK)]
    for name in (*_TELLING_OF_DASK, *known):
        logging.getLogger(name).setLevel(_NO_LOG)


def _local(workers: int) -> Any:
    """Encrypted with keys made for it, since whoever can speak to a scheduler can have it run anything. Without a limit
    of memory, so that nothing of a session is written to a disk.
    """
    from distributed import LocalCluster  # noqa: PLC0415 - as above
    from distributed.security import Security  # noqa: PLC0415 - as above

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        memory_limit=0,
        host="127.0.0.1",
        protocol="tls",
        security=Security.temporary(),
        dashboard_address="127.0.0.1:0",  # without one Dask takes 8787, and warns where that is taken
        worker_dashboard_address=None,
        silence_logs=_NO_LOG,
    )


def _knock(address: str) -> None:
    """Dask tries again for as long as there is time, also where nobody listens or the name is unknown."""
    import socket  # noqa: PLC0415 - as above

    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port or DEFAULT_PORT), REACH_SECONDS).close()
    except OSError as error:
        raise _unreachable(address, error) from error


def _await_worker(client: Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=REACH_SECONDS)
    except TimeoutError as error:
        raise EffectError(
            f"the Dask scheduler at {address} has no worker: start one with `dask worker {address}`, in an environment "
            "where this Leeboard is installed"
        ) from error


def _unreachable(address: str, error: Exception) -> EffectError:
    keys = "; tls:// needs the certificates that Dask's own settings name (distributed.comm.tls)"
    return EffectError(
        f"the Dask scheduler at {address} can not be reached ({str(error).splitlines()[0]}): start one with "
        f"`dask scheduler`, or leave out --on to use processes of this machine{keys * address.startswith('tls')}"
    )


def _warn_of_plain(address: str, tell: Tell) -> None:
    parts = urlsplit(address)
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
        tell(f"{address} is not encrypted: what is sent there can be read on its way; tls:// is the other kind")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
