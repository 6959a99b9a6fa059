"""What an answer gives away: the traces of failures, and answers that any page may read."""

from __future__ import annotations

import pytest

from leeboard.rules.injection import DENIED_ABOVE
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_FLASK = "import traceback\nfrom flask import Flask, jsonify\napp = Flask(__name__)\n"
TRACES = (
    (
        "python",
        f"{_FLASK}@app.errorhandler(Exception)\ndef failed(e):\n    return jsonify(trace=traceback.format_exc()), 500\n",
        f"{_FLASK}@app.errorhandler(Exception)\ndef failed(e):\n    log(traceback.format_exc())\n    return jsonify(error='x'), 500\n",
    ),
    (
        "python",
        f"{_FLASK}@app.get('/')\ndef page():\n    try:\n        work()\n    except Exception:\n        return traceback.format_exc()\n",
        f"{_FLASK}@app.get('/')\ndef page():\n    try:\n        work()\n    except Exception:\n        return traceback.format_exc() if app.debug else 'x'\n",
    ),
    (
        "javascript",
        "app.use((err, req, res, next) => { res.status(500).json({ stack: err.stack }) })\n",
        "app.use((err, req, res, next) => { res.status(500).json({ stack: process.env.NODE_ENV === 'development' ? err.stack : undefined }) })\n",
    ),
    (
        "typescript",
        "export function failed(err: Error, req: Request, res: Response, next: NextFunction) { res.json({ stack: err.stack }) }\n",
        "export function failed(err: Error, req: Request, res: Response, next: NextFunction) { logger.error(err.stack); res.json({}) }\n",
    ),
    (
        "java",
        'class A { @GetMapping("/x") void x(HttpServletResponse response) { try { f(); } catch (Exception e) { e.printStackTrace(response.getWriter()); } } }',
        'class A { @GetMapping("/x") void x(HttpServletResponse response) { try { f(); } catch (Exception e) { e.printStackTrace(); } } }',
    ),
    (
        "csharp",
        "class A : ControllerBase { [HttpGet] public IActionResult G() { try { return Ok(F()); } catch (Exception ex) { return StatusCode(500, ex.ToString()); } } }",
        'class A : ControllerBase { [HttpGet] public IActionResult G() { try { return Ok(F()); } catch (Exception ex) { _log.LogError(ex, "x"); return StatusCode(500); } } }',
    ),
    (
        "php",
        "<?php\ntry { run(); } catch (Exception $e) { echo $e->getTraceAsString(); }\n",
        "<?php\ntry { run(); } catch (Exception $e) { error_log($e->getTraceAsString()); echo 'x'; }\n",
    ),
    (
        "ruby",
        "class A < ApplicationController\n  def x\n    work\n  rescue => e\n    render plain: e.backtrace.join\n  end\nend\n",
        "class A < ApplicationController\n  def x\n    work\n  rescue => e\n    Rails.logger.error e.backtrace.join\n    render plain: 'x'\n  end\nend\n",
    ),
)
ORIGINS = (
    (
        "python",
        'from fastapi.middleware.cors import CORSMiddleware\napp.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)\n',
        'from fastapi.middleware.cors import CORSMiddleware\napp.add_middleware(CORSMiddleware, allow_origins=["*"])\n',
    ),
    (
        "javascript",
        "app.get('/', (req, res) => { res.setHeader('Access-Control-Allow-Origin', req.headers.origin); res.setHeader('Access-Control-Allow-Credentials', 'true'); res.json({}) })\n",
        "app.get('/', (req, res) => { if (KNOWN.includes(req.headers.origin)) res.setHeader('Access-Control-Allow-Origin', req.headers.origin); res.setHeader('Access-Control-Allow-Credentials', 'true'); res.json({}) })\n",
    ),
)


def confidences(language: str, code: str, kind: str) -> list[float]:
    tree = parse(code, language)
    assert tree is not None
    return [flow.confidence for flow in find_flows(tree) if flow.kind == kind]


@pytest.mark.parametrize(("language", "sent", "kept"), TRACES)
def test_a_trace_is_queued_where_it_is_sent(language: str, sent: str, kept: str) -> None:
    assert [0.5 < sure <= DENIED_ABOVE for sure in confidences(language, sent, "trace")] == [True]
    assert confidences(language, kept, "trace") == []


@pytest.mark.parametrize(("language", "anybody", "some"), ORIGINS)
def test_answers_with_credentials_for_any_origin_are_queued(language: str, anybody: str, some: str) -> None:
    assert [0.5 < sure <= DENIED_ABOVE for sure in confidences(language, anybody, "cors")] == [True]
    assert confidences(language, some, "cors") == []
