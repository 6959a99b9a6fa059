"""`python -I -m leeboard.surfaces.mcp`: the server without the command line, for a start of a few milliseconds."""

from __future__ import annotations

from leeboard.surfaces.mcp.server import serve

if __name__ == "__main__":
    serve()
