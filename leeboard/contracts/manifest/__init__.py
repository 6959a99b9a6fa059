"""Which packages a file declares or locks, whatever its ecosystem: `declared.packages(path, text)` is the way in."""
