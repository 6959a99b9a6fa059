"""Each language to the one small language that values are followed through."""
