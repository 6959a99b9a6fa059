"""Leeboard keeps coding agents on course."""

__version__ = "0.1.0"
