"""Compile the tables of `leeboard/data`, TOML as people write it, and the headers of the rules, into the JSON that
processes load.
"""

from __future__ import annotations

import json
import sys
import tomllib
import zlib
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from leeboard.rule import header_text, key_of, parse_header, sources  # noqa: E402 - the checkout has to be on the path first

DATA = ROOT / "leeboard" / "data"
COMPILED = DATA / "compiled"
LONG = 4_000
"""Characters from which on a table is packed: an installation weighs less, and who asks for one waits no longer."""
PLAIN = frozenset(
    f"{name}.json"
    for name in (
        "mcp.tools",
        "shell.programs",
        "shell.irreversible",
        "secrets.names",
        "speech.common_words",
        "speech.file_names",
    )
)
"""Read at every edit or shell line, or by who does without the library that unpacks."""


def compiled(table: Path) -> str:
    """Its JSON, without a byte that means nothing."""
    try:
        read = tomllib.loads(table.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        sys.exit(f"{table.relative_to(DATA.parent.parent)}: {error}")
    return json.dumps(read, ensure_ascii=False, separators=(",", ":")) + "\n"


def wanted() -> dict[Path, str]:
    tables = sorted(DATA.glob("*/*.toml"))
    texts = {f"{table.parent.name}.{table.stem}.json": compiled(table) for table in tables}
    files = {
        COMPILED / (f"{name}.z" if len(text) > LONG and name not in PLAIN else name): text
        for name, text in texts.items()
    }
    return files | {COMPILED / "rules.json": rule_headers()}


def read(path: Path) -> str:
    """By what it holds: packed bytes differ from one zlib to the next."""
    data = path.read_bytes()
    return (zlib.decompress(data) if path.suffix == ".z" else data).decode()


def write(path: Path, text: str) -> None:
    path.write_bytes(zlib.compress(text.encode(), 9) if path.suffix == ".z" else text.encode())


def rule_headers() -> str:
    """What each rule declares, by the text it does so in; a line for each, so that two new rules can be merged."""
    found = {key_of(header_text(source)): msgspec.to_builtins(parse_header(source)) for _, source in sources()}
    lines = (f"{json.dumps(key)}:{json.dumps(header, separators=(',', ':'))}" for key, header in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    files = wanted()
    there = {path: read(path) for path in COMPILED.glob("*.json*")}
    changed = sorted(path for path in {*files, *there} if files.get(path) != there.get(path))
    for path in changed:
        print(f"{path.relative_to(DATA.parent.parent)}: {'not as its table says' if path in files else 'has no table'}")
    COMPILED.mkdir(exist_ok=True)
    for path in changed:
        if path in files:
            write(path, files[path])
        else:
            path.unlink()


if __name__ == "__main__":
    main()
