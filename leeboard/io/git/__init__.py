"""Git, asked within a time limit and so that a repository's settings run nothing.

What changes a repository, for a workflow alone, is in `plan/disk`.
"""
