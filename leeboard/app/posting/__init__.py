"""Hooks that a client posts to the resident where it would run a command for each: where to, and whose are believed."""
