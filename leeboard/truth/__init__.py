"""What agents know of files: learnt from what they read and write, compared with what the files are."""
