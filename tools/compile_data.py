"""Compile the tables of `leeboard/data`, TOML as people write it, into the JSON that processes load."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

DATA = Path(__file__).parent.parent / "leeboard" / "data"
COMPILED = DATA / "compiled"


def compiled(table: Path) -> str:
    """Its JSON, without a byte that means nothing."""
    try:
        read = tomllib.loads(table.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        sys.exit(f"{table.relative_to(DATA.parent.parent)}: {error}")
    return json.dumps(read, ensure_ascii=False, separators=(",", ":")) + "\n"


def wanted() -> dict[Path, str]:
    tables = sorted(DATA.glob("*/*.toml"))
    return {COMPILED / f"{table.parent.name}.{table.stem}.json": compiled(table) for table in tables}


def main() -> None:
    files = wanted()
    there = {path: path.read_text(encoding="utf-8") for path in COMPILED.glob("*.json")}
    changed = sorted(path for path in {*files, *there} if files.get(path) != there.get(path))
    for path in changed:
        print(f"{path.relative_to(DATA.parent.parent)}: {'not as its table says' if path in files else 'has no table'}")
    COMPILED.mkdir(exist_ok=True)
    for path in changed:
        if path in files:
            path.write_text(files[path], encoding="utf-8")
        else:
            path.unlink()


if __name__ == "__main__":
    main()
