"""The processes that people and clients start: hook client, resident, command line, MCP server.

They turn what they are given into one call of `app` and its outcome into bytes; nothing is judged here.
"""
