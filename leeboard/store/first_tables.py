"""The tables of the first version, as they were released: what came to them later stands in `tables`."""

from __future__ import annotations

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
