"""Package.swift and Package.resolved."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_package_resolved, read_package_swift


def test_manifest() -> None:
    text = """let package = Package(name: "App", dependencies: [
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),
    .package(name: "Vapor", url: "git@github.com:vapor/Vapor.git", .upToNextMajor(from: "4.0.0")),
    // .package(url: "https://github.com/no/no.git", from: "1.0.0"),
    .package(path: "../Near"),
])"""
    assert [(one.name, one.version) for one in read_package_swift(text)] == [
        ("github.com/apple/swift-nio", "2.0.0"),
        ("github.com/vapor/vapor", "4.0.0"),
    ]


def test_lock() -> None:
    new = """{"pins": [{"identity": "swift-nio", "location": "https://me:word@github.com/apple/swift-nio.git",
      "state": {"version": "2.1.0"}}], "version": 2}"""
    old = '{"object": {"pins": [{"package": "V", "repositoryURL": "https://github.com/vapor/vapor"}]}, "version": 1}'
    assert [(one.name, one.version) for one in read_package_resolved(new)] == [("github.com/apple/swift-nio", "2.1.0")]
    assert [one.name for one in read_package_resolved(old)] == ["github.com/vapor/vapor"]
