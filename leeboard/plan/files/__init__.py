"""The formats of a workflow's files, both ways: markdown with frontmatter, YAML, JSON.

Nothing is opened here: texts in, values out, and back.
"""
