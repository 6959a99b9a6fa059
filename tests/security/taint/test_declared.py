"""What a declaration says of a value that comes out of a registry."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse


def _found(returns: str) -> int:
    tree = parse(
        f"""from typing import Protocol
from flask import Flask, current_app, request
app = Flask(__name__)

class Shelf:
    def note(self, name):
        return open("/srv/" + name).read()

class Any(Protocol):
    def note(self, name): ...

def shelf() -> {returns}:
    return current_app.extensions["shelf"]

@app.get("/note")
def note():
    return {{"text": shelf().note(request.args["name"])}}
""",
        "python",
    )
    assert tree is not None
    return len([flow for flow in find_flows(tree) if flow.kind == "path" and flow.trust == "request"])


@pytest.mark.parametrize("returns", ["Shelf", "Shelf | None", "Optional[Shelf]", "'Shelf'"])
def test_an_object_is_of_the_class_it_is_declared_as(returns: str) -> None:
    assert _found(returns) == 1


@pytest.mark.parametrize("returns", ["object", "Any", "Union[Shelf, Any]"])
def test_what_is_said_elsewhere_is_not_known(returns: str) -> None:
    assert _found(returns) == 0
