"""The workflow on disk: `.haiku/` of the primary work tree, the git repository around it, and the engine over both."""
