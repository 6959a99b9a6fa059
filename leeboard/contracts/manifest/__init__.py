"""Which packages a file declares or locks, whatever its ecosystem: `gain.packages(path, text)` is the way in."""
