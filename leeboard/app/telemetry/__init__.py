"""What the guard does, told to a collector: spans and metrics, and nothing of what any of it was about."""
