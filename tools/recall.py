"""How much the content rules hear of what others have labelled: `make recall`.

`docs/labels/recall.toml` pins tools whose tests hold labelled code, by version and digest. They are fetched as the
well-kept projects are, are never run, and nothing of them is in this repository. Half of the cases of each, by the
digest of their names, is for looking; the other half is only counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from tools import field_code
from tools.labelled import READERS, Case

LIST = field_code.LABELS / "recall.toml"
_HEARD = ("FIRE", "QUEUE")


class Labelled(msgspec.Struct, frozen=True, kw_only=True):
    """A tool whose tests are labelled code."""

    name: str
    version: str
    sha256: str
    source: Literal["npm", "pypi"]
    format: str
    files: str
    """A pattern for the paths of the files that hold the labels."""

    @property
    def project(self) -> field_code.Project:
        return field_code.Project(
            name=self.name if self.source == "npm" else f"{self.name}-sources",
            version=self.version,
            sha256=self.sha256,
            source=self.source,
            language="",
            half="looked",
        )


class Figures(msgspec.Struct):
    """What was said of one half of a set."""

    vulnerable: int = 0
    heard: int = 0
    any: int = 0
    safe: int = 0
    alarms: int = 0

    def add(self, case: Case, spoken: int, noted: int) -> None:
        if case.expected:
            self.vulnerable += case.expected
            self.heard += min(spoken, case.expected)
            self.any += min(noted, case.expected)
        else:
            self.safe += 1
            self.alarms += spoken > 0

    def row(self) -> str:
        share = f"{100 * self.heard / self.vulnerable:.0f} %" if self.vulnerable else "none"
        logged = f"{100 * self.any / self.vulnerable:.0f} %" if self.vulnerable else "none"
        said = self.heard + self.alarms
        precision = f"{100 * self.heard / said:.0f} %" if said else "nothing said"
        return f"{self.vulnerable} | {self.heard} | {share} | {logged} | {self.safe} | {self.alarms} | {precision}"


def load(path: Path = LIST) -> list[Labelled]:
    return msgspec.convert(tomllib.loads(path.read_text())["tests"], list[Labelled])


def half(case: Case) -> field_code.Half:
    """By the digest of its name, so that it stays where it is."""
    return "looked" if hashlib.sha256(case.name.encode()).digest()[0] % 2 else "counted"


def cases(labelled: Labelled) -> list[Case]:
    """What is labelled in one tool, each text once."""
    read = READERS[labelled.format](fetch(labelled), labelled.files)
    by_text = {(case.text, bool(case.expected)): case for case in read}
    both = {text for text, found in by_text if (text, not found) in by_text}
    return [case for (text, _), case in by_text.items() if text not in both]


def fetch(labelled: Labelled) -> Path:
    """The unpacked tests: of npm as packed, of PyPI the source distribution, of which nothing is built."""
    project = labelled.project
    archive = field_code.CACHE / "archives" / f"{field_code.plain(project.name)}-{project.version}"
    if labelled.source == "pypi" and not archive.exists() and not project.folder.is_dir():
        archive.parent.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(_sources(labelled)) as answer:  # noqa: S310 - pip's own address
            archive.write_bytes(answer.read())
    return field_code.fetch(project)


def _sources(labelled: Labelled) -> str:
    """The address of the source distribution, in the index that pip has."""
    asked = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    index = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()
    with urllib.request.urlopen(f"{index}/{labelled.name}/") as answer:  # noqa: S310 - pip's own address
        text = answer.read().decode()
    found = re.search(rf'href="([^"#]*-{re.escape(labelled.version)}\.tar\.gz)#', text)
    if found is None:
        raise field_code.FieldError(f"{labelled.name}: the index has no sources of {labelled.version} any more")
    return found[1]


def scan(chosen: Sequence[Case], jobs: int) -> list[list[dict[str, object]]]:
    """What is said of each, as if it were a file of its own project's folder."""
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(chosen):
            path = Path(folder) / f"p{number}" / case.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(case.text)
        options = ["--json", "--no-ignore", "--min", "log", "--fail-on", "never", "-j", str(jobs)]
        command = [sys.executable, "-P", "-m", "leeboard", "scan", ".", *options]
        done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    if done.returncode:
        raise field_code.FieldError(f"scan ended with {done.returncode}: {done.stderr.decode()[-400:]}")
    said: list[list[dict[str, object]]] = [[] for _ in chosen]
    for line in done.stdout.splitlines():
        one = json.loads(line)
        if "rule" in one and "disposition" in one:
            said[int(one["path"].removeprefix("./").partition("/")[0][1:])].append(one)
    return said


def table(sets: Sequence[Labelled], jobs: int) -> Iterator[str]:
    yield "| set | half | weaknesses | heard | share | with logged | safe | alarms | right |"
    yield "|---|---|---|---|---|---|---|---|---|"
    whole = _halves()
    for labelled in sets:
        chosen, halves = cases(labelled), _halves()
        for case, said in zip(chosen, scan(chosen, jobs), strict=True):
            spoken = len({one["line"] for one in said if one["disposition"] in _HEARD})
            for figures in (halves[half(case)], whole[half(case)]):
                figures.add(case, spoken, len({one["line"] for one in said}))
        for name, figures in halves.items():
            yield f"| {labelled.name} {labelled.version} | {name} | {figures.row()} |"
    for name, figures in whole.items():
        yield f"| all | {name} | {figures.row()} |"


def _halves() -> dict[field_code.Half, Figures]:
    return {"looked": Figures(), "counted": Figures()}


def missed(sets: Sequence[Labelled], jobs: int) -> Iterator[str]:
    """What was not heard, and what was said of safe code, in the half for looking."""
    for labelled in sets:
        chosen = [case for case in cases(labelled) if half(case) == "looked"]
        for case, said in zip(chosen, scan(chosen, jobs), strict=True):
            spoken = [one for one in said if one["disposition"] in _HEARD]
            if bool(case.expected) != bool(spoken):
                told = "".join(
                    f"\n  {one['disposition']} {one['line']}: {one['message']} {one['note']}" for one in said
                )
                yield f"=== {labelled.name} {case.name} ({case.path}) expected {case.expected}{told}\n{case.text}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make recall", description=__doc__)
    parser.add_argument("action", choices=("table", "missed"), nargs="?", default="table")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--set", help="only this tool")
    given = parser.parse_args(arguments)
    sets = [one for one in load() if given.set in (None, one.name)]
    try:
        for line in (missed if given.action == "missed" else table)(sets, given.jobs):
            print(line)
    except (field_code.FieldError, OSError) as error:
        print(f"recall: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
