"""The calls of Python's standard library that change files or start programs."""

from __future__ import annotations

import ast

import msgspec

from leeboard.code._shell_expansion import HOME, UNKNOWN
from leeboard.code._shell_python_values import Texts, Values
from leeboard.model.touch import TouchKind

_OPENS = frozenset({"open", "io.open", "codecs.open"})
_MOVES = frozenset({"os.rename", "os.renames", "os.replace", "shutil.move"})
_COPIES = frozenset({"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"})
_DELETES = frozenset({"os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree"})
_WRITES_SECOND = frozenset({"os.symlink", "os.link", "urllib.request.urlretrieve"})
_SHELL_LINES = frozenset({"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"})
_STARTS = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))
_OPAQUE = frozenset(
    """
    exec eval compile __import__ importlib.import_module importlib.reload os.open os.mkfifo os.fork
    shutil.make_archive shutil.unpack_archive os.startfile os.posix_spawn unittest.main logging.FileHandler
    """.split()
)
_OPAQUE_PREFIXES = ("os.exec", "os.spawn", "os.posix_spawn")
_PATH_METHODS: dict[str, TouchKind] = {
    "write_text": "write",
    "write_bytes": "write",
    "touch": "write",
    "symlink_to": "write",
    "hardlink_to": "write",
    "unlink": "delete",
    "rmdir": "delete",
    "read_text": "read",
    "read_bytes": "read",
}
_SAVES = frozenset(
    "save savefig to_csv to_json to_excel to_parquet to_pickle to_html extractall extract write_csv".split()
)


class PythonEffects(msgspec.Struct):
    """`lines` are shell texts and `commands` argument lists that the code starts."""

    touches: list[tuple[TouchKind, str]] = []
    lines: list[str] = []
    commands: list[list[str]] = []
    opaque: bool = False
    network: bool = False


class Calls:
    """Judges one call after the other; `moved` once the code changed its directory."""

    def __init__(self, values: Values, effects: PythonEffects) -> None:
        self.values = values
        self.effects = effects
        self.moved = False

    def judge(self, node: ast.Call) -> None:
        name = self.values.dotted(node.func)
        if name in _OPENS:
            self.open(self.argument(node, 0, "file"), self.argument(node, 1, "mode"))
        elif name in _MOVES:
            self.touch("delete", self.argument(node, 0, "src"))
            self.touch("write", self.argument(node, 1, "dst"))
        elif name in _COPIES:
            self.touch("read", self.argument(node, 0, "src"))
            self.touch("write", self.argument(node, 1, "dst"))
        elif name in _DELETES:
            self.touch("delete", self.argument(node, 0, "path"))
        elif name == "os.truncate" or name in _WRITES_SECOND:
            self.touch("write", self.argument(node, int(name != "os.truncate"), "path"))
        elif not self.starts(node, name) and isinstance(node.func, ast.Attribute):
            self.method(node, node.func)

    def starts(self, node: ast.Call, name: str) -> bool:
        """Whether the call is one that runs programs or code, or moves elsewhere."""
        if name in _SHELL_LINES:
            self.shell_line(self.argument(node, 0, "cmd"))
        elif name in _STARTS:
            self.program(node)
        elif name in {"os.chdir", "os.fchdir", "contextlib.chdir"}:
            self.moved = True
        elif name.startswith("urllib.request."):
            self.effects.network = True
        elif name in _OPAQUE or name.startswith(_OPAQUE_PREFIXES):
            self.effects.opaque = True
        else:
            return False
        return True

    def argument(self, node: ast.Call, index: int, keyword: str) -> ast.expr | None:
        if index < len(node.args):
            return node.args[index]
        return next((given.value for given in node.keywords if given.arg == keyword), None)

    def touch(self, kind: TouchKind, node: ast.expr | None) -> None:
        self.touch_texts(kind, self.values.texts(node) if node is not None else ())

    def touch_texts(self, kind: TouchKind, texts: Texts) -> None:
        if not texts:
            self.effects.opaque = self.effects.opaque or kind != "read"
        for text in texts:
            known = not self.moved or text.startswith(("/", HOME))
            self.effects.touches.append((kind, text if known else UNKNOWN))

    def open(self, file: ast.expr | None, mode: ast.expr | None) -> None:
        if isinstance(file, ast.Constant) and isinstance(file.value, int):
            return
        self.touch(self.opened_for(mode), file)

    def opened_for(self, mode: ast.expr | None) -> TouchKind:
        modes = ("r",) if mode is None else self.values.texts(mode)
        return "write" if not modes or any(set(text) & set("wax+") for text in modes) else "read"

    def method(self, node: ast.Call, function: ast.Attribute) -> None:
        name = function.attr
        if name in _PATH_METHODS:
            self.touch(_PATH_METHODS[name], function.value)
        elif name == "open":
            self.open(function.value, self.argument(node, 0, "mode"))
        elif name in _SAVES:
            self.effects.opaque = True
        elif len(node.args) == 1 and name in {"rename", "replace"} and not node.keywords:
            self.touch("delete", function.value)
            self.touch("write", node.args[0])

    def shell_line(self, node: ast.expr | None) -> None:
        texts = self.values.texts(node) if node is not None else ()
        self.effects.lines.extend(texts)
        self.effects.opaque = self.effects.opaque or not texts or self.moved

    def program(self, node: ast.Call) -> None:
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        command = self.argument(node, 0, "args")
        elements = self.values.elements(command) if command is not None else None
        if "cwd" in given or self.moved:
            self.effects.opaque = True
        if elements is not None:
            self.effects.commands.append([self.word(element) for element in elements])
        elif "shell" in given:
            self.shell_line(command)
        else:
            self.effects.opaque = True

    def word(self, node: ast.expr) -> str:
        if self.values.dotted(node) == "sys.executable":
            return "python"
        texts = self.values.texts(node)
        return texts[0] if len(texts) == 1 else UNKNOWN
