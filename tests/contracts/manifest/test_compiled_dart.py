"""pubspec.yaml and pubspec.lock."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_pubspec, read_pubspec_lock


def test_manifest() -> None:
    text = """name: app
version: 1.0.0
environment:
  sdk: ">=3.0.0 <4.0.0"
dependencies:
  flutter:
    sdk: flutter
  http: ^1.2.0
  near: {path: ../near}
  tool:
    git: https://host/tool.git
dev_dependencies:
  lints: any
flutter:
  uses-material-design: true
"""
    assert [(one.name, one.version) for one in read_pubspec(text)] == [
        ("http", "^1.2.0"),
        ("tool", ""),
        ("lints", "any"),
    ]


def test_lock() -> None:
    text = """packages:
  http:
    dependency: "direct main"
    description:
      name: http
      url: "https://host"
    source: hosted
    version: "1.2.0"
  sky_engine:
    dependency: transitive
    source: sdk
    version: "0.0.99"
sdks:
  dart: ">=3.0.0 <4.0.0"
"""
    assert [(one.name, one.version) for one in read_pubspec_lock(text)] == [("http", "1.2.0")]
