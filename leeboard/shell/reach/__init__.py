"""Files that a shell line changes without naming them: by globs, by whole folders, by what git and archives bring.

The disk is asked through what the caller hands in.
"""
