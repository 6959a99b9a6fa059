"""Commands about a work tree and what was promised for it."""
