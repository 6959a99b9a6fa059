"""Hooks that find no store: the named few are refused all the same, and the answers kept until there is one."""
