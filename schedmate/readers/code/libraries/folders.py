"""What stands in the repository's folders, for programs that import or list all that lies beside them."""

import posixpath
from fnmatch import fnmatchcase

from schedmate.readers.code.python.modules.named_files import OF_SETTINGS
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Config, Value, unknown
from schedmate.tools.repository import inside, is_transient

MAKES_FOLDERS = ("mkdir", "makedirs")
MOST_LISTED = 300
DEEPEST = 4

MOST_SEEN = 2_000
"""Folders that one pattern is held against."""
SOURCES = (".py", ".yaml", ".yml", ".gin", ".toml", ".jsonnet")


def folder_of(call: Call, value: Value | None) -> str | None:
    """Find the folder of the repository that a path means."""
    if value is None:
        return call.scope.module.folder if call.name.startswith("pkgutil") else call.run.workdir
    if isinstance(value.data, (list, tuple)) and value.data:
        return folder_of(call, value.data[0])
    data = text_of(value)
    if data is None:
        return None
    for base in (call.run.workdir, call.scope.module.folder, "."):
        place = posixpath.normpath(posixpath.join(base, data))
        if not place.startswith(("../", "/")) and place != ".." and call.run.repository.is_folder(place):
            return place if holds_source(call, place) else None
    return None


def text_of(value: Value | None) -> str | None:
    """Give a path as text, whether it is one or an object that stands for one."""
    data = value.data if value is not None else None
    if isinstance(data, ExternalResult) and "text" in data.kwargs:
        data = data.kwargs["text"].data
    return data if isinstance(data, str) and len(data) <= 1000 else None


def is_new(call: Call, named: Value | None) -> bool:
    """Tell a folder that the program makes itself and that is not here: at the first run nothing stands in it."""
    made = [event for event in call.run.events if event.short in MAKES_FOLDERS]
    targets = {text_of(event.owner if event.owner is not None else next(iter(event.args), None)) for event in made}
    text = text_of(named)
    if text is None or text not in targets:
        return False
    place = posixpath.normpath(posixpath.join(call.run.workdir, text))
    filled = any(f"{path}/".startswith(f"{place}/") for path in (*call.run.written, *call.run.copied))
    return not filled and not call.run.repository.is_folder(place)


def holds_source(call: Call, folder: str) -> bool:
    """Tell a folder of code or configurations; what a folder of data holds is known only where the job runs."""
    folders, files = call.run.repository.list_folder(folder, MOST_LISTED)
    endings = (*SOURCES, ".json") if any(word in folder.lower() for word in OF_SETTINGS) else SOURCES
    below = (call.run.repository.list_folder(inside(folder, name), MOST_LISTED)[1] for name in folders[:20])
    return any(name.endswith(endings) for files_there in (files, *below) for name in files_there)


def names_in(call: Call, folder: str) -> list[str]:
    """Give the names in a folder."""
    folders, files = call.run.repository.list_folder(folder, MOST_LISTED)
    return sorted([*(name for name in folders if not is_transient(name)), *files])


def list_names(call: Call) -> Value | None:
    """Model `os.listdir`, and `os.scandir`, whose entries have name, path, `is_file()` and `is_dir()`."""
    folder, scans = folder_of(call, call.arg(0, "path")), call.name.endswith("scandir")
    if folder is None:
        return Value([]) if is_new(call, call.arg(0, "path")) else None
    return Value([entry(call, folder, name) if scans else Value(name) for name in names_in(call, folder)])


def entry(call: Call, folder: str, name: str) -> Value:
    """Make one entry of a folder."""
    is_file = call.run.repository.is_file(inside(folder, name))
    attrs = {
        "name": Value(name),
        "path": Value(inside(folder, name)),
        "is_file": Value(LibraryMethod(lambda inner: Value(is_file), "is_file")),
        "is_dir": Value(LibraryMethod(lambda inner: Value(not is_file), "is_dir")),
    }
    return Value(ExternalResult("os.DirEntry", [], {}, call.spot, attrs=attrs))


def walk_folders(call: Call) -> Value | None:
    """Model `os.walk`: folder, folders in it, files in it, to a bounded depth."""
    top = folder_of(call, call.arg(0, "top"))
    if top is None:
        return None
    found: list[Value] = []
    waiting = [(top, 0)]
    while waiting and len(found) < MOST_LISTED:
        folder, depth = waiting.pop(0)
        folders, files = call.run.repository.list_folder(folder, MOST_LISTED)
        folders = [name for name in folders if not is_transient(name)]
        lists = [Value([Value(name) for name in names]) for names in (folders, files)]
        found.append(Value((Value(folder), *lists)))
        waiting += [(inside(folder, name), depth + 1) for name in folders] if depth < DEEPEST else []
    return Value(found)


def match_paths(call: Call) -> Value | None:
    """Model `glob.glob`: a pattern of files and folders, in which `**` stands for folders at any depth."""
    pattern = call.constant(0, "pathname")
    return found_paths(call, pattern, None) if isinstance(pattern, str) else None


def match_below(call: Call, text: Value) -> Value | None:
    """Model a path's `glob`, `rglob` and `iterdir`, which give paths."""
    pattern = "*" if call.name == "iterdir" else call.constant(0, "pattern")
    if not isinstance(pattern, str):
        return None
    return found_paths(call, ("**/" if call.name == "rglob" else "") + pattern, text)


def found_paths(call: Call, pattern: str, below: Value | None) -> Value | None:
    """List what a pattern means; as paths where it stands below one."""
    head, _, tail = pattern.partition("*")
    start, _, rest = head.rpartition("/")
    if below is not None:
        start = posixpath.join(below.data, start)
    folder = folder_of(call, Value(start or "."))
    if folder is None or len(pattern) > 200:
        return unknown("what a folder holds")
    parts = (f"{rest}*{tail}" if "*" in pattern else rest).split("/")
    parts = [part for part, before in zip(parts, ["", *parts], strict=False) if (part, before) != ("**", "**")]
    names = sorted(matching(call, folder, parts, set()))[:MOST_LISTED]
    if below is None:
        return Value([Value(name) for name in names])
    make = call.run.libraries.hook_for("pathlib.Path") or (lambda one: None)
    calls = [Call(call.run, "pathlib.Path", [Value(name)], {}, call.spot, call.scope) for name in names]
    return Value([make(one) or unknown() for one in calls])


def matching(call: Call, folder: str, parts: list[str], seen: set[tuple[str, int]], depth: int = 0) -> set[str]:
    """Match a pattern's parts against a folder, one level at a time; no folder twice for the same parts."""
    if depth > DEEPEST or not parts or (folder, len(parts)) in seen or len(seen) > MOST_SEEN:
        return set()
    seen.add((folder, len(parts)))
    found: set[str] = set()
    names = names_in(call, folder)
    if parts[0] == "**":
        found |= matching(call, folder, parts[1:], seen, depth)
    for name in names:
        place = inside(folder, name)
        if parts[0] == "**":
            found |= matching(call, place, parts, seen, depth + 1) if call.run.repository.is_folder(place) else set()
        elif fnmatchcase(name, parts[0]) and (not name.startswith(".") or parts[0].startswith(".")):
            found |= {place} if len(parts) == 1 else matching(call, place, parts[1:], seen, depth + 1)
        if len(found) > MOST_LISTED:
            break
    return found


def list_modules(call: Call) -> Value | None:
    """Model `pkgutil.iter_modules` and `walk_packages`: modules with name and kind, deeper ones with the prefix."""
    folder = folder_of(call, call.arg(0, "path"))
    prefix = call.constant(1, "prefix", "")
    if folder is None or not isinstance(prefix, str):
        return None
    return Value(modules_in(call, folder, prefix, 0))


def modules_in(call: Call, folder: str, prefix: str, depth: int) -> list[Value]:
    """Give the modules of a folder."""
    found: list[Value] = []
    for name in names_in(call, folder):
        place = inside(folder, name)
        package = call.run.repository.is_file(inside(place, "__init__.py"))
        if not package and (not name.endswith(".py") or name == "__init__.py"):
            continue
        full = prefix + name.removesuffix(".py")
        found.append(module_info(call, full, package, folder))
        if package and call.name.endswith("walk_packages") and depth < DEEPEST and len(found) < MOST_LISTED:
            found += modules_in(call, place, f"{full}.", depth + 1)
    return found


def module_info(call: Call, name: str, package: bool, folder: str) -> Value:
    """Make what `pkgutil` tells of a module: it is read as a triple or by its names."""
    finder = Value(Config({"path": Value(folder)}))
    items = {"module_finder": finder, "name": Value(name), "ispkg": Value(package)}
    numbered = {f"[{place}]": value for place, value in enumerate(items.values())}
    return Value(ExternalResult("pkgutil.ModuleInfo", [], {}, call.spot, attrs={**items, **numbered}))


HOOKS: dict[str, Hook] = {
    **by_names("os.listdir os.scandir", list_names),
    "os.walk": walk_folders,
    **by_names("glob.glob glob.iglob", match_paths),
    **by_names("pkgutil.iter_modules pkgutil.walk_packages", list_modules),
}
