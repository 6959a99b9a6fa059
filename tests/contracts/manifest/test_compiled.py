"""Cargo.toml and Cargo.lock."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_cargo_lock, read_cargo_toml

MANIFEST = """
[package]
name = "app"
version = "0.1.0"
[dependencies]
serde = { version = "1", features = ["derive"] }
anyhow = "1.0"
near = { path = "../near", version = "0.1" }
renamed = { package = "real-name", version = "2" }
shared = { workspace = true }
forked = { git = "https://host/x", rev = "abc" }
[dev-dependencies]
proptest = "1"
[build-dependencies]
cc = "1"
[target.'cfg(unix)'.dependencies]
nix = "0.27"
[workspace.dependencies]
tokio = "1"
[features]
default = ["std"]
"""


def test_manifest() -> None:
    assert {one.name: one.version for one in read_cargo_toml(MANIFEST)} == {
        "serde": "1",
        "anyhow": "1.0",
        "real-name": "2",
        "shared": "",
        "forked": "abc",
        "proptest": "1",
        "cc": "1",
        "tokio": "1",
        "nix": "0.27",
    }


def test_lock() -> None:
    text = """version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "serde",
]

[[package]]
name = "serde"
version = "1.0.200"
source = "registry+https://host/index"
checksum = "00"
"""
    assert [(one.name, one.version) for one in read_cargo_lock(text)] == [("serde", "1.0.200")]
