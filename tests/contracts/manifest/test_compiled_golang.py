"""go.mod and go.sum."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_go_mod, read_go_sum


def test_manifest() -> None:
    text = """module example.com/app

go 1.22
toolchain go1.22.1

require github.com/spf13/cobra v1.8.0

require (
	github.com/stretchr/testify v1.9.0 // a comment
	golang.org/x/sys v0.18.0 // indirect
)

exclude bad.example/x v1.0.0
replace github.com/a/b => ../b
replace (
	github.com/c/d => github.com/fork/d v1.2.3
)
"""
    assert [(one.name, one.version, one.transitive) for one in read_go_mod(text)] == [
        ("github.com/spf13/cobra", "v1.8.0", False),
        ("github.com/stretchr/testify", "v1.9.0", False),
        ("golang.org/x/sys", "v0.18.0", True),
        ("github.com/fork/d", "v1.2.3", False),
    ]


def test_sum() -> None:
    text = "a.example/x v1.0.0 h1:00=\na.example/x v1.0.0/go.mod h1:11=\nb.example/y v1.0.0/go.mod h1:22=\n"
    assert [one.name for one in read_go_sum(text)] == ["a.example/x"]
