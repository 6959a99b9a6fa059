"""`python -m leeboard`: the command line where its script is not on PATH."""

from __future__ import annotations

from leeboard.surfaces.cli.main import main

if __name__ == "__main__":
    main()
