"""How a work tree does things, learned from its files: which library for what, through which module, which direction.

Nothing is learned from fewer than five files or where fewer than four in five agree. The order of files does not
matter. What a repository's own instructions say ("use X, not Y") counts without any file.

| role of the habit | `usual` | `others` | `where` |
|---|---|---|---|
| `python http client` | the member that dominates | its rivals | the file, where the member is one of the work tree |
| `wrapper of sqlite3` | the file that wraps it | the library | that file |
| `layer order` | `ui -> db` | `db -> ui` | |
| `layer passage` | `ui -> api -> db` | `ui -> db` | |
| `errors in FOLDER`, `functions in FOLDER`, `shape of FOLDER` | the type; `async`; `class` | | the folder |
| `instruction` | what to use | what not to | the file that says so |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from leeboard.code._convention_text import instructions_in, is_instruction_file
from leeboard.code._file_use import FileUse, Uses
from leeboard.model.symbol import Habit

__all__ = ["FileUse", "is_instruction_file", "learn", "rules_in"]


def learn(files: Iterable[FileUse]) -> tuple[Habit, ...]:
    """The habits of a work tree, sorted by role. Tests only teach which test framework is used."""
    from leeboard.code._convention_choice import learn_choices  # noqa: PLC0415 - who only reads habits need not learn
    from leeboard.code._convention_idiom import learn_idioms  # noqa: PLC0415 - as above
    from leeboard.code._convention_layer import learn_layers  # noqa: PLC0415 - as above
    from leeboard.code._convention_wrapper import learn_wrappers  # noqa: PLC0415 - as above

    uses = Uses(files)
    found = [*learn_choices(uses), *learn_wrappers(uses), *learn_layers(uses), *learn_idioms(uses)]
    return tuple(sorted(found, key=lambda habit: (habit.role, habit.usual)))


def rules_in(texts: Mapping[str, str]) -> tuple[Habit, ...]:
    """What files of instructions among these demand."""
    return tuple(
        habit for path in sorted(texts) if is_instruction_file(path) for habit in instructions_in(path, texts[path])
    )
