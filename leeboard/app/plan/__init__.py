"""What is done where a workflow lives on disk."""
