"""One event, understood once: touches, diffs, entries of the registry, what leads to a path, the redacted text.

It brings together what `shell`, `speech` and `source` understand; what is wrong with it is for `rules` to say.
"""
