"""The proxy between a coding agent and its model: forwards what it is given, byte for byte, and lets calls be judged.

It speaks HTTP/1.1 with its own small protocol classes on asyncio (uvloop where it is installed). A framework would
parse, normalise and write anew what has to arrive as it was sent: the order and spelling of headers, chunks, trailers.
"""
