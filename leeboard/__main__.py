"""`python -I -m leeboard`: the command line where its script is not on PATH. Without `-I` (or `-P`) Python would rather
import a folder `leeboard` of wherever it is started.
"""

from __future__ import annotations

from leeboard.surfaces.cli.main import main

if __name__ == "__main__":
    main()
