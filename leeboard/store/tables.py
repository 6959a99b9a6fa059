"""The tables, from the first version on, and the way from any of them to this one.

What was released is never edited: a change is one more step at the end of the list.

`session_states` and `steps` have the columns other tools know them by, and no others; what else is needed stands beside
them. JSON columns hold JSON text. `seq` counts steps in the order of their commit; clocks order nothing.
"""

from __future__ import annotations

from leeboard.store.database import VERSION, Database
from leeboard.store.first_tables import PEOPLE, SESSIONS, STEPS, VERDICTS

# What came to the first tables, in the order in which it was released.


SIGNALS = (
    """
    CREATE TABLE registry (
      seq INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      turn INTEGER NOT NULL,
      agent TEXT NOT NULL,
      call TEXT NOT NULL,
      path TEXT NOT NULL,
      line INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      digest TEXT NOT NULL,
      text TEXT NOT NULL,
      data TEXT NOT NULL,
      UNIQUE (session_id, kind, key, turn, agent, call, path, line)
    )
    """,
    "CREATE INDEX registry_newest ON registry (session_id, kind, seq)",
    """
    CREATE TABLE signals (
      session TEXT NOT NULL,
      id TEXT NOT NULL,
      agent TEXT NOT NULL,
      turn INTEGER NOT NULL,
      subclass TEXT NOT NULL,
      urgency TEXT NOT NULL,
      disposition TEXT NOT NULL,
      state TEXT NOT NULL,
      rule TEXT NOT NULL,
      subject TEXT NOT NULL,
      path TEXT NOT NULL,
      line INTEGER NOT NULL,
      confidence REAL NOT NULL,
      message TEXT NOT NULL,
      reason TEXT NOT NULL,
      spoken_turn INTEGER NOT NULL,
      note TEXT NOT NULL,
      trace JSON NOT NULL,
      updated REAL NOT NULL,
      PRIMARY KEY (session, id)
    )
    """,
    "CREATE INDEX signals_id ON signals (id)",
    "ALTER TABLE findings ADD COLUMN path TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE findings ADD COLUMN line INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE findings ADD COLUMN message TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE findings ADD COLUMN signal JSON",
)

CONTRACTS = (
    """
    CREATE TABLE contracts (
      root TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      base TEXT NOT NULL,
      session TEXT NOT NULL,
      data BLOB NOT NULL,
      updated REAL NOT NULL
    )
    """,
)

FILES = (
    """
    CREATE TABLE known (
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      path TEXT NOT NULL,
      root TEXT NOT NULL,
      digest TEXT NOT NULL,
      plain TEXT NOT NULL,
      lines BLOB NOT NULL,
      count INTEGER NOT NULL,
      seen JSON NOT NULL,
      stamp JSON NOT NULL,
      time REAL NOT NULL,
      wrote BOOLEAN NOT NULL,
      was TEXT NOT NULL,
      told TEXT NOT NULL,
      stale BOOLEAN NOT NULL,
      beside TEXT NOT NULL,
      PRIMARY KEY (session, agent, path)
    )
    """,
    "CREATE INDEX known_newest ON known (session, time)",
    "CREATE INDEX known_writers ON known (root, path) WHERE wrote",
    """
    CREATE TABLE tracked_surface (
      project TEXT PRIMARY KEY,
      patterns JSON NOT NULL
    )
    """,
    """
    CREATE TABLE tracked (
      project TEXT NOT NULL,
      path TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      size INTEGER NOT NULL,
      is_binary BOOLEAN NOT NULL,
      lines BLOB NOT NULL,
      count INTEGER NOT NULL,
      head TEXT NOT NULL,
      acknowledged_at REAL NOT NULL,
      acknowledged_via TEXT NOT NULL,
      PRIMARY KEY (project, path)
    )
    """,
    """
    CREATE TABLE tracked_told (
      session TEXT NOT NULL,
      path TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (session, path)
    ) WITHOUT ROWID
    """,
)

KNOWN_FILES = (
    # One session may work in several work trees that have files of the same names. The digests of lines come last:
    # whoever reads the other columns does not read over them.
    """
    CREATE TABLE known_files (
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      root TEXT NOT NULL,
      path TEXT NOT NULL,
      digest TEXT NOT NULL,
      plain TEXT NOT NULL,
      count INTEGER NOT NULL,
      seen JSON NOT NULL,
      stamp JSON NOT NULL,
      time REAL NOT NULL,
      wrote BOOLEAN NOT NULL,
      was TEXT NOT NULL,
      told TEXT NOT NULL,
      stale BOOLEAN NOT NULL,
      beside TEXT NOT NULL,
      lines BLOB NOT NULL,
      PRIMARY KEY (session, agent, root, path)
    )
    """,
    "CREATE INDEX known_files_newest ON known_files (session, agent, time)",
    "CREATE INDEX known_files_writers ON known_files (root, path) WHERE wrote",
    """
    INSERT INTO known_files
      SELECT session, agent, root, path, digest, plain, count, seen, stamp, time, wrote, was, told, stale, beside, lines
      FROM known
    """,
    "DELETE FROM known",
)

OUTSIDE = (
    """
    CREATE TABLE tracked_outside (
      project TEXT NOT NULL,
      path TEXT NOT NULL,
      PRIMARY KEY (project, path)
    ) WITHOUT ROWID
    """,
)

RECEIPTS = ("ALTER TABLE receipts ADD COLUMN project TEXT NOT NULL DEFAULT ''",)

TRAFFIC = (
    # What the proxy carried. Words of a request or of an answer are in none of its columns.
    """
    CREATE TABLE carried (
      seq INTEGER PRIMARY KEY,
      ts REAL NOT NULL,
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      project TEXT NOT NULL,
      api TEXT NOT NULL,
      client TEXT NOT NULL,
      outcome TEXT NOT NULL,
      calls INTEGER NOT NULL,
      withheld INTEGER NOT NULL,
      inserted INTEGER NOT NULL,
      unchecked INTEGER NOT NULL,
      senses BOOLEAN NOT NULL,
      held_ms REAL NOT NULL,
      first_byte_ms REAL NOT NULL,
      total_ms REAL NOT NULL,
      cache_read INTEGER NOT NULL,
      cache_creation INTEGER NOT NULL,
      note TEXT NOT NULL
    )
    """,
    "CREATE INDEX carried_session ON carried (session, seq)",
    "CREATE INDEX carried_project ON carried (project, seq)",
    """
    CREATE TABLE insertions (
      session TEXT NOT NULL,
      id TEXT NOT NULL,
      agent TEXT NOT NULL,
      anchor TEXT NOT NULL,
      text TEXT NOT NULL,
      state TEXT NOT NULL,
      updated REAL NOT NULL,
      PRIMARY KEY (session, id)
    )
    """,
    "CREATE INDEX receipts_session ON receipts (session, id)",
)

HEARTBEATS = (
    "ALTER TABLE receipts ADD COLUMN client TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE receipts ADD COLUMN agent TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE receipts ADD COLUMN call TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE receipts ADD COLUMN place TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE receipts ADD COLUMN slow TEXT NOT NULL DEFAULT ''",
    # The newest of each kind, so that nobody has to go through the receipts to say when a hook was last heard.
    """
    CREATE TABLE heartbeats (
      project TEXT NOT NULL,
      client TEXT NOT NULL,
      event TEXT NOT NULL,
      part TEXT NOT NULL,
      ts REAL NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (project, client, event, part)
    ) WITHOUT ROWID
    """,
)


# Bringing the tables to this version. What was released is never edited: a change is one more at the end.


def all_migrations() -> tuple[tuple[str, ...], ...]:
    """In order, the first one first."""
    return (
        (*SESSIONS, *STEPS, *VERDICTS, *PEOPLE),
        SIGNALS,
        CONTRACTS,
        FILES,
        KNOWN_FILES,
        RECEIPTS,
        OUTSIDE,
        TRAFFIC,
        HEARTBEATS,
    )


def migrate(database: Database) -> None:
    """Bring the tables to this version. A database of a newer one is refused before anything is written."""
    with database.lock():
        done = database.version()
        if done < VERSION:
            database.run("PRAGMA journal_mode = WAL")
            _apply(database, done)


def _apply(database: Database, done: int) -> None:
    database.run("BEGIN IMMEDIATE")
    try:
        for migration in all_migrations()[done:]:
            for statement in migration:
                database.run(statement)
        database.run(f"PRAGMA user_version = {VERSION}")
        database.run("COMMIT")
    finally:
        if database.in_transaction:
            database.run("ROLLBACK")
