"""The files that guard a session and those a person ruled out, compared at every hook that may follow a change."""
