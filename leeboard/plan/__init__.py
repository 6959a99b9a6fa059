"""The workflow that lives on disk: `machine` decides, `files` knows the formats, `guards` knows what harms it.

Only `disk` touches files and git. What drives all of it is in `app/plan`.
"""
