"""Records that take whatever a request sent: named fields, validated bodies and plain services are no such thing."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_EXPRESS = 'const express = require("express");\nconst User = require("./user");\nconst app = express();\n'
_SPRING = """import org.springframework.web.bind.annotation.*;
{imported}
@RestController
class Users {{
    private final UserRepository users;
    @PutMapping("/users") User put(@RequestBody User user) {{ return users.save(user); }}
}}
{declared}
"""
_LARAVEL = (
    "<?php\nuse Illuminate\\Http\\Request;\nclass C extends Controller {\n  public function store(Request $request) {\n"
)

TAKES_ALL = {
    "a model is made of the body": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req, res) => {{ await User.create(req.body); }});\n',
    ),
    "a record that is made of the body and saved": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ const user = new User(req.body); await user.save(); }});\n',
    ),
    "a model that guards nothing": (
        "php",
        f"{_LARAVEL}    User::create($request->all());\n  }}\n}}\nclass User extends Model {{ protected $guarded = []; }}\n",
    ),
    "an update takes the body": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req, res) => {{ await User.findByIdAndUpdate(req.params.id, req.body); }});\n',
    ),
    "set to the body": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await User.updateOne({{ id: 1 }}, {{ $set: req.body }}); }});\n',
    ),
    "the body spread out among other fields": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await User.create({{ ...req.body, owner: 1 }}); }});\n',
    ),
    "the data of a query builder": (
        "typescript",
        (
            "import { prisma } from './db';\nexport async function POST(request: NextRequest) {\n"
            "  await prisma.user.create({ data: await request.json() });\n}\n"
        ),
    ),
    "keywords of a manager": (
        "python",
        (
            "from rest_framework.decorators import api_view\nfrom .models import User\n"
            "@api_view(['POST'])\ndef make(request):\n    User.objects.create(**request.data)\n"
        ),
    ),
    "all is permitted": (
        "ruby",
        "class UsersController\n  def update\n    User.update(params[:user].permit!)\n  end\nend\n",
    ),
    "guards are left out": ("php", f"{_LARAVEL}    (new User)->forceFill($request->all())->save();\n  }}\n}}\n"),
    "a body bound to an entity": ("java", _SPRING.format(imported="", declared="@Entity class User { Long id; }")),
    "a body bound to an imported entity": ("java", _SPRING.format(imported="import shop.entity.User;", declared="")),
    "a form bound to a model": (
        "csharp",
        (
            "public class UsersController : Controller {\n  [HttpPost]\n  public async Task<IActionResult> Edit(int id) {\n"
            "    var user = await db.Users.FindAsync(id);\n    await TryUpdateModelAsync(user);\n    return Ok();\n  }\n}\n"
        ),
    ),
}
NAMES_ITS_FIELDS = {
    "fields by name": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await User.create({{ name: req.body.name }}); }});\n',
    ),
    "a record that is made of fields by name": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ const user = new User({{ name: req.body.name }}); await user.save(); }});\n',
    ),
    "a record that was looked up": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ const user = await User.load(req.body); await user.save(); }});\n',
    ),
    "a model that may guard its fields": ("php", f"{_LARAVEL}    User::create($request->all());\n  }}\n}}\n"),
    "one field of the body": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await Tag.create(req.body.tag); }});\n',
    ),
    "a service of its own": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await userService.create(req.body); }});\n',
    ),
    "a body that was validated": (
        "javascript",
        f'{_EXPRESS}app.post("/u", async (req) => {{ await User.create(schema.parse(req.body)); }});\n',
    ),
    "keywords by name": (
        "python",
        (
            "from rest_framework.decorators import api_view\nfrom .models import User\n"
            "@api_view(['POST'])\ndef make(request):\n    User.objects.create(name=request.data['name'])\n"
        ),
    ),
    "permitted by name": (
        "ruby",
        "class UsersController\n  def update\n    User.update(params.require(:user).permit(:name))\n  end\nend\n",
    ),
    "validated by the framework": (
        "php",
        f"{_LARAVEL}    (new User)->forceFill($request->only(['name']))->save();\n  }}\n}}\n",
    ),
    "a body bound to a class of its own": (
        "java",
        _SPRING.format(imported="import shop.dto.User;", declared=""),
    ),
    "a form bound to named fields": (
        "csharp",
        (
            "public class UsersController : Controller {\n  [HttpPost]\n  public async Task<IActionResult> Edit(int id) {\n"
            '    await TryUpdateModelAsync(user, "", u => u.Name, u => u.Email);\n    return Ok();\n  }\n}\n'
        ),
    ),
}


def _kinds(language: str, code: str) -> set[str]:
    tree = parse(code, language)
    assert tree is not None
    return {flow.kind for flow in find_flows(tree)}


@pytest.mark.parametrize(("language", "code"), TAKES_ALL.values(), ids=TAKES_ALL)
def test_a_record_takes_all_that_was_sent(language: str, code: str) -> None:
    assert "fields" in _kinds(language, code)


@pytest.mark.parametrize(("language", "code"), NAMES_ITS_FIELDS.values(), ids=NAMES_ITS_FIELDS)
def test_a_record_names_its_fields(language: str, code: str) -> None:
    assert "fields" not in _kinds(language, code)
