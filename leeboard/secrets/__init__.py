"""Credentials in texts: by a provider's format, by the name in front of them, by where they stand.

`find.find_secrets(text, path)` is the way in; `redaction` hides all of what it knows. Nothing here keeps a value.
"""
