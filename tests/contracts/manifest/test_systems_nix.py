"""flake.nix and flake.lock."""

from __future__ import annotations

from leeboard.contracts.manifest.systems import read_flake, read_flake_lock


def test_manifest() -> None:
    text = """{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  inputs.utils = {
    url = "github:numtide/flake-utils";
    # url = "github:no/no";
  };
  inputs.hosted.url = "git+https://me:word@host/x/y?ref=main";
  inputs.short.url = "nixpkgs/release-23.11";
  outputs = { ... }: { src = fetchurl { url = "https://host/file.tar.gz"; }; };
}
"""
    assert [(one.name, one.version) for one in read_flake(text)] == [
        ("NixOS/nixpkgs", "nixos-unstable"),
        ("numtide/flake-utils", ""),
        ("host/x/y", ""),
        ("nixpkgs", "release-23.11"),
    ]


def test_lock() -> None:
    text = """{"nodes": {
      "nixpkgs": {"locked": {"rev": "00", "type": "github"}, "original": {"owner": "NixOS", "repo": "nixpkgs"}},
      "hosted": {"original": {"type": "git", "url": "https://me:word@host/x/y?a"}},
      "near": {"locked": {"type": "path"}},
      "root": {"inputs": {"nixpkgs": "nixpkgs"}}}, "root": "root", "version": 7}"""
    assert [one.name for one in read_flake_lock(text)] == ["NixOS/nixpkgs", "host/x/y"]
