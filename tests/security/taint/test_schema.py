"""Models that check their fields, field by field."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

PYDANTIC = """\
from enum import Enum
from pydantic import BaseModel, Field, constr, field_validator
from flask import request
from app.models import Elsewhere
class Colour(Enum):
    RED = "red"
class Base(BaseModel):
    id: int
class Model(Base):
    name: str
    nick: str | None = None
    slug: str = Field(pattern=r"^[a-z]+$")
    age: Optional[int] = None
    tags: list[UUID] = []
    colour: Colour
    at: datetime.datetime
@app.post("/")
def view():
    m = {made}
    db.execute(f"SELECT * FROM t WHERE a = '{{m.{field}}}'")
"""
FASTAPI = """\
from fastapi import FastAPI
from pydantic import BaseModel
from app.models import Elsewhere
class Model(BaseModel):
    name: str
    n: int
{checks}@app.post("/")
def view(m: {kind}):
    db.execute(f"SELECT * FROM t WHERE a = '{{m.{field}}}'")
"""
MARSHMALLOW = """\
from flask import request
from marshmallow import Schema, fields
from app.schemas import OtherSchema
class Known(Schema):
    name = fields.Str()
    n = fields.Int(required=True)
    code = fields.Str(validate=is_code)
@app.post("/")
def view():
    d = {made}.load(request.get_json())
    db.execute(f"SELECT * FROM t WHERE a = '{{{read}}}'")
"""


def sure(text: str) -> list[float]:
    tree = parse(text, "python")
    assert tree is not None
    return [flow.confidence for flow in find_flows(tree)]


@pytest.mark.parametrize("made", ["Model(**request.get_json())", "Model.model_validate(request.get_json())"])
@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("name", [0.92]),
        ("nick", [0.92]),
        ("slug", [0.8]),
        ("id", []),
        ("age", []),
        ("tags", []),
        ("colour", []),
        ("at", []),
    ],
)
def test_fields_of_a_model_of_the_file(made: str, field: str, found: list[float]) -> None:
    assert sure(PYDANTIC.format(made=made, field=field)) == found


def test_a_model_that_is_given_its_fields_by_name() -> None:
    made = "Model(name=request.args['n'], id=request.args['i'])"
    assert sure(PYDANTIC.format(made=made, field="name")) == [0.92]
    assert sure(PYDANTIC.format(made=made, field="id")) == []


def test_a_model_defined_elsewhere_is_at_most_queued() -> None:
    assert sure(PYDANTIC.format(made="Elsewhere.model_validate(request.get_json())", field="name")) == [0.8]
    assert sure(FASTAPI.format(checks="", kind="Elsewhere", field="name")) == [0.8]


VALIDATOR = "    @field_validator('name')\n    def clean(cls, value):\n        return value\n"


@pytest.mark.parametrize(
    ("field", "checks", "found"), [("name", "", [0.9]), ("name", VALIDATOR, [0.8]), ("n", "", []), ("other", "", [0.8])]
)
def test_a_model_as_the_parameter_of_a_handler(field: str, checks: str, found: list[float]) -> None:
    assert sure(FASTAPI.format(checks=checks, kind="Model", field=field)) == found


@pytest.mark.parametrize(
    ("made", "read", "found"),
    [
        ("Known()", "d['name']", [0.92]),
        ("Known()", "d['n']", []),
        ("Known()", "d.get('n')", []),
        ("Known()", "d['code']", [0.8]),
        ("OtherSchema()", "d['n']", [0.8]),
        ("json", "d['n']", [0.92]),
    ],
)
def test_what_a_schema_loads(made: str, read: str, found: list[float]) -> None:
    assert sure(MARSHMALLOW.format(made=made, read=read)) == found


_LARAVEL = (
    "<?php\nuse Illuminate\\Http\\Request;\nclass A extends Controller {\n  public function b(Request $request) {\n"
)


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("'required|string'", 1),
        ("['required', 'string', 'max:40']", 1),
        ("'required|integer'", 0),
        ("['required', 'alpha_dash']", 0),
        ("'in:small,large'", 0),
        ("['required', new Slug()]", 0),
    ],
)
def test_a_field_is_what_its_rules_let_through(rule: str, found: int) -> None:
    text = (
        f"{_LARAVEL}    $data = $request->validate(['name' => {rule}]);\n    exec('ls ' . $data['name']);\n  }}\n}}\n"
    )
    tree = parse(text, "php")
    assert tree is not None
    assert len(find_flows(tree)) == found
