"""What a framework makes for a handler by itself is filled from the request as the handler is."""

from __future__ import annotations

from tests.security.taint.surest_flow import surest

_HEAD = """from typing import Annotated
from fastapi import APIRouter, Depends
from sqlalchemy import text
router = APIRouter()
"""
_CLASS = """
class Search:
    def __init__(self, place: TYPE = None):
        self.place = place
    def where(self):
        return f"place = '{self.place}'"

@router.get("/boats")
async def boats(search: Annotated[Search, Depends()], session: Annotated[Session, Depends(session_of)]):
    return await session.execute(text(f"SELECT id FROM boats WHERE {search.where()}"))
"""
_FUNCTION = """
def order(by: TYPE = "id"):
    return {"by": by}

@router.get("/boats")
async def boats(asked=Depends(order), session=Depends(session_of)):
    return await session.execute(text(f"SELECT id FROM boats ORDER BY {asked['by']}"))
"""
_RECORD = """
from dataclasses import dataclass
@dataclass
class Search:
    place: TYPE

@router.get("/boats")
async def boats(search: Search = Depends(), session=Depends(session_of)):
    return await session.execute(text(f"SELECT id FROM boats WHERE place = '{search.place}'"))
"""


def test_a_class_that_is_filled_from_the_request() -> None:
    assert surest(_HEAD + _CLASS.replace("TYPE", "str"), "python") > 0.85
    assert surest(_HEAD + _CLASS.replace("TYPE", "int"), "python") < 0.5


def test_a_function_that_is_asked_for_its_answer() -> None:
    assert surest(_HEAD + _FUNCTION.replace("TYPE", "str"), "python") > 0.5
    assert surest(_HEAD + _FUNCTION.replace("TYPE", "int"), "python") < 0.5


def test_a_record_by_the_types_of_its_fields() -> None:
    assert surest(_HEAD + _RECORD.replace("TYPE", "str"), "python") > 0.5
    assert surest(_HEAD + _RECORD.replace("TYPE", "int"), "python") < 0.5


def test_what_is_handed_in_from_elsewhere_is_the_programs_own() -> None:
    own = "\n@router.get('/boats')\nasync def boats(name=Depends(current_name), session=Depends(session_of)):\n"
    assert surest(f"{_HEAD}{own}    return await session.execute(text(f'SELECT {{name}}'))\n", "python") < 0.5
