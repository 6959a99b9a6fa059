"""The workflow on disk, decided: values in, values out.

`advance` looks at a plan and says the one next thing; `moves` holds what tools and people may change; `table` is the
whole machine. Nothing here reads or writes: what is to be done to the world comes back as effects.
"""
