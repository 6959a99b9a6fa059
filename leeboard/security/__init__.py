"""What is dangerous in source text: weak cryptography in `crypto`, foreign values in dangerous calls in `taint`.

Credentials are in `secrets`: they are redacted in places that read no code.
"""
