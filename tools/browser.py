"""A Chromium for the browser tests: `python -m tools.browser` finds one, or has one installed. Run by `make test`.

One on PATH goes first, then Playwright's own. Where neither is there it is installed: by Playwright, or as the system's
package where that is allowed. Where that is not possible either, one line says so and the tests run without a browser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Nothing leaves this machine, and no display is needed."""
NONE = "browser tests: no Chromium is here and none can be installed; the tests run without a browser"
_SECONDS = 600


def find_browser() -> str:
    """The path of a Chromium; empty where there is none."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), "")
    return found or _own_of_playwright()


def _own_of_playwright() -> str:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    names = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium")
    return next((str(path) for name in names for path in sorted(folder.glob(name))), "")


def installed_browser() -> str:
    """The same, after every way to get one."""
    for install in (_by_playwright, _by_system):
        if found := find_browser():
            return found
        install()
    return find_browser()


def _by_playwright() -> None:
    _run(sys.executable, "-m", "playwright", "install", "chromium")


def _by_system() -> None:
    """Where this user may, without being asked for a password."""
    if not shutil.which("apt-get"):
        return
    before = () if os.getuid() == 0 else ("sudo", "-n")
    install = (*before, "apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium")
    if not _run(*install) and _run(*before, "apt-get", "update", "-q"):
        _run(*install)


def _run(*command: str) -> bool:
    """Whether the command did what it should."""
    try:
        return subprocess.run(command, check=False, capture_output=True, timeout=_SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    print(f"browser tests: {found}" if (found := installed_browser()) else NONE)
