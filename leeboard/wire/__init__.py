"""The traffic between a coding agent and its model: what a request tells, what an answer carries, and both rewritten.

Bytes in, bytes out. Nothing here waits, opens a connection or knows what a call is judged by.
"""
