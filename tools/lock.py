"""Write requirements.lock: every package that runs, tests or builds Leeboard, pinned, with the digests of its files.

Run by `make lock`. Asks whichever index pip is set up to use; the lock itself names none.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Written by `make lock` from pyproject.toml. Do not edit by hand.\n"
LISTED_FILE = re.compile(r'#sha256=([0-9a-f]{64})"[^>]*>([^<]+)</a>')


def wanted(pyproject: Path) -> list[str]:
    """What pyproject.toml asks for: to run with every extra, to develop and to build."""
    settings = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    return [
        *settings["project"]["dependencies"],
        *(each for extra in settings["project"]["optional-dependencies"].values() for each in extra),
        *settings["dependency-groups"]["dev"],
        *settings["build-system"]["requires"],
    ]


def resolve(requirements: list[str]) -> list[tuple[str, str]]:
    """Name and version of everything pip would install for these requirements."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    report = subprocess.run([*command, *requirements], check=True, capture_output=True, text=True).stdout
    chosen = [item["metadata"] for item in json.loads(report)["install"]]
    return sorted((re.sub(r"[-_.]+", "-", item["name"].lower()), item["version"]) for item in chosen)


def index_url() -> str:
    """The address of the index pip uses."""
    program = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    configured = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], check=False, capture_output=True, text=True
    )
    if configured.returncode == 0:
        return configured.stdout.strip().rstrip("/")
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def digests(index: str, name: str, version: str) -> list[str]:
    """SHA-256 of each file of this version: a lock made on one platform serves them all."""
    request = urllib.request.Request(f"{index}/{name}/", headers={"Accept": "text/html"})  # noqa: S310 - pip's own setting
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
        page = answer.read().decode()
    stems = (f"{name}-{version}-", f"{name}-{version}.tar", f"{name}-{version}.zip")
    files = LISTED_FILE.findall(page)
    return sorted(digest for digest, file in files if _spelled(file, name).startswith(stems))


def _spelled(file: str, name: str) -> str:
    """A file name with the package as the index spells it: `ruamel_yaml` and `ruamel.yaml` are `ruamel-yaml`."""
    return re.sub(r"[-_.]+", "-", file[: len(name)].lower()) + file[len(name) :]


def main() -> None:
    index = index_url()
    lines = [HEADER]
    for name, version in resolve(wanted(ROOT / "pyproject.toml")):
        found = digests(index, name, version)
        if not found:
            sys.exit(f"the index lists no file of {name} {version}")
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{digest}" for digest in found)]) + "\n")
    (ROOT / "requirements.lock").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
