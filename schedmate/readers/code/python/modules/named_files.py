"""Files of the repository that a program names: which file a path means, and `open`."""

import json
import posixpath

from schedmate.knowledge.code_words import words
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.python.modules.stand_ins import ENDS_OF_SETTINGS, stand_in
from schedmate.readers.code.values.leaving import ProgramRaised
from schedmate.readers.code.values.objects import ExternalResult, FileHandle
from schedmate.readers.code.values.run import Call, Run
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, held

DEEPEST_PATH = 24


def stands_as_written(run: Run, text: str, spot: SourceLocation) -> bool:
    """Tell a text whose lines each stand on a line of their own from its place on, variables filled or not."""
    raw = (run.repository.readable_text(spot.path) or "").split("\n")
    below = raw[spot.line - 1 :]
    lines = [json.dumps(line, ensure_ascii=False)[1:-1].strip() for line in text.split("\n")]
    plain = [line.strip() for line in text.split("\n")]
    return len(lines) <= len(below) and all(
        one in place or other in place or "$" in place for one, other, place in zip(plain, lines, below, strict=False)
    )


def open_file(call: Call) -> Value | None:
    """Model `open`: a file of the repository can be read, all else is unknown."""
    path = path_in_repository(call.run, call.arg(0), call.scope)
    mode = call.constant(1, "mode", "r")
    reads = not set(str(mode)) & set("wax+")
    if path is None and reads and call.scope.tries and is_absent(call.run, call.arg(0), call.scope):
        raise ProgramRaised("FileNotFoundError")
    if path is None or "w" in str(mode) or "a" in str(mode):
        return Value(ExternalResult("open", call.args, call.kwargs, call.spot))
    return Value(FileHandle(path), call.sources())


MOST_LINES, LARGEST_FILE = 64, 8_000
"""Lines of a file of settings that are gone over one by one."""
OF_SETTINGS = ("conf", "cfg", "param", "setting", "preset", "hparam")
"""Parts of names of folders and files that keep settings."""


def is_absent(run: Run, value: Value | None, scope: Scope | None = None) -> bool:
    """Tell a file of settings that is surely not there: the repository has its folder, or its name elsewhere.

    A file that only its ending could tell from data, and a name without an ending, may be made where the job runs.
    """
    made = held(value, ExternalResult)
    text = made.kwargs.get("text") if made is not None else value
    data = text.data if text is not None else None
    if not isinstance(data, str) or not data or len(data) > 1000 or data.startswith(("/", "~", "$")):
        return False
    if path_in_repository(run, Value(data), scope) is not None:
        return False
    folder, name = posixpath.split(posixpath.normpath(posixpath.join(run.workdir, data)))
    stem, _ = posixpath.splitext(name)
    if not names_settings(data) or run.repository.is_folder(posixpath.join(folder, name)):
        return False
    beside = bool(folder) and folder != "." and run.repository.is_folder(folder)
    return beside or any(f"{stem}{other}" in run.repository.by_name for other in ENDS_OF_SETTINGS)


def names_settings(path: str) -> bool:
    """Tell a path of settings by its ending, which for JSON may be that of data."""
    ending = posixpath.splitext(path)[1]
    return ending in ENDS_OF_SETTINGS and (ending != ".json" or any(word in path.lower() for word in OF_SETTINGS))


def path_in_repository(run: Run, value: Value | None, scope: Scope | None = None) -> str | None:
    """Find the file that a path means: from the working directory, the folder of a script, or the root."""
    if value is None:
        return None
    data = value.data
    if isinstance(data, ExternalResult) and "text" in data.kwargs:
        data = data.kwargs["text"].data
    if isinstance(data, FileHandle):
        return data.path
    if isinstance(data, Unknown):
        return one_of_settings(run, data, scope)
    if not isinstance(data, str) or not data or len(data) > 1000:
        return None
    made = posixpath.normpath(posixpath.join(run.workdir, data))
    if made in run.written:
        return made
    data = data.removeprefix(f"{run.package}/") if run.package else data
    beside = [scope.module.folder] if scope is not None else []
    folders = (run.workdir, *beside, *script_folder(run), ".", *run.started_from)
    if "\\" in data and (path := run.find_file(data.replace("\\", "/"), *folders)) is not None:
        return path  # written on Windows
    found = run.find_file(data, *folders)
    if found is not None and found.endswith(ENDS_OF_SETTINGS) and run.repository.readable_text(found) == "":
        return find_template(run, data, folders) or found  # kept empty for what the user puts there
    return found or find_moved(run, data) or find_template(run, data, folders) or find_namesake(run, data)


def script_folder(run: Run) -> list[str]:
    """Give the folder of the program's main file: whoever wrote its paths may have started it there."""
    return [posixpath.dirname(run.main.path)] if run.main is not None and run.main.path else []


def one_of_settings(run: Run, open_path: Unknown, scope: Scope | None) -> str | None:
    """Find the one file of settings among those that an open path may mean: the others are not here.

    So programs look for settings by the word that they are given, and then by the name in a folder of their own.
    """
    ways = [way for way in open_path.parts if isinstance(way.data, str)]
    found = {path for way in ways if (path := path_in_repository(run, way, scope)) is not None}
    return found.pop() if len(found) == 1 and len(ways) > 1 and min(found).endswith(ENDS_OF_SETTINGS) else None


def find_template(run: Run, path: str, folders: tuple[str, ...]) -> str | None:
    """Find the template of settings that are not here, and say that it is read in their place."""
    for folder in folders:
        found = stand_in(run.repository, posixpath.normpath(posixpath.join(folder, path)))
        if found is not None:
            run.note(f"{path} is not here: {found} is read in its place")
            return found
    return None


GENERAL = frozenset((
    "args", "base", "cfg", "conf", "config", "configs", "data", "default", "defaults", "experiment", "hparams", "main",
    "model", "options", "params", "settings", "train",
))  # fmt: skip
"""Words by which many files of settings are called, each in its folder."""
WRITTEN = frozenset(words("networks.written")) - {"exp", "exps", "experiments"}
"""Folders that programs write into, without those in which settings of experiments are kept, too."""
OF_TESTS = frozenset(("test", "tests", "testing", "fixtures", "testdata", "test_data"))
"""Folders of what only tests read."""


def find_namesake(run: Run, path: str) -> str | None:
    """Find settings that the command names in a folder which is not here: the only file of that name is meant.

    One whose name says nothing lies in a folder that is called alike: `config/base.yaml` in `configs`. What a test
    is tried on is meant by none, and what an earlier run wrote is in none.
    """
    told = any(isinstance(word.data, str) and word.data.endswith(path) for word in run.argv[1:])
    if not told or not names_settings(path) or run.repository.is_folder(posixpath.dirname(posixpath.normpath(path))):
        return None
    found = run.repository.find_namesake(path)
    if not WRITTEN.isdisjoint(path.lower().split("/")) or not OF_TESTS.isdisjoint((found or "").lower().split("/")):
        return None
    folder, other = (posixpath.basename(posixpath.dirname(one)) for one in (posixpath.normpath(path), found or ""))
    says = not GENERAL.issuperset(words_of(posixpath.splitext(posixpath.basename(path))[0]))
    if found is None or not (says or (other and (folder.startswith(other) or other.startswith(folder)))):
        return None
    run.note(f"{path} is not here: {found}, the only file of that name, is read in its place")
    return found


def find_moved(run: Run, path: str) -> str | None:
    """Find a file that is named by its path on another machine: by the longest end, with a folder, that is here.

    Such a path begins at the root, at a home or in a folder that only a variable of the other machine names.
    """
    parts = path.split("/")
    if (parts[0] and parts[0][0] not in "~$") or ".." in parts or len(parts) > DEEPEST_PATH:
        return None
    ends = ("/".join(parts[cut:]) for cut in range(1, len(parts) - 1))
    return next((end for end in ends if run.repository.is_file(end)), None)


MOST_SAMPLES, LARGEST_LIST = 4_096, 400_000
"""Lines of a list of samples that are taken all at once."""


def lines_of(run: Run, path: str, most: int = MOST_LINES, largest: int = LARGEST_FILE) -> list[Value] | None:
    """Give the lines of a small file, each from its place; of one that comes to be on the way they are not known."""
    text = run.repository.readable_text(path, largest) if path not in run.written else None
    lines = (text or "").splitlines(keepends=True)
    if not lines or len(lines) > most:
        return None
    return [Value(line, (SourceLocation(path, number),)) for number, line in enumerate(lines, 1)]
