"""Images."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.systems import image, read_compose, read_dockerfile


def test_dockerfile() -> None:
    text = """# syntax=docker/dockerfile:1
ARG BASE=debian:12
ARG VERSION
FROM --platform=$BUILDPLATFORM golang:1.22 AS build
COPY --from=ghcr.io/astral-sh/uv:0.4 /uv /bin/
RUN echo FROM nothing
FROM ${BASE} as base
from node:${VERSION}-slim
FROM build
FROM scratch
FROM $UNKNOWN
COPY --from=build /a /b
COPY --from=0 /a /b
"""
    assert [(one.name, one.version) for one in read_dockerfile(text)] == [
        ("golang", "1.22"),
        ("ghcr.io/astral-sh/uv", "0.4"),
        ("debian", "12"),
        ("node", "${VERSION}-slim"),
    ]


@pytest.mark.parametrize(
    ("reference", "name", "version"),
    [
        ("python", "python", ""),
        ("docker.io/library/python:3.12", "python", "3.12"),
        ("host:5000/team/app:1@sha256:00", "host:5000/team/app", "1"),
        ("app@sha256:00", "app", "sha256:00"),
    ],
)
def test_image(reference: str, name: str, version: str) -> None:
    assert [(one.name, one.version) for one in image(reference)] == [(name, version)]


def test_compose() -> None:
    text = """services:
  db:
    image: postgres:16
    environment:
      image: no
  cache:
    image: "${CACHE:-redis}:7"
  web:
    build: .
    image: me/web
volumes:
  image: {}
"""
    assert [(one.name, one.version) for one in read_compose(text)] == [("postgres", "16"), ("redis", "7")]
