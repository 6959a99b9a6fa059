"""What every reader calls certain stays refused, in each language: a field of a request goes into a sink as it is."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_FLASK = "import os, sqlite3, subprocess\nfrom flask import Flask, request, render_template_string\napp = Flask(__name__)\n@app.get('/x')\ndef f():\n    v = request.args['v']\n    {}\n"
_EXPRESS = "const fs = require('fs'), cp = require('child_process'), express = require('express');\nconst app = express();\napp.get('/x', (req, res) => {{\n  const v = req.query.v;\n  {}\n}});\n"
_NODE_TS = "import express, {{ Request, Response }} from 'express';\nimport {{ exec }} from 'child_process';\nimport fs from 'fs';\nconst app = express();\napp.get('/x', (req: Request, res: Response) => {{\n  const v = req.query.v as string;\n  {}\n}});\n"
_PHP = "<?php\n$v = $_GET['v'];\n{}\n"
_RAILS = "class PagesController < ApplicationController\n  def show\n    v = params[:v]\n    {}\n  end\nend\n"
_GO = 'package m\nimport ("database/sql"; "fmt"; "net/http"; "os"; "os/exec")\nfunc H(w http.ResponseWriter, r *http.Request) {{\n\tv := r.URL.Query().Get("v")\n\t{}\n}}\n'
_SPRING = 'import org.springframework.web.bind.annotation.*;\nimport java.nio.file.*;\n@RestController class A {{\n  @GetMapping("/x") String f(@RequestParam String v) throws Exception {{\n    {}\n    return null;\n  }} }}\n'
_KTOR = 'import org.springframework.web.bind.annotation.*\n@RestController\nclass A(val jdbcTemplate: JdbcTemplate) {{\n  @GetMapping("/x") fun f(@RequestParam v: String): Any? {{\n    {}\n    return null\n  }}\n}}\n'
_ASPNET = 'using Microsoft.AspNetCore.Mvc;\nusing System.Data.SqlClient;\nusing System.Diagnostics;\npublic class A : Controller {{\n  [HttpGet("/x")] public object F([FromQuery] string v) {{\n    {}\n    return null;\n  }} }}\n'
_AXUM = "use axum::extract::Query;\nuse std::process::Command;\nasync fn f(Query(q): Query<Params>) -> String {{\n    let v = q.v;\n    {}\n    String::new()\n}}\n"
_CGI = '#include <stdlib.h>\n#include <stdio.h>\nint main(void) {{\n  char *v = getenv("QUERY_STRING");\n  char line[256];\n  {}\n}}\n'


@pytest.mark.parametrize(
    ("language", "around", "lines"),
    [
        (
            "python",
            _FLASK,
            (
                "sqlite3.connect('a').execute(\"SELECT * FROM t WHERE n = '\" + v + \"'\")",
                "os.system('ping ' + v)",
                "subprocess.run(f'ping {v}', shell=True)",
                "eval(v)",
                "return render_template_string('<h1>' + v)",
                "return open(v).read()",
                "return open(os.path.join('/data', v)).read()",
                "return '<h1>' + v + '</h1>'",
            ),
        ),
        (
            "javascript",
            _EXPRESS,
            (
                'db.query("SELECT * FROM t WHERE n = \'" + v + "\'");',
                "cp.exec('ping ' + v);",
                "eval(v);",
                "fs.readFile(v, (e, d) => res.end(d));",
                "fs.readFile('/data/' + v, (e, d) => res.end(d));",
                "res.send('<h1>' + v);",
            ),
        ),
        (
            "typescript",
            _NODE_TS,
            (
                "db.query(`SELECT * FROM t WHERE n = '${{v}}'`);",
                "exec(`ping ${{v}}`);",
                "eval(v);",
                "res.send(fs.readFileSync('/data/' + v));",
            ),
        ),
        (
            "php",
            _PHP,
            (
                "mysqli_query($db, \"SELECT * FROM t WHERE n = '$v'\");",
                "system('ping ' . $v);",
                "eval($v);",
                "readfile($v);",
                "readfile('/data/' . $v);",
                "include $v;",
                "echo '<h1>' . $v;",
            ),
        ),
        (
            "ruby",
            _RAILS,
            (
                "User.where(\"name = '#{{v}}'\")",
                'system("ping #{{v}}")',
                "eval(v)",
                "send_file(v)",
                "File.read(File.join('/data', v))",
            ),
        ),
        (
            "go",
            _GO,
            (
                'db.Query("SELECT * FROM t WHERE n = \'" + v + "\'")',
                'exec.Command("sh", "-c", "ping " + v).Run()',
                "os.ReadFile(v)",
                'os.ReadFile("/data/" + v)',
                'fmt.Fprintf(w, "<h1>%s</h1>", v)',
            ),
        ),
        (
            "java",
            _SPRING,
            (
                'jdbcTemplate.queryForList("SELECT * FROM t WHERE n = \'" + v + "\'");',
                'Runtime.getRuntime().exec(new String[]{{"sh", "-c", "ping " + v}});',
                "Files.readAllBytes(Paths.get(v));",
                'Files.readAllBytes(Paths.get("/data/" + v));',
            ),
        ),
        (
            "kotlin",
            _KTOR,
            ("jdbcTemplate.queryForList(\"SELECT * FROM t WHERE n = '$v'\")", "java.io.File(v).readText()"),
        ),
        (
            "csharp",
            _ASPNET,
            (
                'new SqlCommand("SELECT * FROM t WHERE n = \'" + v + "\'", c).ExecuteReader();',
                'Process.Start("cmd.exe", "/c ping " + v);',
                "System.IO.File.ReadAllText(v);",
            ),
        ),
        (
            "rust",
            _AXUM,
            (
                'Command::new("sh").arg("-c").arg(format!("ping {{}}", v)).output();',
                "std::fs::read_to_string(v);",
            ),
        ),
        ("c", _CGI, ('snprintf(line, sizeof line, "ping %s", v); system(line);',)),
    ],
)
def test_it_is_refused(language: str, around: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        text = around.format(line.replace("{{", "{").replace("}}", "}"))
        tree = parse(text, language)
        assert tree is not None
        found = [(flow.confidence, flow.doubt) for flow in find_flows(tree) if flow.kind not in {"log", "header"}]
        assert max(found, default=(0.0, ""))[0] > 0.85, (line, found)
