"""What a limit speaks of, as something that can be checked: globs, the area of tests, programs.

An object is believed only when nothing is left over: `the helper in src/a.py` is not the file `src/a.py`, and `tests/
until I say so` is not `tests/`. A list is taken item by item.
"""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.speech.limits.clause import IMPERATIVES
from leeboard.text.prose_path import MARK, scan

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


# Kinds of file that have a name of their own: the tests, the schema, the docs, the legacy folder.


Things = tuple[tuple[str, ...], tuple[str, ...]]
"""Globs and areas."""

TEST_GLOBS = (
    "**/tests/**", "**/test/**", "**/__tests__/**", "**/spec/**", "**/specs/**", "**/e2e/**", "**/test_*",
    "**/*_test.*", "**/*.test.*", "**/*.spec.*",
)  # fmt: skip
"""Where tests mostly are: whoever asks for tests takes back a ban on these, too."""

_SCHEMA = (
    "**/schema.*", "**/schema/**", "**/schemas/**", "**/*.sql", "**/*.prisma", "**/migrations/**", "**/*_schema.*",
    "**/*.schema.*",
)  # fmt: skip
_KIND_WORDS: tuple[tuple[str, Things], ...] = (
    (
        (
            r"(?:unit\s+|integration\s+|e2e\s+|end-to-end\s+|failing\s+)?(?:tests?|specs?|test\s+cases?)|"
            r"testes|pruebas|тест(?:ы|ов)|测试|テスト"
        ),
        ((), ("tests",)),
    ),
    (
        r"(?:database\s+|db\s+|sql\s+|prisma\s+|data\s+)?schemas?|schéma|esquema|datenbankschema|схем[уа]",
        (_SCHEMA, ()),
    ),
    (
        r"(?:database\s+|db\s+)?migrations?|migrationen|migraciones|миграции",
        (("**/migrations/**", "**/migrate/**", "**/alembic/**"), ()),
    ),
    (
        r"databases?|db|datenbank|base\s+de\s+(?:données|datos)|banco\s+de\s+dados|баз[уа]\s+данных|数据库|データベース",
        ((*_SCHEMA, "**/migrate/**", "**/alembic/**"), ()),
    ),
    (
        r"lock\s?-?files?|package-lock",
        (("**/*.lock", "**/package-lock.json", "**/pnpm-lock.yaml", "**/go.sum"), ()),
    ),
    (
        r"css|style\s?sheets?|(?:css\s+)?styles|styling|scss",
        (("**/*.css", "**/*.scss", "**/*.sass", "**/*.less"), ()),
    ),
    (r"docs|documentation", (("**/*.md", "**/docs/**", "**/*.rst"), ())),
    (r"readmes?", (("**/README*", "**/README.md"), ())),
)
_ADJECTIVES = r"(?:(?:the|any|our|my|your|existing|current|all|of|other|those|these|die|les|los|las|os|le|el|i)\s+)*+"
_TAIL = (
    r"(?:\s+(?:files?|code|suite|folder|directory|dir|definitions?|please|at\s+all|themselves|itself|either|too|again|"
    r"thanks))*\W*"
)
_KINDS = tuple((lazy(rf"{_ADJECTIVES}(?:{words}){_TAIL}", re.IGNORECASE), things) for words, things in _KIND_WORDS)
_DETERMINERS = (
    "the a an any our my your those these this that all of some its their one more another every each both new other "
    "existing current das die den el la los las le les as os few couple whole entire additional "
    "necessary required two three several"
).split()
_NOT_FIRST = "|".join(sorted({*IMPERATIVES, "i", "you", "we", "it", "they", "if", "how", "why", "what"}))
_DETERMINER = rf"(?:{'|'.join(_DETERMINERS)})\b"
_FREE = rf"(?:(?!{_DETERMINER}|(?!failing|missing|existing|remaining|breaking|outstanding)\w+ing\b)[\w\-]+\s+){{0,3}}?"
_BEFORE = rf"(?:(?:{_DETERMINER}\s+){{1,4}}{_FREE}|(?!(?:{_NOT_FIRST})\b){_FREE}|)"
_ASKED_KINDS = (
    (lazy(rf"{_BEFORE}(?:test\s+)?coverage{_TAIL}", re.IGNORECASE), _KIND_WORDS[0][1]),
    *((lazy(rf"{_BEFORE}(?:{words}){_TAIL}", re.IGNORECASE), things) for words, things in _KIND_WORDS),
)
_FOLDER = lazy(
    rf"{_ADJECTIVES}[`'\"]?([\w\-.]{{2,40}})[`'\"]?\s+(?:folder|directory|dir)\W*(?:please\W*)?", re.IGNORECASE
)
_NO_FOLDER_NAMES = frozenset(
    "this that same current root whole entire home working other any each project new parent output build".split()
)


def kind_of(bare: str) -> Things:
    """Globs and areas of a kind of file and nothing more."""
    return _first(_KINDS, bare)


def asked_kind(bare: str) -> Things:
    """The same for what is asked for, where one of a kind is enough: `a users migration`, `the failing login tests`."""
    return _first(_ASKED_KINDS, bare)


def _first(kinds: tuple[tuple[re.Pattern[str], Things], ...], bare: str) -> Things:
    for pattern, things in kinds:
        if pattern.fullmatch(bare):
            return things
    folder = _FOLDER.fullmatch(bare)
    return ((f"**/{folder[1]}/**",), ()) if folder and folder[1].lower() not in _NO_FOLDER_NAMES else ((), ())
