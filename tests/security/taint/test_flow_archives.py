"""Whoever packed an archive named its entries: what becomes of these names, each with a twin that stays in its folder."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_JAVA = "import java.io.*;\nimport java.nio.file.*;\nimport java.util.zip.*;\nclass Unpack {\n"
_GO = 'package a\nimport ("archive/tar"; "os"; "path/filepath"; "strings")\nfunc Untar(r *tar.Reader, dest string) {\n'
_NODE = "const fs = require('fs'); const path = require('path'); const yauzl = require('yauzl');\n"
PAIRS = (
    (
        "java",
        _JAVA + "void a(ZipInputStream in, File to) throws Exception {\n  ZipEntry entry = in.getNextEntry();\n"
        "  new FileOutputStream(new File(to, entry.getName()));\n}}\n",
        _JAVA + "void a(ZipInputStream in, Path to) throws Exception {\n  ZipEntry entry = in.getNextEntry();\n"
        "  Path out = to.resolve(entry.getName()).normalize();\n  if (!out.startsWith(to)) throw new IOException();\n"
        "  new FileOutputStream(out.toFile());\n}}\n",
    ),
    (
        "go",
        _GO + "\theader, _ := r.Next()\n\tos.Create(filepath.Join(dest, header.Name))\n}\n",
        _GO + '\theader, _ := r.Next()\n\tif strings.Contains(header.Name, "..") {\n\t\treturn\n\t}\n'
        "\tos.Create(filepath.Join(dest, header.Name))\n}\n",
    ),
    (
        "javascript",
        _NODE + "function save(entry) { fs.writeFileSync(path.join('/srv', entry.fileName), ''); }\n",
        _NODE + "function save(entry) { fs.writeFileSync(path.join('/srv', path.basename(entry.fileName)), ''); }\n",
    ),
    (
        "python",
        (
            "import zipfile, os\ndef unpack(z, to):\n    for info in z.infolist():\n"
            "        open(os.path.join(to, info.filename), 'wb').write(z.read(info))\n    z.extractall(to)\n"
        ),
        (
            "import zipfile, os\ndef unpack(z, to):\n    for info in z.infolist():\n"
            "        open(os.path.join(to, os.path.basename(info.filename)), 'wb').write(z.read(info))\n"
            "    z.extractall(to)\n"
        ),
    ),
    (
        "csharp",
        (
            "using System.IO.Compression;\nclass A { void B(ZipArchive z, string to) { foreach (var entry in z.Entries) {"
            ' entry.ExtractToFile(""); File.WriteAllText(Path.Combine(to, entry.FullName), ""); } } }\n'
        ),
        (
            "using System.IO.Compression;\nclass A { void B(ZipArchive z, string to) { foreach (var entry in z.Entries) {"
            ' File.WriteAllText(Path.Combine(to, Path.GetFileName(entry.FullName)), ""); } } }\n'
        ),
    ),
    (
        "php",
        (
            "<?php\nfunction unpack_it(ZipArchive $zip, $to) {\n"
            "    file_put_contents($to . '/' . $zip->getNameIndex(0), 'x');\n}\n"
        ),
        (
            "<?php\nfunction unpack_it(ZipArchive $zip, $to) {\n"
            "    file_put_contents($to . '/' . basename($zip->getNameIndex(0)), 'x');\n}\n"
        ),
    ),
    (
        "ruby",
        (
            "require 'zip'\ndef unpack(to)\n  Zip::File.open('a.zip') do |zip|\n    zip.each do |entry|\n"
            '      File.write("/srv/#{entry.name}", "x")\n    end\n  end\nend\n'
        ),
        (
            "require 'zip'\ndef unpack(to)\n  Zip::File.open('a.zip') do |zip|\n    zip.each do |entry|\n"
            '      File.write("/srv/#{File.basename(entry.name)}", "x")\n    end\n  end\nend\n'
        ),
    ),
)


def _of_archives(text: str, language: str) -> list[float]:
    tree = parse(text, language)
    assert tree is not None
    return [flow.confidence for flow in find_flows(tree) if flow.trust == "archive"]


@pytest.mark.parametrize(("language", "harmful", "harmless"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_name_of_an_entry_is_looked_at_and_not_refused(language: str, harmful: str, harmless: str) -> None:
    assert set(_of_archives(harmful, language)) == {0.75}
    assert _of_archives(harmless, language) == []


def test_an_entry_of_anything_else_has_a_name_too() -> None:
    text = "function save(entry) { fs.writeFileSync(path.join('/srv', entry.fileName), ''); }\n"
    assert _of_archives("const fs = require('fs'); const path = require('path');\n" + text, "javascript") == []


_GUARDS = (
    "target = (Path(to) / name).resolve()\n        if not target.is_relative_to(to):\n            continue",
    (
        "target = os.path.realpath(os.path.join(to, name))\n"
        "        if os.path.commonpath([target, os.path.realpath(to)]) != os.path.realpath(to):\n            raise E"
    ),
    (
        "root = os.path.abspath(to)\n        target = os.path.abspath(os.path.join(root, name))\n"
        "        if not target.startswith(root + os.sep):\n            raise E"
    ),
)


def _unpacked(steps: str) -> str:
    return (
        "import os, zipfile\nfrom pathlib import Path\ndef unpack(archive, to, other):\n"
        "    z = zipfile.ZipFile(archive)\n    for name in z.namelist():\n"
        f"        {steps}\n        open(target, 'wb').write(z.read(name))\n"
    )


@pytest.mark.parametrize("guard", _GUARDS)
def test_a_name_is_kept_below_the_folder_that_the_caller_gives(guard: str) -> None:
    assert _of_archives(_unpacked(guard), "python") == []


@pytest.mark.parametrize("guard", _GUARDS)
def test_a_test_of_another_path_keeps_nothing_there(guard: str) -> None:
    elsewhere = guard.replace("name)", "other)")
    assert _of_archives(_unpacked(f"{elsewhere}\n        target = os.path.join(to, name)"), "python") == [0.75]
