"""What servers of today hand to a program, and what it does with it: each with a twin that does no harm."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_EXPRESS = "const { exec } = require('child_process');\nconst app = require('express')();\n"
_H3 = "export default defineEventHandler(async (event) => {\n"
_NEST = (
    "import { HttpService } from '@nestjs/axios';\nimport { Controller, Get, Query } from '@nestjs/common';\n"
    "@Controller('a')\nexport class A {\n  constructor(private readonly http: HttpService) {}\n  @Get()\n"
)
_RAILS = "class BoatsController < ApplicationController\n  def show\n    Probe.new(params[:host], port: 1).call\n  end\nend\n"
_PROBE = "class Probe\n  def initialize(host, port: 2)\n    @host = host\n  end\n  def call\n    fetch\n  end\n"
_KTOR = (
    "import io.ktor.server.application.*\nimport io.ktor.server.routing.*\nimport java.io.File\n"
    'private val home = File("/srv/clips").canonicalFile\nfun Application.clips() { routing { get("/clip") {\n'
    '  val clip = call.request.queryParameters["clip"] ?: return@get call.respond(400)\n'
)
_ROCKET = 'use rocket::response::Redirect;\n#[post("/back", data = "<form>")]\npub fn back(form: Form<Back>) -> Redirect {\n    Redirect::to(target(&form))\n}\n'
_JAX = 'import jakarta.ws.rs.*;\n@Path("/boats")\npublic class Boats {\n  public static class Asked { @QueryParam("n") TYPE name; }\n  @GET\n'
_ECHO = (
    'package web\nimport ("github.com/labstack/echo/v4")\ntype Form struct { Next string }\n'
    "func login(c echo.Context) error {\n\tvar form Form\n\tif err := c.Bind(&form); err != nil { return err }\n"
    "\tuser, err := accounts.Find(form.Email)\n\tif err != nil { return err }\n\tc.Set(user)\n"
    '\tif form.Next == "" { form.Next = "/home" }\n'
)
PAIRS = (
    (
        "an event of h3, fetched",
        "typescript",
        _H3 + "  const { from } = getQuery(event);\n  return await $fetch(from);\n});\n",
        _H3 + "  const { from } = getQuery(event);\n  return await $fetch('https://api.example.org/' + from);\n});\n",
    ),
    (
        "an event of h3, redirected",
        "typescript",
        _H3 + "  const { next } = getQuery(event);\n  return sendRedirect(event, String(next), 302);\n});\n",
        _H3 + "  const { next } = getQuery(event);\n  return sendRedirect(event, '/home', 302);\n});\n",
    ),
    (
        "a client that Nest hands in",
        "typescript",
        _NEST + "  get(@Query('u') u: string) { return this.http.get(u); }\n}\n",
        _NEST + "  get(@Query('u') u: string) { return this.http.get('https://api.example.org/' + u); }\n}\n",
    ),
    (
        "a message of a queue",
        "typescript",
        ("import amqp from 'amqplib';\nimport { exec } from 'child_process';\n"
        "channel.consume('jobs', (msg) => { exec(`ffmpeg -i ${JSON.parse(msg.content.toString()).input} o.mp4`); });\n"),
        ("import amqp from 'amqplib';\nimport { execFile } from 'child_process';\n"
        "channel.consume('jobs', (msg) => { execFile('ffmpeg', ['-i', JSON.parse(msg.content.toString()).input]); });\n"),
    ),
    (
        "a topic of Kafka",
        "typescript",
        ("import { Kafka } from 'kafkajs';\nawait consumer.run({ eachMessage: async ({ message }) => {\n"
        "  await pool.query(`UPDATE boats SET name = '${message.value.toString()}'`);\n} });\n"),
        ("import { Kafka } from 'kafkajs';\nawait consumer.run({ eachMessage: async ({ message }) => {\n"
        "  await pool.query('UPDATE boats SET name = $1', [message.value.toString()]);\n} });\n"),
    ),
    (
        "a handler in a handler, that calls on",
        "javascript",
        ("const { WebSocketServer } = require('ws');\nconst made = (source) => new Function('row', `return ${source}`);\n"
        "function heard(socket, raw) { socket.keep = made(JSON.parse(raw.toString()).filter); }\n"
        "wss.on('connection', (socket) => { socket.on('message', (raw) => heard(socket, raw)); });\n"),
        ("const { WebSocketServer } = require('ws');\nconst made = (source) => (row) => row.kind === source;\n"
        "function heard(socket, raw) { socket.keep = made(JSON.parse(raw.toString()).filter); }\n"
        "wss.on('connection', (socket) => { socket.on('message', (raw) => heard(socket, raw)); });\n"),
    ),
    (
        "beside something looked up",
        "javascript",
        _EXPRESS + "app.get('/log', async (req, res) => {\n  const repo = await repos.find(req.params.id);\n"
        "  const branch = req.query.branch || repo.branch;\n  exec(`git log ${branch}`);\n});\n",
        _EXPRESS + "app.get('/log', async (req, res) => {\n  const repo = await repos.find(req.params.id);\n"
        "  const branch = repo.branch;\n  exec(`git log ${branch}`);\n});\n",
    ),
    (
        "a body laid over a record",
        "javascript",
        _EXPRESS + "app.patch('/me', async (req, res) => {\n  const user = await User.findById(req.user.id);\n"
        "  Object.assign(user, req.body);\n  await user.save();\n});\n",
        _EXPRESS + "app.patch('/me', async (req, res) => {\n  const user = await User.findById(req.user.id);\n"
        "  Object.assign(user, { name: req.body.name });\n  await user.save();\n});\n",
    ),
    (
        "a builder of queries",
        "typescript",
        _EXPRESS + "app.get('/u', (req, res) => repo.createQueryBuilder('u').where(`u.name = '${req.query.n}'`).getMany());\n",
        _EXPRESS
        + "app.get('/u', (req, res) => repo.createQueryBuilder('u').where('u.name = :n', { n: req.query.n }).getMany());\n",
    ),
    (
        "a program of Deno's",
        "typescript",
        _EXPRESS + "app.get('/a', (req, res) => new Deno.Command('bash', { args: ['-c', `ls ${req.query.d}`] }));\n",
        _EXPRESS + "app.get('/a', (req, res) => new Deno.Command('ls', { args: ['-l', req.query.d] }));\n",
    ),
    (
        "a field by its own name, where a sister was asked about",
        "go",
        _ECHO + "\treturn c.Redirect(303, form.Next)\n}\n",
        _ECHO + '\treturn c.Redirect(303, "/home")\n}\n',
    ),
    ("a method that Ruby calls by its name", "ruby", _PROBE + "  def fetch\n    `ping #{@host}`\n  end\nend\n" + _RAILS,
     _PROBE + '  def fetch\n    system("ping", @host)\n  end\nend\n' + _RAILS),
    (
        "a file that Ktor sends",
        "kotlin",
        _KTOR + "  call.respondFile(home.resolve(clip).takeIf { it.isFile })\n} } }\n",
        _KTOR + "  call.respondFile(home.resolve(File(clip).name))\n} } }\n",
    ),
    (
        "the last expression of a block",
        "rust",
        _ROCKET + 'fn target(form: &Back) -> String {\n    form.to.clone().unwrap_or_else(|| "/".to_owned())\n}\n',
        _ROCKET + 'fn target(form: &Back) -> String {\n    if form.home { "/home".to_owned() } else { "/".to_owned() }\n}\n',
    ),
    (
        "a bean that is filled, by the types of its fields",
        "java",
        _JAX.replace("TYPE", "String")
        + "  public Object all(@BeanParam Asked a) { return em.createQuery(\"FROM Boat b WHERE b.n = '\" + a.name + \"'\"); }\n}\n",
        _JAX.replace("TYPE", "long")
        + "  public Object all(@BeanParam Asked a) { return em.createQuery(\"FROM Boat b WHERE b.n = '\" + a.name + \"'\"); }\n}\n",
    ),
    (
        "an object that a class makes of itself",
        "php",
        ("<?php\nfinal class Kept {\n  public function __construct(array $all) { $this->v = $this->read((string) $all['v']); }\n"
        "  public static function ours(): self { return new self($_COOKIE); }\n"
        "  private function read(string $v): array { return unserialize(base64_decode($v)); }\n}\n"),
        ("<?php\nfinal class Kept {\n  public function __construct(array $all) { $this->v = $this->read((string) $all['v']); }\n"
        "  public static function ours(): self { return new self($_COOKIE); }\n"
        "  private function read(string $v): array { return json_decode(base64_decode($v)); }\n}\n"),
    ),
    (
        "a request of WordPress",
        "php",
        ("<?php\nfunction find(WP_REST_Request $asked) { global $wpdb;\n"
        "  return $wpdb->get_results(\"SELECT id FROM t WHERE name = '{$asked->get_param('n')}'\"); }\n"),
        ("<?php\nfunction find(WP_REST_Request $asked) { global $wpdb;\n"
        '  return $wpdb->get_results($wpdb->prepare("SELECT id FROM t WHERE name = %s", $asked->get_param("n"))); }\n'),
    ),
    (
        "a page that is bound",
        "csharp",
        ("using Microsoft.AspNetCore.Mvc.RazorPages;\npublic class LoginModel : PageModel {\n"
        "  [BindProperty] public string Next { get; set; }\n  public IActionResult OnPost() { return Redirect(Next); }\n}\n"),
        ("using Microsoft.AspNetCore.Mvc.RazorPages;\npublic class LoginModel : PageModel {\n"
        "  public string Next { get; set; }\n  public IActionResult OnPost() { return Redirect(Next); }\n}\n"),
    ),
    (
        "an address that is only asked whether it is there",
        "csharp",
        ("using Microsoft.AspNetCore.Mvc;\npublic class A : Controller { public IActionResult Go(string next) {\n"
        '  if (!string.IsNullOrEmpty(next)) return Redirect(next);\n  return Redirect("/"); } }\n'),
        ("using Microsoft.AspNetCore.Mvc;\npublic class A : Controller { public IActionResult Go(string next) {\n"
        '  if (Url.IsLocalUrl(next)) return Redirect(next);\n  return Redirect("/"); } }\n'),
    ),
    (
        "a socket's bytes",
        "python",
        ("import pickle, socketserver\nclass Jobs(socketserver.StreamRequestHandler):\n    def handle(self):\n"
        "        size = int.from_bytes(self.rfile.read(4), 'big')\n        return pickle.loads(self.rfile.read(size))\n"),
        ("import json, socketserver\nclass Jobs(socketserver.StreamRequestHandler):\n    def handle(self):\n"
        "        size = int.from_bytes(self.rfile.read(4), 'big')\n        return json.loads(self.rfile.read(size))\n"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("language", "flows", "twin"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_it_flows_and_its_twin_does_not(language: str, flows: str, twin: str) -> None:
    assert surest(flows, language) > 0.5
    assert surest(twin, language) < 0.5


_LOCAL = "const app = require('express')();\napp.get('/go', (req, res) => {\n  const to = String(req.query.to);\n"


@pytest.mark.parametrize(
    "checked",
    [
        "  if (!/^\\/(?![\\/\\\\])/.test(to)) return res.redirect('/');\n  res.redirect(to);\n",
        "  const url = new URL(to, ORIGIN);\n  res.redirect(url.origin === ORIGIN ? url.pathname + url.search : '/');\n",
    ],
)
def test_an_address_that_stays_here(checked: str) -> None:
    assert surest(f"{_LOCAL}  res.redirect(to);\n}});\n", "javascript") > 0.5
    assert surest(f"{_LOCAL}{checked}}});\n", "javascript") < 0.5


def test_a_pattern_whose_signs_are_taken_off() -> None:
    text = (
        "const app = require('express')();\nconst plain = (text) => BODY;\n"
        "app.get('/s', (req, res) => { res.json(find(new RegExp(`\\\\b${plain(String(req.query.q))}`))); });\n"
    )
    escaped = "text.replace(/[.*+?^${}()|[\\]\\\\]/g, '\\\\$&')"
    assert surest(text.replace("BODY", "text.trim()"), "javascript") > 0.5
    assert surest(text.replace("BODY", escaped), "javascript") < 0.5


def test_a_number_in_a_text_is_one() -> None:
    text = "from flask import request\ndef page():\n    return open(f'/srv/{request.args[\"n\"]FORMAT}.pdf').read()\n"
    assert surest(text.replace("FORMAT", ""), "python") > 0.5
    assert surest(text.replace("FORMAT", ":08d"), "python") < 0.5


def test_what_somebody_typed_is_called_safe_markup() -> None:
    text = (
        "from django.utils.safestring import mark_safe\ndef badge(user):\n    return mark_safe(f'<b>{user.NAME}</b>')\n"
    )
    assert surest(text.replace("NAME", "display_name"), "python") > 0.6
    assert surest(text.replace("NAME", "colour"), "python") <= 0.6


@pytest.mark.parametrize(
    ("pattern", "is_heard"),
    [
        ("^([a-z0-9]+)+$", True),
        (r"^(\\w+)*x", True),
        ("^([a-z]+,)+$", False),
        (r"^(\\d+)?x", False),
        ("(?:a|b)+", False),
    ],
)
def test_what_is_repeated_in_what_is_repeated(pattern: str, *, is_heard: bool) -> None:
    text = f"import re\ndef fits(name):\n    return re.match('{pattern}', name)\n"
    assert (surest(text, "python") > 0.5) is is_heard
