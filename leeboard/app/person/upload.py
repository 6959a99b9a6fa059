"""Files that a person brings: into a stage's outputs or knowledge, or the knowledge of the intent.

They are put there as `haiku_human_write` does, so that who brought them is on record, and never over a record of the
plan. What a browser could run when it is handed back is not taken.
"""

from __future__ import annotations

import base64

import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.io import clock
from leeboard.model.truth import INTENT_SCOPE
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.human_write import HumanWrite, HumanWritten, human_write
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.refusal import refuse

LARGEST = 20 << 20
"""Bytes of one file."""
MOST_FILES = 20
"""At once."""
SHELVES = ("outputs", "knowledge")
TYPES = frozenset(
    "md markdown txt text rst csv tsv json jsonl yaml yml toml ini log diff patch png jpg jpeg gif webp pdf docx xlsx "
    "pptx odt ods odp fig sketch drawio py js ts tsx jsx css go rs java kt rb php c h cpp cs sh sql proto".split()
)
"""Endings that are taken: documents, tables, pictures, sources. HTML, SVG and programs are not among them."""


class BroughtFile(msgspec.Struct, frozen=True, kw_only=True):
    """What was dropped, and onto which shelf: a stage's `outputs` or `knowledge`; without a stage the intent's."""

    name: str
    data: bytes
    stage: str
    shelf: str
    by: str
    why: str = ""
    replaces: bool = False


def bring(engine: Engine, slug: str, file: BroughtFile) -> HumanWritten | Refusal:
    """On the disk when it returns, with a line that says who brought it."""
    if refusal := _unfit(file):
        return refusal
    top = "knowledge" if file.stage == INTENT_SCOPE else f"stages/{file.stage}/{file.shelf}"
    asked = HumanWrite(
        path=f"{top}/{file.name}",
        content=base64.b64encode(file.data).decode("ascii"),
        content_encoding="base64",
        claimed_author_id=file.by,
        rationale=file.why or "brought through the page",
        overwrite=file.replaces,
    )
    engine.resolve(slug)
    return human_write(PlanFolder(engine.home), slug, asked, clock.iso(clock.now()))


def _unfit(file: BroughtFile) -> Refusal | None:
    ending = file.name.rpartition(".")[2].lower() if "." in file.name else ""
    if "/" in file.name or "\\" in file.name or file.name in {"", ".", ".."}:
        return refuse("invalid_name", f"{file.name!r} is no name of a file.", "Give it one without slashes.")
    if file.name.startswith(".") or not file.name.isprintable():
        step = "Give it one without a dot at its beginning, and of characters that can be seen."
        return refuse("invalid_name", f"{file.name!r} hides something.", step)
    if ending not in TYPES:
        step = "Bring it as a document, a table, a picture or a source; `haiku_human_write` takes others."
        return refuse("type_not_taken", f"Files that end in .{ending or '?'} are not taken here.", step)
    if len(file.data) > LARGEST:
        step = f"Bring files of at most {LARGEST >> 20} MB here; larger ones are put there by hand."
        return refuse("file_too_large", f"{file.name} has {len(file.data)} bytes.", step, max=LARGEST)
    if file.stage != INTENT_SCOPE and file.shelf not in SHELVES:
        return refuse("shelf_unknown", f"There is no shelf {file.shelf!r}.", f"Choose {' or '.join(SHELVES)}.")
    return None
