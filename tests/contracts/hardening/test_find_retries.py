from __future__ import annotations

import pytest

from leeboard.contracts.hardening.find import find_retries, retry_loops
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse


def _lines(text: str, language: str) -> list[tuple[int, ...]]:
    tree = parse(text, language)
    assert tree is not None
    source = HardeningSource(tree)
    return [one.lines for one in find_retries(source, retry_loops(source))]


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("python", "for attempt in range(3):\n    try:\n        f()\n    except E:\n        pass\n", [(1, 4)]),
        ("python", "while True:\n    try:\n        f()\n        break\n    except E:\n        sleep(1)\n", [(1, 6, 5)]),
        ("python", "while True:\n    try:\n        f()\n    except E:\n        sleep(1)\n", []),
        ("python", "for attempt in quiz.attempts:\n    try:\n        f()\n    except E:\n        g()\n", []),
        (
            "python",
            "def f():\n    for i in range(3):\n        try:\n            return g()\n        except E:\n            continue\n",
            [(2, 5)],
        ),
        (
            "python",
            "def f(xs):\n    for i in range(9):\n        try:\n            return g(xs[i])\n        except E:\n            pass\n",
            [],
        ),
        (
            "javascript",
            "for (let i = 0; i < 3; i++) {\n  try { x = f(); break }\n  catch (e) { last = e }\n}\n",
            [(1, 3)],
        ),
        ("javascript", "for (let i = 0; i < 3; i++) {\n  try { x += f(i) }\n  catch (e) { throw e }\n}\n", []),
        ("ruby", "3.times do |attempt|\n  begin\n    return f\n  rescue E\n    sleep 1\n  end\nend\n", [(1, 5, 4)]),
        ("javascript", "import retry from 'async-retry';\n", [(1,)]),
        ("csharp", "using Polly;\n", [(1,)]),
    ],
)
def test_which_loops_and_libraries(language: str, text: str, lines: list[tuple[int, ...]]) -> None:
    assert _lines(text, language) == lines
