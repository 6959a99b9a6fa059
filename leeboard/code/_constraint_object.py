"""What a limit speaks of, as something that can be checked: globs, the area of tests, programs.

An object is believed only when nothing is left over: `the helper in src/a.py` is not the file `src/a.py`, and `tests/
until I say so` is not `tests/`. A list is taken item by item.
"""

from __future__ import annotations

import re

from leeboard.code._constraint_kind import Things, kind_of
from leeboard.code._prose_path import MARK, scan
from leeboard.model.pattern import lazy

_FILLER = frozenset(
    """
    the a an any anything everything all other file files folder folders directory directories dir dirs subfolder path
    paths
    code stuff in inside under within below at existing our my your this that these those either both each please ever
    whatsoever itself themselves here for reason task pr way change commit it again thanks thx pls directly-in and
    also
    now from-now on from here is are ones one single of-the too period ok okay contents whole entire
    die der das den dem datei dateien ordner verzeichnis in im an bitte keine kein alle alles irgendwas etwas diese
    le la les l un une fichier fichiers dossier répertoire dans de du des à au aux svp merci
    el los las un una archivo archivos fichero carpeta directorio en de del por favor nada ningún
    o os as um uma arquivo arquivos ficheiro pasta diretório no na em do da nada
    il lo gli i file cartella nel nella in di per favore
    文件 文件夹 目录 代码 任何文件 里的文件 下的文件 目录下的文件 里的代码 ファイル フォルダ ディレクトリ
    файл файлы файле файлов папку папке папка каталог каталоге в во и пожалуйста ничего код
    """.split()
) - {"no", "change"}
_CONDITION = lazy(
    r"\b(?:until|unless|before|after|yet|if|when|whenever|where|for\s+now|right\s+now|at\s+this\s+point|"
    r"too\s+much|more\s+than|except|"
    r"apart\s+from|other\s+than|as\s+long|once|while|without\s+(?:asking|my|permission|approval)|unnecessar\w+|"
    r"needlessly|by\s+hand|manually|"
    r"directly|sauf|außer|bis|wenn|salvo|excepto|exceto|a\s+menos|кроме|пока|если)\b",
    re.IGNORECASE,
)
_ITEM = lazy(
    r"\s*(?:,\s*(?:and\b|or\b|nor\b)?|;|\band/or\b|\b(?:and|or|nor|und|oder|et|ou|ni|y|e|o|и|или)\b|&|、|和|或|と)\s*"
)
_BINDING = lazy(rf"\b(?:of|in|from|to|for|with|between|on|into|at|by|about)\b|{MARK}", re.IGNORECASE)
_WORDS = lazy(r"[^\W_]+(?:['’-][^\W_]+)*")
_DEPENDENCY = lazy(
    r"(?:(?:any|new|more|extra|other|external|third[- ]party|additional|npm|pip|runtime|dev|the|a|an|python|node|"
    r"of|heavy|production|further)\s+)*"
    r"(?:dependenc(?:y|ies)|deps|packages?|librar(?:y|ies)|libs?|npm\s+modules?)"
    r"(?:\s+(?:please|at\s+all|for\s+this|either|whatsoever|to\s+the\s+project|to\s+package\.json|"
    r"to\s+pyproject\.toml|here|thanks))*\W*",
    re.IGNORECASE,
)
_GIT_OBJECT = lazy(
    r"(?:[\s,.!]*\b(?:anything|it|this|that|them|any\s+changes?|the\s+changes?|your\s+changes?|my\s+changes?|"
    r"these\s+changes?|changes?|code|the\s+code|your\s+work|"
    r"to\s+git|to\s+the\s+(?:repo|repository|remote)|to\s+(?:origin|remote|github)|please|pls|automatically|"
    r"for\s+me|yourself|on\s+your\s+own|at\s+all|"
    r"ever|thanks|or|and|i['’]?ll\s+do\s+(?:it|that)(?:\s+myself)?|myself)\b)*\W*",
    re.IGNORECASE,
)
_PULL_REQUEST = lazy(
    r"(?:a|an|any|the)?\s*(?:new\s+)?(?:prs?|pull\s+requests?)(?:\s+(?:please|yet|for\s+(?:this|it|me)|"
    r"at\s+all))*\W*",
    re.IGNORECASE,
)
_GIT_COMMAND = lazy(
    r"[`'\"]?git\s+(commit|push)[`'\"]?(?:\s+(?:please|at\s+all|yourself|commands?))*\W*", re.IGNORECASE
)


def is_conditional(what: str) -> bool:
    """A limit that holds for a time or under a condition is remembered, not checked."""
    return bool(_CONDITION.search(what))


def resolve(what: str, *, kinds: bool = True) -> Things:
    """Globs and areas of an object, or nothing when it is not plainly a list of them."""
    if is_conditional(what):
        return (), ()
    paths, marked = scan(what)
    waiting = iter(paths)
    globs: dict[str, None] = {}
    areas: dict[str, None] = {}
    for item in _ITEM.split(marked):
        named = [next(waiting) for _ in range(item.count(MARK))]
        given = _of_item(item, named, kinds=kinds)
        if given == ((), ()) and (_BINDING.search(item) or (not globs and not areas and item.strip() and named)):
            break
        globs.update(dict.fromkeys(given[0]))
        areas.update(dict.fromkeys(given[1]))
    return tuple(globs), tuple(areas)


def only_names_paths(what: str) -> bool:
    """Whether the object is paths and nothing else, not even in a list."""
    paths, marked = scan(what)
    return bool(paths) and all(_is_filler(item) for item in _ITEM.split(marked))


def _of_item(item: str, named: list[str], *, kinds: bool) -> Things:
    if named:
        return (tuple(anchor(path) for path in named), ()) if _is_filler(item) else ((), ())
    bare = item.strip().strip("`'\"“”* ")
    return kind_of(bare) if kinds and bare else ((), ())


def _is_filler(item: str) -> bool:
    return all(word.lower() in _FILLER for word in _WORDS.findall(item))


def anchor(path: str) -> str:
    """A path as written may be relative to any folder: match it as a suffix; a folder means all below it."""
    bare = path.rstrip("/")
    while bare.startswith("./"):
        bare = bare[2:]
    last = bare.rsplit("/", 1)[-1]
    is_folder = path.endswith("/") or (
        "." not in last[1:] and "*" not in last and not last.startswith(".") and last[:1].islower()
    )
    anchored = bare if bare.startswith(("/", "~", "**/")) or bare[1:2] == ":" else f"**/{bare}"
    return f"{anchored}/**" if is_folder and not anchored.endswith("/**") else anchored


def names_dependency(what: str) -> bool:
    return bool(_DEPENDENCY.fullmatch(what.strip()))


def is_all_of_git(what: str) -> bool:
    """`commit`, `commit anything`; not `commit secrets` or `push to main`."""
    return not is_conditional(what) and bool(_GIT_OBJECT.fullmatch(what))


def names_pull_request(what: str) -> bool:
    return bool(_PULL_REQUEST.fullmatch(what.strip()))


def git_command(what: str) -> str:
    match = _GIT_COMMAND.fullmatch(what.strip())
    return match[1].lower() if match else ""
