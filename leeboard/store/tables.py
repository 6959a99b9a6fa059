"""The tables, from the first version on, and the way from any of them to this one.

What was released is never edited: a change is one more step at the end of the list.

`session_states` and `steps` have the columns other tools know them by, and no others; what else is needed stands beside
them. JSON columns hold JSON text. `seq` counts steps in the order of their commit; clocks order nothing.
"""

from __future__ import annotations

from leeboard.store.database import VERSION, Database

SESSIONS = (
    """
    CREATE TABLE session_states (
      session_id TEXT PRIMARY KEY,
      project_path TEXT,
      original_goal TEXT,
      expected_scope JSON,
      constraints JSON,
      keywords JSON,
      drift_history JSON,
      escalation_count INTEGER,
      last_checked_at INTEGER,
      status TEXT,
      created_at TEXT,
      updated_at TEXT
    )
    """,
    """
    CREATE TABLE session_hot (
      session_id TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      shape INTEGER NOT NULL,
      project TEXT NOT NULL,
      status TEXT NOT NULL,
      updated REAL NOT NULL,
      data BLOB NOT NULL
    )
    """,
    "CREATE INDEX session_hot_updated ON session_hot (updated)",
    "CREATE INDEX session_hot_project ON session_hot (project, updated)",
    "CREATE INDEX session_hot_status ON session_hot (status, updated)",
    """
    CREATE TABLE ledger (
      session_id TEXT NOT NULL,
      term TEXT NOT NULL,
      met INTEGER NOT NULL,
      PRIMARY KEY (session_id, term)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE answers (
      session_id TEXT NOT NULL,
      key TEXT NOT NULL,
      verdict TEXT NOT NULL,
      PRIMARY KEY (session_id, key)
    )
    """,
)

STEPS = (
    """
    CREATE TABLE steps (
      id TEXT PRIMARY KEY,
      session_id TEXT,
      action_type TEXT,
      files JSON,
      folders JSON,
      command TEXT,
      reasoning TEXT,
      drift_score INTEGER,
      drift_type TEXT,
      correction_given TEXT,
      is_key_decision BOOLEAN,
      is_validated BOOLEAN,
      keywords JSON,
      timestamp INTEGER
    )
    """,
    """
    CREATE TABLE step_order (
      seq INTEGER PRIMARY KEY,
      step_id TEXT NOT NULL UNIQUE,
      session_id TEXT NOT NULL,
      project TEXT NOT NULL,
      decisive INTEGER NOT NULL
    )
    """,
    "CREATE INDEX step_order_session ON step_order (session_id, seq)",
    "CREATE INDEX step_order_session_decisive ON step_order (session_id, seq) WHERE decisive",
    "CREATE INDEX step_order_project_decisive ON step_order (project, seq) WHERE decisive",
    """
    CREATE TABLE step_files (
      session_id TEXT NOT NULL,
      term TEXT NOT NULL,
      seq INTEGER NOT NULL,
      project TEXT NOT NULL,
      modifies INTEGER NOT NULL,
      PRIMARY KEY (session_id, term, seq)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX step_files_project ON step_files (project, term, seq)",
    "CREATE INDEX step_files_modified ON step_files (session_id, term) WHERE modifies",
    """
    CREATE TABLE step_folders (
      session_id TEXT NOT NULL,
      term TEXT NOT NULL,
      seq INTEGER NOT NULL,
      project TEXT NOT NULL,
      PRIMARY KEY (session_id, term, seq)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX step_folders_project ON step_folders (project, term, seq)",
    """
    CREATE TABLE step_keywords (
      session_id TEXT NOT NULL,
      term TEXT NOT NULL,
      seq INTEGER NOT NULL,
      project TEXT NOT NULL,
      PRIMARY KEY (session_id, term, seq)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX step_keywords_project ON step_keywords (project, term, seq)",
)

VERDICTS = (
    """
    CREATE TABLE verdicts (
      id TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      agent TEXT NOT NULL,
      turn INTEGER NOT NULL,
      action INTEGER NOT NULL,
      event TEXT NOT NULL,
      tool_use_id TEXT NOT NULL,
      score INTEGER NOT NULL,
      level TEXT NOT NULL,
      confidence TEXT NOT NULL,
      rules JSON NOT NULL,
      paths JSON NOT NULL,
      message TEXT NOT NULL,
      briefing TEXT NOT NULL,
      trace JSON NOT NULL,
      timestamp REAL NOT NULL
    )
    """,
    "CREATE INDEX verdicts_session ON verdicts (session)",
    """
    CREATE TABLE findings (
      verdict_id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      rule TEXT NOT NULL,
      subject TEXT NOT NULL,
      evidence JSON NOT NULL,
      cap INTEGER NOT NULL,
      confidence REAL NOT NULL,
      remedy TEXT NOT NULL,
      PRIMARY KEY (verdict_id, fingerprint)
    )
    """,
    "CREATE INDEX findings_fingerprint ON findings (fingerprint)",
    """
    CREATE TABLE corrections (
      session TEXT NOT NULL,
      id TEXT NOT NULL,
      agent TEXT NOT NULL,
      turn INTEGER NOT NULL,
      level TEXT NOT NULL,
      score INTEGER NOT NULL,
      text TEXT NOT NULL,
      rules JSON NOT NULL,
      paths JSON NOT NULL,
      tool_use_id TEXT NOT NULL,
      confidence TEXT NOT NULL,
      state TEXT NOT NULL,
      updated REAL NOT NULL,
      PRIMARY KEY (session, id)
    )
    """,
)

PEOPLE = (
    """
    CREATE TABLE allowances (
      id TEXT PRIMARY KEY,
      rule TEXT NOT NULL,
      path TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      reason TEXT NOT NULL,
      until REAL NOT NULL,
      by TEXT NOT NULL,
      session TEXT NOT NULL,
      project TEXT NOT NULL
    )
    """,
    "CREATE INDEX allowances_project ON allowances (project)",
    """
    CREATE TABLE captures (
      session_id TEXT PRIMARY KEY,
      project_path TEXT NOT NULL,
      goal TEXT NOT NULL,
      status TEXT NOT NULL,
      drift_events INTEGER NOT NULL,
      final_score INTEGER NOT NULL,
      had_halt BOOLEAN NOT NULL,
      needs_review BOOLEAN NOT NULL,
      tags JSON NOT NULL,
      reasoning_trace TEXT NOT NULL,
      updated REAL NOT NULL
    )
    """,
    "CREATE INDEX captures_project ON captures (project_path, updated)",
    """
    CREATE TABLE receipts (
      id INTEGER PRIMARY KEY,
      ts REAL NOT NULL,
      session TEXT NOT NULL,
      event TEXT NOT NULL,
      ms REAL NOT NULL,
      outcome TEXT NOT NULL,
      note TEXT NOT NULL
    )
    """,
    "CREATE INDEX receipts_ts ON receipts (ts)",
    """
    CREATE TABLE cursors (
      path TEXT PRIMARY KEY,
      inode INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      session TEXT NOT NULL
    )
    """,
    "CREATE INDEX cursors_session ON cursors (session)",
)


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
