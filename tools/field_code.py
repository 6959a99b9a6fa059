"""How right the content rules are on well-kept code: `make field-code` fetches it, `make precision-code` tells.

`docs/labels/projects.toml` pins the projects by version and digest, the other lists beside it those of sets that were
drawn later (`SET=fresh` and so on; `SETS` has them in the order they were drawn). They come from where this machine
gets its packages (Debian, npm, pip), are unpacked below the user's cache folder and never run. What the rules say of
one is remembered under the digest of its archive and of Leeboard's own code. `docs/labels/code.jsonl` says of what was
read whether it is true.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import product
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import quote

import msgspec

ROOT = Path(__file__).resolve().parent.parent
LABELS = ROOT / "docs" / "labels"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "leeboard-field"
SETS = ("projects", "fresh", "unseen", "later", "last", "sealed", "closing", "drawn")
Half = Literal["looked", "counted"]
SEED = 18
SAMPLE = 40
EXIT_INCOMPLETE = 3
"""Some of the pinned projects can no longer be had; what is printed is about the others."""
_Z = 1.96
_APT_SOURCES = Path("/etc/apt/sources.list.d")
_POOL = "pool/main"
_TARBALLS = ("xz", "gz", "bz2")


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """One well-kept project, as it was published."""

    name: str
    version: str
    sha256: str
    source: Literal["debian", "deb", "npm", "pypi"]
    """`debian` is the tarball upstream published; `deb` what Debian made of it, for languages that ship their text."""
    language: str
    half: Half
    application: bool = False

    @property
    def folder(self) -> Path:
        return CACHE / "unpacked" / f"{plain(self.name)}-{self.version}"


class Found(msgspec.Struct, frozen=True, order=True):
    """One place a rule speaks of."""

    project: str
    path: str
    line: int
    rule: str
    disposition: str


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader made of one place: true, debatable (half), or false."""

    project: str
    path: str
    line: int
    rule: str
    disposition: str
    label: Literal["true", "debatable", "false"]
    reason: str

    @property
    def place(self) -> tuple[str, str, int, str]:
        return self.project, self.path, self.line, self.rule


class Scanned(msgspec.Struct, frozen=True):
    lines: int
    found: tuple[Found, ...] = ()


class FieldError(Exception):
    """The material is not what was pinned."""


def load_projects(path: Path = LABELS / "projects.toml") -> list[Project]:
    return msgspec.convert(tomllib.loads(path.read_text())["project"], list[Project])


def load_labels(path: Path = LABELS / "code.jsonl") -> list[Label]:
    return [msgspec.json.decode(line, type=Label) for line in path.read_bytes().splitlines() if line.strip()]


# Fetching: the machine's own package tools say from where.


def fetch(project: Project) -> Path:
    """The unpacked project; an archive with another digest is refused."""
    if project.folder.is_dir():
        return project.folder
    archives = CACHE / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    archive = archives / f"{plain(project.name)}-{project.version}"
    if not archive.exists():
        part = archive.with_name(archive.name + ".part")
        _FROM[project.source](project, part)
        part.replace(archive)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != project.sha256:
        archive.unlink()
        raise FieldError("the archive is not the pinned one")
    unpack(archive, project.folder)
    return project.folder


def unpack(archive: Path, folder: Path) -> None:
    """Files only, none outside the folder; links are left out."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(part)  # noqa: S202 - zipfile lets no name leave the folder
    elif archive.read_bytes()[:8] == b"!<arch>\n":
        tar = archive.with_name(archive.name + ".tar")
        _run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$1" > "$2"', "sh", str(archive), str(tar)])
        _untar(tar, part)
        tar.unlink()
    else:
        _untar(archive, part)
    part.replace(folder)


def _untar(archive: Path, folder: Path) -> None:
    """By hand: the first releases of Python 3.11 have no filter that keeps members inside the folder."""
    inside = folder.resolve()
    with tarfile.open(archive) as packed:
        for member in packed:
            place = (inside / member.name).resolve()
            content = packed.extractfile(member) if member.isfile() and place.is_relative_to(inside) else None
            if content is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                with content, place.open("wb") as file:
                    shutil.copyfileobj(content, file)


def _from_debian(project: Project, target: Path) -> None:
    """The tarball that upstream published, out of Debian's pool: there as long as any release of Debian has it."""
    prefix = project.name[:4] if project.name.startswith("lib") else project.name[0]
    file = quote(f"{project.name}_{project.version}.orig.tar")
    for archive, ending in product(_debian_archives(), _TARBALLS):
        try:
            with urllib.request.urlopen(f"{archive}{_POOL}/{prefix}/{project.name}/{file}.{ending}") as answer:  # noqa: S310 - as apt is set up here
                with target.open("wb") as kept:
                    shutil.copyfileobj(answer, kept)
                return
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.NOT_FOUND:
                raise
    raise FieldError(f"Debian's pool does not have {project.version} any more")


def _debian_archives() -> list[str]:
    """Where this machine gets its packages, as apt says it."""
    told = _run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"])
    return list(dict.fromkeys(line for line in told.split() if line.startswith(("http://", "https://"))))


def _from_deb(project: Project, target: Path) -> None:
    folder = target.with_name(target.name + ".d")
    folder.mkdir(exist_ok=True)
    _run([*_apt(), "download", "-q", f"{project.name}={project.version}"], folder)
    _only_file(folder, target)


def _apt() -> list[str]:
    """apt-get with lists of its own, that hold sources too."""
    home = CACHE / "apt"
    options = (
        "Dir::Etc::sourcelist=/dev/null",
        f"Dir::Etc::sourceparts={home}/parts",
        f"Dir::State::lists={home}/lists",
    )
    command = ["apt-get", *(word for one in (*options, f"Dir::Cache={home}/cache") for word in ("-o", one))]
    if not (home / "lists").is_dir():
        for name in ("parts", "lists/partial", "cache/archives/partial"):
            (home / name).mkdir(parents=True, exist_ok=True)
        for path in _APT_SOURCES.glob("*.sources"):
            text = re.sub(r"(?m)^Types: .*$", "Types: deb deb-src", path.read_text())
            (home / "parts" / path.name).write_text(text)
        _run([*command, "update"])
    return command


def _from_npm(project: Project, target: Path) -> None:
    folder = target.with_name(target.name + ".d")
    folder.mkdir(exist_ok=True)
    _run(["npm", "pack", "--silent", "--pack-destination", str(folder), f"{project.name}@{project.version}"])
    _only_file(folder, target)


def _from_pypi(project: Project, target: Path) -> None:
    """The wheel: nothing has to be built to get it."""
    folder = target.with_name(target.name + ".d")
    wanted = f"{project.name}=={project.version}"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--only-binary=:all:",
        "--python-version",
        "3.13",
    ]
    _run([*pip, "-d", str(folder), wanted])
    _only_file(folder, target)


_FROM = {"debian": _from_debian, "deb": _from_deb, "npm": _from_npm, "pypi": _from_pypi}


def _only_file(folder: Path, target: Path) -> None:
    (file,) = folder.iterdir()
    file.replace(target)
    folder.rmdir()


def _run(command: Sequence[str], folder: Path = CACHE) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode:
        words = " ".join((done.stderr or done.stdout).split())
        raise FieldError(f"{Path(command[0]).name} failed: {words[-400:]}")
    return done.stdout


def plain(name: str) -> str:
    return name.lstrip("@").replace("/", "-")


# Scanning, with a memory.


def scan(project: Project, code: str, jobs: int) -> Scanned:
    """What `leeboard scan` says of it; remembered for this archive and this code."""
    kept = CACHE / "scans" / code[:16] / f"{plain(project.name)}-{project.sha256[:16]}.json"
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Scanned)
    scanned = scan_folder(project.name, project.folder, jobs)
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_name(f"{kept.name}.{os.getpid()}")
    part.write_bytes(msgspec.json.encode(scanned))
    part.replace(kept)
    return scanned


def scan_folder(name: str, folder: Path, jobs: int) -> Scanned:
    options = ["--json", "--no-ignore", "--min", "queue", "--fail-on", "never", "-j", str(jobs)]
    command = [sys.executable, "-P", "-m", "leeboard", "scan", ".", *options]
    done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    if done.returncode:
        raise FieldError(f"{name}: scan ended with {done.returncode}: {done.stderr.decode()[-400:]}")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = {
        Found(name, one["path"].removeprefix("./"), one["line"], one["rule"], one["disposition"])
        for one in told
        if "rule" in one and "disposition" in one and not one.get("same_as")
    }
    return Scanned(lines_in(folder), tuple(sorted(found)))


def lines_in(folder: Path) -> int:
    """The lines of its texts."""
    count = 0
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            count += 0 if b"\0" in data[:8192] else data.count(b"\n")
    return count


def code_digest() -> str:
    """Of all that can change what is found."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "leeboard").rglob("*")):
        if path.suffix in {".py", ".toml", ".bin"}:
            digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


# The table.


def wilson(right: float, count: int) -> tuple[float, float]:
    """The interval of 95 of 100 such samples."""
    if not count:
        return 0.0, 1.0
    share, square = right / count, _Z * _Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def table(projects: Sequence[Project], scans: Sequence[Scanned], labels: Sequence[Label]) -> Iterator[str]:
    """For each half: how often anything is said, and of what was read how much is true."""
    known = {label.place: label.label for label in labels}
    yield "| half | rule | disposition | said | per 100,000 lines | read | true | debatable | false | precision |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for half in get_args(Half):
        chosen = [one for project, one in zip(projects, scans, strict=True) if project.half == half]
        if not chosen:
            continue
        lines = sum(one.lines for one in chosen)
        found = [item for one in chosen for item in one.found]
        for disposition in ("FIRE", "QUEUE"):
            said = [item for item in found if item.disposition == disposition]
            for rule in (*sorted({item.rule for item in said}), "all"):
                rows = [item for item in said if rule in (item.rule, "all")]
                yield f"| {half} | {rule} | {disposition} | {_row(rows, lines, known)} |"


def _row(rows: Sequence[Found], lines: int, known: Mapping[tuple[str, str, int, str], str]) -> str:
    read = [known[place] for row in rows if (place := (row.project, row.path, row.line, row.rule)) in known]
    true, debatable, false = (read.count(label) for label in ("true", "debatable", "false"))
    low, high = wilson(true + debatable / 2, len(read))
    share = 100 * (true + debatable / 2) / len(read) if read else 0
    precision = f"{share:.0f} % ({100 * low:.0f} to {100 * high:.0f})" if read else "not read"
    rate = 100_000 * len(rows) / lines if lines else 0
    return f"{len(rows)} | {rate:.2f} | {len(read)} | {true} | {debatable} | {false} | {precision}"


def unread(projects: Sequence[Project], scans: Sequence[Scanned], labels: Sequence[Label]) -> list[Found]:
    """What has to be read: every FIRE of the half that is looked at, and a sample of its QUEUE, the same each time."""
    known = {label.place for label in labels}
    found = [
        item for project, one in zip(projects, scans, strict=True) if project.half == "looked" for item in one.found
    ]
    fires = [item for item in found if item.disposition == "FIRE"]
    queued = sorted(item for item in found if item.disposition == "QUEUE")
    dice = random.Random(SEED)  # noqa: S311 - a sample, no secret
    sample = dice.sample(queued, min(SAMPLE, len(queued)))
    return [item for item in (*fires, *sample) if (item.project, item.path, item.line, item.rule) not in known]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make field-code", description=__doc__)
    parser.add_argument("action", choices=("fetch", "precision", "unread"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--set", choices=SETS, default=SETS[0], help="which list of projects")
    parser.add_argument("--half", choices=get_args(Half), help="this half alone: the other one stays closed")
    given = parser.parse_args(arguments)
    pinned = [one for one in load_projects(LABELS / f"{given.set}.toml") if given.half in {None, one.half}]
    CACHE.mkdir(parents=True, exist_ok=True)
    projects, gone = at_hand(pinned)
    for words in gone:
        print(f"field-code: left out: {words}", file=sys.stderr)
    missing = EXIT_INCOMPLETE if gone else 0
    if given.action == "fetch":
        print(f"{_of(projects, pinned)} projects in {CACHE / 'unpacked'}")
        return missing
    code, scans = code_digest(), []
    try:
        for project in projects:
            _tell(f"scanning {project.name}")
            scans.append(scan(project, code, given.jobs))
    except (FieldError, OSError) as error:
        print(f"field-code: {error}", file=sys.stderr)
        return 1
    labels = load_labels()
    if given.action == "unread":
        for item in unread(projects, scans, labels):
            print(msgspec.json.encode(item).decode())
        return missing
    total = sum(one.lines for one in scans)
    languages = len({one.language for one in projects})
    print(f"{_of(projects, pinned)} projects, {languages} languages, {total:,} lines\n")
    print("\n".join(table(projects, scans, labels)))
    return missing


def at_hand(pinned: Sequence[Project]) -> tuple[list[Project], list[str]]:
    """The projects that can be had, and in words those that cannot: what was published once is not kept for ever."""
    there, gone = [], []
    for project in pinned:
        _tell(f"fetching {project.name}")
        try:
            fetch(project)
        except (FieldError, OSError) as error:
            gone.append(f"{project.name} {project.version} ({project.source}): {error}")
        else:
            there.append(project)
    return there, gone


def _of(there: Sequence[Project], pinned: Sequence[Project]) -> str:
    return f"{len(there)} of {len(pinned)}" if len(there) < len(pinned) else str(len(pinned))


def _tell(words: str) -> None:
    """How far it is, for a person who waits."""
    if sys.stderr.isatty():
        print(f"\r{words}\x1b[K", end="", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
