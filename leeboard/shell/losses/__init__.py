"""Shell lines that take work away which is nowhere else: files in no commit, commits on no other branch."""
