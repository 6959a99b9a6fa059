"""Weak cryptography in source text: found in any language by one shape of calls, settings and comparisons."""
