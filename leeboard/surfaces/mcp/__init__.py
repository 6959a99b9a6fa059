"""The MCP server of a workflow: a loop of our own, tools by their schemas, and handlers that are loaded when called.

What a tool does to a plan is decided in `plan/machine` and done by `app/plan`.
"""
