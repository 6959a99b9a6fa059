"""The truth of files on the disk: surfaces, baselines, the action log, and what is written in a person's name."""
