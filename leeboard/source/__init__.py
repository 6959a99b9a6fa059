"""The source code of a work tree: definitions, imports, fingerprints, habits, copies; `index` keeps them on the disk.

What is dangerous in code is in `security`; what one call does to it is in `analysis`.
"""
