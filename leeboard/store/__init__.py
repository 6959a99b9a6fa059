"""Where sessions are kept: SQLite for people, memory for replay."""
