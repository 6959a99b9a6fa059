"""Hardening in source text: code that keeps a program going where something fails, rather than doing what was asked."""
