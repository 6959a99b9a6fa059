"""`leeboard flow`: a workflow on disk, driven and shown to a person."""
