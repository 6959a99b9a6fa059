"""Functions that queues, models and remote callers run: what they are given is foreign, and their twins do no harm."""

from __future__ import annotations

import pytest

from leeboard.rules.injection import DENIED_ABOVE
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_LAMBDA = "import type { SQSEvent } from 'aws-lambda'\nimport { exec, execFile } from 'child_process'\nimport { promisify } from 'util'\n"
_GO_RPC = """package files
import ("context"; "os"; "path/filepath"; pb "example.com/files/filespb")
type Server struct { pb.UnimplementedFilesServer }
func (s *Server) Read(ctx context.Context, req *pb.ReadRequest) (*pb.ReadReply, error) {
"""
_GO_KAFKA = """package jobs
import ("os/exec"; "github.com/segmentio/kafka-go")
func Run(r *kafka.Reader) error {
  for {
    m, err := r.ReadMessage(ctx)
    if err != nil { return err }
"""
_RABBIT = 'import org.springframework.amqp.rabbit.annotation.RabbitListener;\nclass L { @RabbitListener(queues = "q")\nvoid on(Message m) throws Exception {'
_TRPC = "import { z } from 'zod'\nimport { readFile } from 'fs/promises'\nexport const r = router({ one: procedure.input(z.object({ kind: %s })).query(async ({ input }) => readFile('/srv/' + input.kind)) })\n"
REFUSED = (
    (
        "typescript",
        _LAMBDA
        + "const run = promisify(exec)\nexport const handler = async (event: SQSEvent) => { for (const one of event.Records) await run(`ls ${one.body}`) }\n",
        _LAMBDA
        + "const run = promisify(execFile)\nexport const handler = async (event: SQSEvent) => { for (const one of event.Records) await run('ls', [one.body]) }\n",
    ),
    (
        "typescript",
        "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'\nimport { execSync } from 'child_process'\nserver.tool('log', { b: z.string() }, async ({ b }) => execSync(`git log ${b}`))\n",
        "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'\nimport { execFileSync } from 'child_process'\nserver.tool('log', { b: z.string() }, async ({ b }) => execFileSync('git', ['log', b]))\n",
    ),
    (
        "python",
        "from mcp.server.fastmcp import FastMCP\nfrom pathlib import Path\nmcp = FastMCP('n')\n@mcp.tool()\ndef read(name: str):\n    return Path('/srv', name).read_text()\n",
        "from mcp.server.fastmcp import FastMCP\nfrom pathlib import Path\nmcp = FastMCP('n')\n@mcp.tool()\ndef read(name: str):\n    return Path('/srv', Path(name).name).read_text()\n",
    ),
    (
        "python",
        "import pika, pickle\ndef on(ch, method, props, body):\n    pickle.loads(body)\ndef main(channel):\n    channel.basic_consume(queue='q', on_message_callback=on)\n",
        "import pika, json\ndef on(ch, method, props, body):\n    json.loads(body)\ndef main(channel):\n    channel.basic_consume(queue='q', on_message_callback=on)\n",
    ),
    (
        "go",
        _GO_KAFKA + 'exec.Command("sh", "-c", "ls "+string(m.Value)).Run()\n}\n}\n',
        _GO_KAFKA + 'exec.Command("ls", "--", string(m.Value)).Run()\n}\n}\n',
    ),
    (
        "typescript",
        "import { fail } from '@sveltejs/kit'\nexport const actions = { save: async ({ request, locals }) => { const f = await request.formData(); await db.query(`update n set t = '${f.get('t')}'`) } }\n",
        "import { fail } from '@sveltejs/kit'\nexport const actions = { save: async ({ request, locals }) => { const f = await request.formData(); await db.query('update n set t = ?', [f.get('t')]) } }\n",
    ),
    ("typescript", _TRPC % "z.string()", _TRPC % "z.enum(['a', 'b'])"),
    (
        "php",
        "<?php\n$action = $_GET['action'];\n$action($_POST);\n",
        "<?php\n$action = $_GET['action'];\n$known = ['a' => 'list_items'];\n$known[$action]($_POST);\n",
    ),
    (
        "rust",
        'use axum::{extract::Form, http::header, response::IntoResponse};\npub async fn save(Form(n): Form<Note>) -> impl IntoResponse {\n    ([(header::CONTENT_TYPE, "text/html")], format!("<p>{}</p>", n.text))\n}\n',
        'use axum::{extract::Form, http::header, response::IntoResponse};\npub async fn save(Form(n): Form<Note>) -> impl IntoResponse {\n    ([(header::CONTENT_TYPE, "text/plain")], format!("<p>{}</p>", n.text))\n}\n',
    ),
    (
        "java",
        _RABBIT + " new ObjectInputStream(new ByteArrayInputStream(m.getBody())).readObject(); } }",
        _RABBIT + " new ObjectMapper().readValue(m.getBody(), Job.class); } }",
    ),
)
QUEUED = (
    (
        "go",
        _GO_RPC + "return reply(os.ReadFile(filepath.Join(s.root, req.GetName())))\n}\n",
        _GO_RPC + "return reply(os.ReadFile(filepath.Join(s.root, filepath.Base(req.GetName()))))\n}\n",
    ),
    (
        "typescript",
        "import { InjectRepository } from '@nestjs/typeorm'\n@Controller()\nclass C { constructor(@InjectRepository(User) private users: Repository<User>) {}\n@Patch() async p(@Param('id') id: string, @Body() body: any) { await this.users.update(id, body) } }\n",
        "import { InjectRepository } from '@nestjs/typeorm'\n@Controller()\nclass C { constructor(@InjectRepository(User) private users: Repository<User>) {}\n@Patch() async p(@Param('id') id: string, @Body() body: any) { await this.users.update(id, { name: body.name }) } }\n",
    ),
)


def surest(language: str, code: str) -> float:
    tree = parse(code, language)
    assert tree is not None
    return max((flow.confidence for flow in find_flows(tree) if flow.kind not in {"log", "header"}), default=0.0)


@pytest.mark.parametrize(("language", "harmful", "harmless"), REFUSED)
def test_what_is_sent_is_refused_where_it_does_harm(language: str, harmful: str, harmless: str) -> None:
    assert surest(language, harmful) > DENIED_ABOVE
    assert surest(language, harmless) == 0


@pytest.mark.parametrize(("language", "harmful", "harmless"), QUEUED)
def test_what_a_class_may_have_looked_at_is_queued(language: str, harmful: str, harmless: str) -> None:
    assert 0.6 < surest(language, harmful) <= DENIED_ABOVE
    assert surest(language, harmless) == 0
