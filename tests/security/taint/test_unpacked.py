"""What counts as a look at the members of an archive before it is unpacked."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

HEAD = "import os, tarfile\ndef restore(upload, name, root):\n    tar = tarfile.open(upload)\n"


def _is_said(body: str) -> bool:
    tree = parse(HEAD + body, "python")
    assert tree is not None
    return any(flow.sink.endswith("extractall") for flow in find_flows(tree))


@pytest.mark.parametrize(
    "look",
    [
        "    for m in tar.getmembers():\n        if m.name.startswith('/') or '..' in m.name:\n            raise E\n",
        (
            "    for m in tar:\n        full = os.path.join(root, m.name)\n        if not is_within_directory(root, full):\n"
            "            raise E\n"
        ),
        "    names = tar.getnames()\n    if any(os.path.isabs(n) for n in names):\n        raise E\n",
        (
            "    for n in tar.getnames():\n        full = os.path.abspath(os.path.join(root, n))\n"
            "        if os.path.commonpath([root, full]) != root:\n            raise E\n"
        ),
        "    if not is_safe_archive(tar):\n        raise E\n",
    ],
)
def test_its_members_are_looked_at(look: str) -> None:
    assert not _is_said(f"{look}    tar.extractall(root)\n")


@pytest.mark.parametrize(
    "look",
    [
        "",
        "    if upload.filename.startswith('.'):\n        raise E\n",
        "    if not name.startswith('backup'):\n        raise E\n",
        "    # TODO check is_safe members\n",
        "    log('is_safe members, startswith(root)')\n",
        "    for m in tar.getmembers():\n        print(m.name)\n    if name.startswith('/'):\n        raise E\n",
    ],
)
def test_something_else_is_looked_at(look: str) -> None:
    assert _is_said(f"{look}    tar.extractall(root)\n")
