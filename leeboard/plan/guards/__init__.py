"""What a shell line or an edit would do to a workflow: its trees, its branches, and the files that say how it goes."""
