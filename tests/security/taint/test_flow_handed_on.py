"""Values that a handler hands on inside its file, or that a helper gives back: each with a twin that does no harm."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_NEST = "import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';\n"
_REPOSITORY = "import { InjectRepository } from '@nestjs/typeorm';\n"
_NEXT = "import { NextRequest, NextResponse } from 'next/server';\n"
_MICRONAUT = "import io.micronaut.http.*;\nimport io.micronaut.http.annotation.*;\nimport java.net.URI;\n"
_PSR = "<?php\nuse Psr\\Http\\Message\\ServerRequestInterface as Request;\n"
_FASTAPI = (
    "import zipfile, pickle\nfrom fastapi import APIRouter, UploadFile\nrouter = APIRouter()\n@router.post('/x')\n"
)


def _body(type_of: str, given: str) -> str:
    return f"""{_NEST}{_REPOSITORY}@Controller('teams')
export class Teams {{
  constructor(@InjectRepository(Team) private readonly teams: Repository<Team>) {{}}
  @Patch(':id')
  async change(@Body() patch: {type_of}) {{
    const team = await this.teams.findOneOrFail({{ id: 1 }});
    Object.assign(team, {given});
    return this.keep(team);
  }}
}}
"""


def _letter(template: str) -> str:
    return f"""import * as ejs from 'ejs';
{_NEST}@Controller('letters')
export class Letters {{
  @Post()
  async preview(@Body() letter: LetterDto) {{ return this.print(letter); }}
  private print(letter: LetterDto) {{ return ejs.render({template}, {{ text: letter.text }}); }}
}}
"""


def _query(code: str) -> str:
    return f"""const olderThan = (years) => ({{ {code} }});
app.get('/cats', async (req, res) => {{
  res.json(await db.collection('cats').find(olderThan(req.query.years)).toArray());
}});
"""


def _next(test: str) -> str:
    return f"""{_NEXT}function target(request: NextRequest): URL {{
  const home = new URL('/home', request.nextUrl.origin);
  const to = new URL(request.nextUrl.searchParams.get('next') ?? '/', request.nextUrl.origin);
  return {test} ? to : home;
}}
export async function GET(request: NextRequest) {{ return NextResponse.redirect(target(request)); }}
"""


def _go(test: str) -> str:
    return f"""package main
import ("net/http"; "os"; "path/filepath"; "strings")
func place(name string) (string, bool) {{
	full := filepath.Join("/srv/notes", name)
	if {test} {{
		return "", false
	}}
	return full, true
}}
func show(w http.ResponseWriter, r *http.Request) {{
	full, ok := place(r.URL.Query().Get("note"))
	if !ok {{
		return
	}}
	text, _ := os.ReadFile(full)
	w.Write(text)
}}
"""


def _micronaut(target: str) -> str:
    return f"""{_MICRONAUT}@Controller("/out")
public class Out {{
  @Get public HttpResponse<?> out(@QueryValue String page) {{ return HttpResponse.temporaryRedirect({target}); }}
}}
"""


def _xml(flags: str) -> str:
    return f"""{_PSR}final class Import {{
  public function __invoke(Request $request) {{ return $this->read((string) $request->getBody()); }}
  private function read(string $xml) {{ $d = new DOMDocument(); $d->loadXML($xml, {flags}); return $d; }}
}}
"""


def _rails(target: str) -> str:
    return f"""class LoginsController < ApplicationController
  def create
    redirect_to {target}
  end
  private
  def next_page
    params[:next].presence || home_path
  end
end
"""


def _log(who: str) -> str:
    return f"""const fs = require('fs');
const out = fs.createWriteStream('/var/log/visits.log');
app.post('/visit', (req, res) => {{ out.write(`${{{who}}} came\\n`); res.end(); }});
"""


PAIRS = (
    ("a body over a record of a repository", "typescript", _body("any", "patch"), _body("any", "{ name: 'x' }")),
    ("a template that another method renders", "typescript", _letter("letter.layout"), _letter("LAYOUT")),
    ("code in a query", "javascript", _query("$where: `this.age > ${years}`"), _query("$where: 'this.age > 9'")),
    ("an address of its own", "typescript", _next("to.port"), _next("to.origin === request.nextUrl.origin")),
    ("a path and whether it is one", "go", _go('name == ""'), _go('!strings.HasPrefix(full, "/srv/notes/")')),
    ("a redirect of Micronaut", "java", _micronaut("URI.create(page)"), _micronaut('URI.create("/p/" + page)')),
    ("flags put together", "php", _xml("LIBXML_NOENT | LIBXML_DTDLOAD"), _xml("LIBXML_NONET | LIBXML_COMPACT")),
    ("a page with one to fall back on", "ruby", _rails("next_page"), _rails("next_page, allow_other_host: false")),
    ("a page that is asked about", "ruby", _rails("next_page"), _rails("url_from(next_page) || home_path")),
    (
        "a file that was uploaded",
        "python",
        f"{_FASTAPI}def up(part: UploadFile):\n    return pickle.load(part.file)\n",
        f"{_FASTAPI}def up(part: UploadFile):\n    return zipfile.ZipFile(part.file).testzip()\n",
    ),
    (
        "the name of a file that was uploaded",
        "python",
        f"{_FASTAPI}def up(part: UploadFile):\n    return zipfile.ZipFile('/srv/' + part.filename).testzip()\n",
        f"{_FASTAPI}def up(part: UploadFile):\n    return zipfile.ZipFile(part.file).testzip()\n",
    ),
    (
        "a line of a log that is a file",
        "javascript",
        _log("req.body.who"),
        _log("JSON.stringify(req.body.who)"),
    ),
)
_TOLD = 0.55


def _surest(code: str, language: str) -> float:
    tree = parse(code, language)
    assert tree is not None
    return max((flow.confidence for flow in find_flows(tree)), default=0)


@pytest.mark.parametrize(("language", "unsafe"), [pytest.param(*pair[1:3], id=pair[0]) for pair in PAIRS])
def test_a_value_that_is_handed_on_is_followed(language: str, unsafe: str) -> None:
    assert _surest(unsafe, language) > _TOLD


@pytest.mark.parametrize(("language", "safe"), [pytest.param(pair[1], pair[3], id=pair[0]) for pair in PAIRS])
def test_its_twin_is_silent(language: str, safe: str) -> None:
    assert _surest(safe, language) <= _TOLD
