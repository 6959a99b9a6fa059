"""The nouns that every room shares, frozen, and the fold over them: events, sessions, contracts, findings, plans.

Nothing here knows where a value came from or who asks for it: no I/O, no clock, no client, no rule.
"""
