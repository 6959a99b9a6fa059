"""Limits in a person's words: found, turned into something that can be checked, and lifted by later words."""
