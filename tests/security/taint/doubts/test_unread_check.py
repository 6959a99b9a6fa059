"""What passed a check that nobody can read here is logged, and a check that says nothing changes nothing."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

PYTHON = (
    "import os, re\nimport requests\nfrom flask import request\nfrom .rules import fits, require_host\n@app.get('/')\n"
)
SCRIPT = "const { fits } = require('./rules'); const known = require('./known');\n"


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("url = request.args['u']\n    return requests.get(url).text", True),
        ("url = request.args['u']\n    if not fits(url):\n        return ''\n    return requests.get(url).text", False),
        ("url = request.args['u']\n    if self.rules.fits(url):\n        return requests.get(url).text", False),
        ("url = request.args['u']\n    require_host(url)\n    return requests.get(url).text", False),
        ("url = request.args['u']\n    if fits(url):\n        count()\n    return requests.get(url).text", False),
        (
            "url = request.args['u']\n    if not fits(other):\n        return ''\n    return requests.get(url).text",
            True,
        ),
        (
            "url = request.args['u']\n    if not consume(url):\n        return ''\n    return requests.get(url).text",
            True,
        ),
        (
            "url = request.args['u']\n    if seen_before(url):\n        return ''\n    return requests.get(url).text",
            True,
        ),
        ("url = request.args['u']\n    check_rate_limit(url)\n    return requests.get(url).text", True),
        ("url = request.args['u']\n    audit.check_quota(url)\n    return requests.get(url).text", True),
        ("p = request.args['p']\n    if not os.path.exists(p):\n        return ''\n    return open(p).read()", True),
        ("p = request.args['p']\n    if not p.strip():\n        return ''\n    return open(p).read()", True),
        ("p = request.args['p']\n    if not isinstance(p, str):\n        return ''\n    return open(p).read()", True),
        (
            "p = request.args['p']\n    if not re.match('[a-z]', p):\n        return ''\n    return open(p).read()",
            False,
        ),
        ("p = request.args['p']\n    app.logger.info(p)\n    return open(p).read()", True),
    ],
)
def test_what_another_file_checks_is_no_refusal(body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    sure = surest(f"{PYTHON}def f(self):\n    {body}\n", "python")
    assert sure > 0.85 if is_refused else 0.4 < sure <= 0.8


@pytest.mark.parametrize(
    ("check", "is_refused"),
    [
        (
            "function ok(u) { try { if (u === list[0] || u.startsWith(list[0])) return true; } catch { } return false; }",
            False,
        ),
        ("function ok(url) { return url.length < 2000; }", True),
        ("function ok(url) { return url !== ''; }", True),
        ("function ok(url) { return typeof url === 'string'; }", True),
        ("function ok(url) { return Boolean(url); }", True),
    ],
)
def test_a_check_of_this_file_counts_where_it_compares_the_value(check: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = (
        f"{SCRIPT}{check}\n"
        "app.get('/p', async (req, res) => { const url = req.query.url;"
        " if (!ok(url)) { return res.status(403).end(); } const r = await fetch(url); res.json(await r.json()); });\n"
    )
    sure = surest(text, "javascript")
    assert sure > 0.85 if is_refused else 0.4 < sure <= 0.8


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("if (!fits(req.query.p)) { throw new Error('no'); }", False),
        ("const fine = known.isListed(req.query.p); if (!fine) { return; }", False),
        ("const row = known.load(req.query.p); if (!row) { return; }", True),
        ("if (!fs.existsSync(req.query.p)) { return; }", True),
        ("if (fits(req.query.p)) { hits += 1; }", False),
    ],
)
def test_wherever_the_check_leads(line: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    text = f"{SCRIPT}const fs = require('fs');\napp.get('/f', (req, res) => {{ {line} res.sendFile(req.query.p); }});\n"
    sure = surest(text, "javascript")
    assert sure > 0.85 if is_refused else 0.4 < sure <= 0.8


_NEST = "import { Controller, Post, Body } from '@nestjs/common';\nimport { exec } from 'child_process';\n"
_EXPRESS = "const { exec } = require('child_process'); const { fits, isAllowed } = require('./rules');\n"
_SPRING = "import org.springframework.web.bind.annotation.*;\n@RestController class A {\n"
_GIN = 'package x\nimport ("github.com/gin-gonic/gin"; "os/exec"; "app/rules")\ntype In struct { Code string; File string }\n'
_FIELDS = (
    (
        "typescript",
        _NEST + "@Controller('x') class X { @Post() run(@Body() body: any) {\n"
        "  if (!fits(body.ASKED)) { throw new Error('no'); }\n  exec(`convert ${body.file}`); } }\n",
    ),
    (
        "typescript",
        _NEST + "@Controller('x') class X { @Post() async run(@Body() dto: any) {\n"
        "  await this.auth.verifyToken(dto.ASKED);\n  exec(`convert ${dto.file}`); } }\n",
    ),
    (
        "typescript",
        (
            "import { exec } from 'child_process';\nexport async function POST(req: NextRequest) {\n"
            "  const body = await req.json();\n  if (!(await fits(body.ASKED))) return null;\n  exec(`convert ${body.file}`);\n}\n"
        ),
    ),
    (
        "javascript",
        _EXPRESS + "app.post('/x', (req, res) => { const { code, file } = req.body;\n"
        "  if (!fits(ASKED)) return res.sendStatus(400);\n  exec(`convert ${file}`); });\n",
    ),
    (
        "java",
        _SPRING
        + '  @PostMapping("/u") Object find(@RequestBody Search s) {\n    if (!rules.fits(s.ASKED())) return null;\n'
        '    return jdbcTemplate.queryForList("SELECT * FROM u WHERE n = \'" + s.file() + "\'");\n  } }\n',
    ),
    (
        "go",
        _GIN + "func H(c *gin.Context) {\n\tvar in In\n\tc.BindJSON(&in)\n\tif !rules.Fits(in.ASKED) { return }\n"
        '\texec.Command("sh", "-c", "convert "+in.file).Run()\n}\n',
    ),
)


@pytest.mark.parametrize(("language", "text"), _FIELDS)
def test_a_check_of_one_field_says_nothing_of_another(language: str, text: str) -> None:
    if language in {"java", "go"}:
        text = text.replace("s.file()", "s.getName()").replace("in.file", "in.File")
    other, same = {"java": ("getCode", "getName"), "go": ("Code", "File")}.get(language, ("code", "file"))
    assert surest(text.replace("ASKED", other), language) > 0.85
    assert 0.4 < surest(text.replace("ASKED", same), language) < 0.5


@pytest.mark.parametrize(
    ("asked", "used", "sure"),
    [
        ("fits(body)", "body.file", 0.45),
        ("fits(body.job)", "body.job.file", 0.45),
        ("fits(body.job.user)", "body.job.file", 0.92),
        ("fits(body.user)", "body.user + body.file", 0.92),
        ("isAllowed(body.file)", "body.file", 0.0),
        ("isAllowed(body.user)", "body.file", 0.92),
    ],
)
def test_a_check_of_the_whole_is_one_of_its_fields(asked: str, used: str, sure: float) -> None:
    text = f"app.post('/x', (req, res) => {{ const body = req.body;\n  if (!{asked}) return;\n  exec('a ' + {used}); }});\n"
    assert surest(_EXPRESS + text, "javascript") == sure


def test_parts_of_an_address_are_of_one_address() -> None:
    text = (
        "app.get('/x', (req, res) => { const u = req.query.u;\n  if (!fits(u.hostname)) return;\n  fetch(u.href); });\n"
    )
    assert 0.4 < surest(_EXPRESS + text, "javascript") < 0.5
