"""Tasks in progress, watched and acted on: the monitor, the redirect, and what is done about a drift report.

What a task promises, and how its files are read and written, is in `contracts`.
"""
