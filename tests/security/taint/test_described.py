"""What a description of a form lets through: a text is what was sent, a choice or a number is harmless."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_ZOD = """import express from 'express';
import { z } from 'zod';
const Asked = z.object({ sort: FIELD, page: z.coerce.number() }).strict();
const app = express();
app.get('/boats', async (req, res) => {
  WAY
  await db.query(`SELECT * FROM boats ORDER BY ${sort}`);
});
"""
_PARSED = "const { sort } = Asked.parse(req.query);"
_SAFELY = "const asked = Asked.safeParse(req.query);\n  if (!asked.success) return res.status(400).end();\n  const { sort } = asked.data;"


@pytest.mark.parametrize("way", [_PARSED, _SAFELY])
@pytest.mark.parametrize(
    ("field", "is_heard"),
    [
        ("z.string().min(1)", True),
        ("z.string().max(40).optional()", True),
        ("z.enum(['id', 'name'])", False),
        ("z.union([z.literal('id'), z.literal('name')])", False),
        ("z.string().uuid()", False),
        ("z.string().regex(/^[a-z]+$/)", False),
        ("z.string().regex(/^[a-z]/)", True),
        ("z.any()", True),
        ("z.optional(z.string())", True),
        ("z.union([z.literal('id'), z.string()])", True),
        ("z.string().transform((it) => it.trim())", True),
        ("z.string().refine((it) => known(it))", False),
    ],
)
def test_each_field_is_what_its_schema_says(way: str, field: str, *, is_heard: bool) -> None:
    assert (surest(_ZOD.replace("FIELD", field).replace("WAY", way), "typescript") > 0.5) is is_heard


def test_what_was_described_is_no_longer_the_body_as_it_came() -> None:
    text = (
        "import { z } from 'zod';\nconst Boat = z.object({ name: z.string() });\nconst app = require('express')();\n"
        "app.post('/boats', async (req, res) => { await Ship.create(SENT); await Ship.findOne({ name: SENT.name }); });\n"
    )
    assert surest(text.replace("SENT", "req.body"), "typescript") > 0.5
    assert surest(text.replace("SENT", "Boat.parse(req.body)"), "typescript") < 0.5


def test_a_schema_of_another_file_is_believed() -> None:
    text = _ZOD.replace("const Asked = z.object({ sort: FIELD, page: z.coerce.number() }).strict();", "")
    text = text.replace("import { z } from 'zod';", "import { askedSchema } from './schemas';")
    assert surest(text.replace("WAY", "const { sort } = askedSchema.parse(req.query);"), "typescript") < 0.5


def test_a_validator_in_front_of_the_handler_describes_what_it_reads() -> None:
    text = (
        "import { Hono } from 'hono';\nimport { zValidator } from '@hono/zod-validator';\nimport { z } from 'zod';\n"
        "import { readFile } from 'node:fs/promises';\nconst app = new Hono();\n"
        "app.get('/log', zValidator('query', z.object({ file: FIELD })), async (c) => {\n"
        "  const { file } = c.req.valid('query');\n  return c.body(await readFile('/srv/' + file));\n});\n"
    )
    assert surest(text.replace("FIELD", "z.string()"), "typescript") > 0.5
    assert surest(text.replace("FIELD", "z.enum(['a', 'b'])"), "typescript") < 0.5


def test_joi_puts_the_value_beside_the_error() -> None:
    text = (
        "const Joi = require('joi');\nconst { exec } = require('child_process');\nconst app = require('express')();\n"
        "const schema = Joi.object({ host: FIELD });\napp.post('/ping', (req, res) => {\n"
        "  const { value, error } = schema.validate(req.body);\n  if (error) return res.status(400).end();\n"
        "  exec(`ping ${value.host}`);\n});\n"
    )
    assert surest(text.replace("FIELD", "Joi.string().required()"), "javascript") > 0.5
    assert surest(text.replace("FIELD", "Joi.string().valid('a', 'b')"), "javascript") < 0.5


@pytest.mark.parametrize(
    ("head", "made", "is_heard"),
    [
        ("import { z } from 'zod';\nconst Sort = z.string().min(1);", "Sort.parse(req.query.sort)", True),
        ("import { z } from 'zod';", "z.coerce.string().parse(req.query.sort)", True),
        ("import { z } from 'zod';", "z.coerce.number().parse(req.query.sort)", False),
        ("import { z } from 'zod';", "z.enum(['id']).parse(req.query.sort)", False),
        ("import { v } from './boats';", "v.parse(req.query.sort)", True),
    ],
)
def test_a_description_without_fields_is_of_the_value_itself(head: str, made: str, *, is_heard: bool) -> None:
    text = f"{head}\nconst app = require('express')();\napp.get('/', (req, res) => {{\n  const sort = {made};\n"
    text += "  db.query(`SELECT * FROM boats ORDER BY ${sort}`);\n});\n"
    assert (surest(text, "typescript") > 0.5) is is_heard
