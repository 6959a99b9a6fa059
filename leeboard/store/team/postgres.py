"""A team's PostgreSQL database: connected with TLS, and brought up to date by batches that may come twice and late.

Every row has the random name of the database it comes from and a number that grows there with each writing: what is
older than what stands there changes nothing. A batch is one transaction. Texts are redacted once more on their way out,
though nothing is stored that was not redacted before.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString
from urllib.parse import parse_qs, urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from leeboard.errors import ConfigError, EffectError, NewerStateError, StateError
from leeboard.secrets.given_text import each_text
from leeboard.secrets.redaction import redact
from leeboard.store.team.migrations import MIGRATIONS
from leeboard.store.team.outbox import FORGET, Waiting
from leeboard.text.words import content_words

CONNECT_SECONDS = 10
STATEMENT_SECONDS = 30
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
_NUL = "\x00"
_STEP = (
    "project id session_id action_type files folders command reasoning drift_score drift_type correction_given "
    "is_key_decision is_validated keywords timestamp words origin revision"
).split()
_RECORD = "project kind id session_id data origin revision".split()
_ALLOWANCE = "project id rule path fingerprint reason until by revoked origin revision".split()
_OWN_TABLES = ("steps", "records", "allowances")
"""Those with rows that belong to members."""


MANY = 200
"""Rows from which on `COPY` brings them, into a table of the connection's own: history that waited."""


class _Table:
    """Where rows of one kind go, and how: what is older than what stands there changes nothing."""

    def __init__(self, name: str, columns: Sequence[str], key: str) -> None:
        self._columns = columns
        self._copied = f"coming_{name}"
        self._names = ", ".join(f'"{column}"' for column in columns)
        marks = ", ".join(f"%({column})s" for column in columns)
        changes = ", ".join(f'"{column}" = excluded."{column}"' for column in columns if column not in key.split(", "))
        into = f"INSERT INTO leeboard.{name} AS old ({self._names}) "
        newer = (
            f"ON CONFLICT ({key}) DO UPDATE SET {changes} WHERE old.member = current_user "
            "AND (old.origin <> excluded.origin OR old.revision < excluded.revision)"
        )
        self.put = f"{into}VALUES ({marks}) {newer}".encode()
        self._like = (
            f"CREATE TEMP TABLE {self._copied} ON COMMIT DROP AS SELECT {self._names} FROM leeboard.{name} WITH NO DATA"  # noqa: S608 - our own names
        )
        self._take = (
            f"{into}SELECT DISTINCT ON ({key}) {self._names} FROM pg_temp.{self._copied} "  # noqa: S608 - as above
            f"ORDER BY {key}, revision DESC {newer}"
        )

    def fill(self, cursor: psycopg.Cursor[tuple[Any, ...]], rows: Sequence[dict[str, Any]]) -> None:
        if len(rows) < MANY:
            if rows:
                cursor.executemany(self.put, rows)
            return
        cursor.execute(self._like.encode())
        with cursor.copy(f"COPY pg_temp.{self._copied} ({self._names}) FROM STDIN".encode()) as copied:
            for row in rows:
                copied.write_row([row[column] for column in self._columns])
        cursor.execute(self._take.encode())


_STEPS = _Table("steps", _STEP, "project, id")
_RECORDS = _Table("records", _RECORD, "project, kind, id")
_ALLOWANCES = _Table("allowances", _ALLOWANCE, "project, id")


class TeamDatabase:
    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    def projects(self) -> list[str]:
        """Those that the connected role has a part in."""
        rows = self._connection.execute("SELECT project FROM leeboard.members WHERE role = current_user ORDER BY 1")
        return [str(row[0]) for row in rows]

    def rows(self, sql: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, parameters).fetchall()

    def put(self, batch: Sequence[Waiting], origin: str) -> tuple[str, ...]:
        """All of it or nothing; the ids of allowances that this role may not share, which alone are left out.

        What is to be forgotten was forgotten here before anything else in the batch was written.
        """
        steps = [_step(one, origin) for one in batch if one.kind == "step"]
        records = [_record(one, origin) for one in batch if one.kind not in {"step", "allowance", FORGET}]
        allowances = [_allowance(one, origin) for one in batch if one.kind == "allowance"]
        with self._connection.transaction(), self._connection.cursor() as cursor:
            for project in dict.fromkeys(one.project for one in batch if one.kind == FORGET):
                self._forget(cursor, project)
            _STEPS.fill(cursor, steps)
            _RECORDS.fill(cursor, records)
            return tuple(row["id"] for row in allowances if not self._is_shared(cursor, row))

    def _is_shared(self, cursor: psycopg.Cursor[tuple[Any, ...]], row: dict[str, Any]) -> bool:
        try:
            with self._connection.transaction():
                cursor.execute(_ALLOWANCES.put, row)
        except psycopg.errors.InsufficientPrivilege:
            return False
        return True

    def _forget(self, cursor: psycopg.Cursor[tuple[Any, ...]], project: str) -> int:
        count = 0
        for table in _OWN_TABLES:
            sql = f"DELETE FROM leeboard.{table} WHERE project = %s AND member = current_user"  # noqa: S608 - our own names
            count += cursor.execute(sql.encode(), (project,)).rowcount
        cursor.execute("INSERT INTO leeboard.purges (project, member) VALUES (%s, current_user)", (project,))
        return count

    def publish(self, project: str, serial: int, document: str) -> None:
        """ConfigError where another document of that number is there already."""
        try:
            self._connection.execute(
                "INSERT INTO leeboard.policies (project, serial, document) VALUES (%s, %s, %s)",
                (project, serial, document),
            )
        except psycopg.errors.UniqueViolation as error:
            raise ConfigError(
                f"{project} has a policy with serial {serial} already: sign it with a higher one"
            ) from error

    def own_rows(self, project: str, *, everybody: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        """The table and the columns of each row of a project: those of this member, or of all of them."""
        whose = "" if everybody else " AND member = current_user"
        for table in _OWN_TABLES:
            with self._connection.cursor(f"export_{table}", withhold=True) as cursor:
                cursor.execute(f"SELECT * FROM leeboard.{table} WHERE project = %s{whose}".encode(), (project,))  # noqa: S608 - our own names
                names = [column.name for column in cursor.description or ()]
                for row in cursor:
                    yield table, dict(zip(names, row, strict=True))


@contextmanager
def connected(url: str, patience: int = CONNECT_SECONDS) -> Iterator[TeamDatabase]:
    """EffectError where it can not be reached or fails, StateError where its tables are not those of this version."""
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # what went wrong is raised, and said once
    try:
        with psycopg.connect(url, **options(url, patience)) as connection:
            _check_version(connection)
            yield TeamDatabase(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        raise ConfigError(f"{place_of(url)} does not let this role in: {_line(error)}; {_ADMINISTRATOR}") from error
    except psycopg.Error as error:
        raise EffectError(f"{place_of(url)}: {_line(error)}") from error


_ADMINISTRATOR = "`leeboard team sql --role ROLE --project NAME` prints what its administrator has to run"


def options(url: str, patience: int = CONNECT_SECONDS) -> dict[str, Any]:
    """What is asked of the connection beside the address. Over a network the server has to prove who it is, unless the
    address says otherwise.
    """
    asked: dict[str, Any] = {
        "connect_timeout": patience,
        "application_name": "leeboard",
        "options": f"-c statement_timeout={STATEMENT_SECONDS * 1000} -c search_path=",
        "autocommit": True,
    }
    said = _parsed_address(url)
    hosts = str(said.get("hostaddr") or said.get("host") or "").split(",")
    near = "service" not in said and all(host in _LOCAL or host.startswith("/") for host in hosts)
    if not near and "sslmode" not in said:
        asked["sslmode"] = "verify-full"
        if "sslrootcert" not in said:
            asked["sslrootcert"] = "system"
    return {name: value for name, value in asked.items() if name not in said}


def _parsed_address(url: str) -> dict[str, Any]:
    """As the database's own library reads it: hosts may stand in its options, and so may a password."""
    try:
        said = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise ConfigError(f"{place_of(url)}: its address can not be read: {_line(error)}") from error
    if said.get("password"):
        raise ConfigError(f"{place_of(url)}: its address has a password in it: put that into ~/.pgpass")
    return said


def place_of(url: str) -> str:
    """The address for people: without its options."""
    parts = urlsplit(url)
    host = (parts.hostname or "") or parse_qs(parts.query).get("host", ["this machine"])[0]
    return f"the team's database at {host}{parts.path}"


def _check_version(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    try:
        row = connection.execute("SELECT coalesce(max(number), 0) FROM leeboard.migrations").fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName) as error:
        raise StateError("the team's database has no tables yet: its administrator runs `leeboard team sql`") from error
    found = int(row[0]) if row else 0
    if found < len(MIGRATIONS):
        raise StateError(
            f"the team's database has version {found}, and {len(MIGRATIONS)} is needed: its administrator runs "
            "`leeboard team sql` of this version"
        )
    if found > len(MIGRATIONS):
        raise NewerStateError(f"the team's database has version {found}, which is newer than this Leeboard: update it")


def _line(error: psycopg.Error) -> str:
    return redact(" ".join(str(error).split())[:300]) or type(error).__name__


# Rows of the local database as those of the team's.


def _step(one: Waiting, origin: str) -> dict[str, Any]:
    row: dict[str, Any] = _clean(one.row)
    lists = {name: _texts(row[name]) for name in ("files", "folders", "keywords")}
    told = (*lists["files"], row["command"], row["correction_given"], row["reasoning"])
    flags = {name: bool(row[name]) for name in ("is_key_decision", "is_validated")}
    words = content_words("\n".join(str(text) for text in told if text))
    return row | lists | flags | {"words": list(words)} | _whose(one, origin) | {"id": _plain(one.key)}


def _record(one: Waiting, origin: str) -> dict[str, Any]:
    row = {name: _parsed(value) for name, value in one.row.items() if name not in {"project_path", "session"}}
    data = Jsonb(_clean(row))
    return {"kind": one.kind, "id": _plain(one.key), "data": data} | _whose(one, origin)


def _allowance(one: Waiting, origin: str) -> dict[str, Any]:
    row: dict[str, Any] = _clean(one.row)
    return row | {"revoked": bool(row["revoked"])} | _whose(one, origin) | {"id": _plain(one.key)}


def _whose(one: Waiting, origin: str) -> dict[str, Any]:
    return {
        "project": one.project,
        "session_id": _plain(one.session),
        "origin": origin,
        "revision": one.seq,
    }


def _clean(value: Any) -> Any:
    """Without secrets, and without what PostgreSQL can not hold."""
    return each_text(value, lambda text: redact(_plain(text)))


def _plain(text: str) -> str:
    return text.replace(_NUL, "").encode("utf-8", "replace").decode()


def _texts(value: object) -> list[str]:
    found = _parsed(value)
    return [str(each) for each in found] if isinstance(found, list) else []


def _parsed(value: object) -> Any:
    """A column of JSON as what it holds; any other as it is."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
