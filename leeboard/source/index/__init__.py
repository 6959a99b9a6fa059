"""The index of a work tree: names first, fingerprints in the background, in a cache that is rebuilt at will."""
