"""Tasks and what is remembered of them, on the disk; and acceptance commands, really run."""
