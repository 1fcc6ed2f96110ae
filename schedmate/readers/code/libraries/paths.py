"""`os.path` and `pathlib`, on paths that are known."""

import posixpath
from collections.abc import Callable
from dataclasses import replace

import re2

from schedmate.readers.code.libraries.folders import match_below
from schedmate.readers.code.python.builtins.builtin_methods import read_file
from schedmate.readers.code.python.builtins.formatting import shown
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.python.modules.named_files import is_absent, open_file, path_in_repository
from schedmate.readers.code.values.nested import wrap
from schedmate.readers.code.values.objects import ExternalResult, FileHandle
from schedmate.readers.code.values.path_texts import open_path_of
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import (
    COMMAND,
    SourceLocation,
    Value,
    held,
    join_spots,
    sequence_of,
    unknown,
)
from schedmate.tools.repository import inside

STATE = re2.compile(r"(?i)(?:^|[^a-z])(?:ckpts?|checkpoints?|resume|latest|last|snapshots?)(?:[^a-z]|$)")
"""What paths speak of in which a run keeps its state."""
OF_SETTINGS = re2.compile(
    r"(?i)(?:^|/)(?:conf|cfg|config|configuration|setting|option|param)s?(?:[_\-][\w\-]*)?(?:/|$)"
)
"""Folders in which projects keep their settings."""
WEIGHTS = re2.compile(r"(?i)\.(?:pth|pt|ckpt|h5|hdf5|keras)$")
"""How files end in which a training leaves its network: one that lies in the repository may be the job's own."""
ROOT_MARKS = (".project-root", "setup.cfg", "setup.py", "pyproject.toml")


def join_paths(call: Call) -> Value | None:
    """Model `os.path.join`; an unknown part at the end keeps nothing."""
    known = [arg.data.kwargs.get("text", arg) if isinstance(arg.data, ExternalResult) else arg for arg in call.args]
    if known and all(isinstance(arg.data, str) for arg in known):
        return Value(posixpath.join(*[arg.data[:2000] for arg in known])[:4000], join_spots(*known))
    return open_path_of(*call.args)


def path_function(name: str) -> Hook:
    """Model a function of `os.path` that only looks at the text."""
    function = getattr(posixpath, name)

    def hook(call: Call) -> Value | None:
        path = same_path(call)
        return wrap(function(path.data), call.sources()) if path is not None and isinstance(path.data, str) else None

    return hook


def same_path(call: Call) -> Value | None:
    """Model `abspath` and its like: the path is kept as it is written."""
    value = call.arg(0)
    if value is not None and isinstance(value.data, ExternalResult) and "text" in value.data.kwargs:
        return value.data.kwargs["text"]
    return value if value is not None and isinstance(value.data, str) else None


def full_path(call: Call) -> Value | None:
    """Model `abspath` and `realpath`: the path is shortened, and stays one from the repository's root."""
    value = same_path(call)
    return Value(posixpath.normpath(value.data), value.src) if value is not None and value.data else value


def path_exists(call: Call) -> Value | None:
    """Model `exists`: true of the repository's own files, false of settings that it surely lacks, else not known."""
    value = call.arg(0) or call.owner
    path = path_in_repository(call.run, value, call.scope) if value is not None else None
    if path is not None:
        left = WEIGHTS.search(path) and not (value is not None and any(spot.path == COMMAND for spot in value.src))
        return unknown("what an earlier run may have left", *call.args[:1]) if left else Value(True)
    if is_settings_folder(call, value):
        return Value(not call.name.endswith("file"))
    if (value is not None and value.data == "") or is_absent(call.run, value, call.scope):
        return Value(False)
    return unknown(
        Reason.EARLIER_RUN if value is not None and is_kept_state(value) else "a file that may exist", *call.args[:1]
    )


def folder_exists(call: Call) -> Value | None:
    """Model `isdir`: true of the repository's folders of settings; of others it is not known what a run makes."""
    found = is_settings_folder(call, call.arg(0) or call.owner)
    return Value(True) if found else unknown("a folder that may exist")


def is_settings_folder(call: Call, path: Value | None) -> bool:
    """Tell a folder of the repository in which it keeps settings."""
    if path is not None and isinstance(path.data, ExternalResult):
        path = path.data.kwargs.get("text")
    text = path.data if path is not None and isinstance(path.data, str) else ""
    places = (posixpath.normpath(place) for place in (text, posixpath.join(call.run.workdir, text)) if place)
    known = [place for place in places if OF_SETTINGS.search(place) and not place.startswith(("/", ".."))]
    return any(call.run.repository.is_folder(place) for place in known)


def is_kept_state(path: Value) -> bool:
    """Tell by its path what the program itself leaves behind to go on from; a file that the command names is there."""
    text = shown(path)
    named = any(spot.path == COMMAND and posixpath.basename(text) in spot.quote for spot in path.src)
    return bool(STATE.search(text)) and not named


def make_path(call: Call) -> Value | None:
    """Model `pathlib.Path`."""
    parts = [arg.data.kwargs.get("text", arg) if isinstance(arg.data, ExternalResult) else arg for arg in call.args]
    if not parts or not all(isinstance(part.data, str) for part in parts):
        return Value(ExternalResult(call.name, call.args, {}, call.spot))
    text = Value(posixpath.join(*[part.data[:2000] for part in parts])[:4000], join_spots(*parts))
    return Value(ExternalResult(call.name, [text], {"text": text}, call.spot, attrs=path_attributes(text)), text.src)


def path_of(call: Call, *parts: Value) -> Value | None:
    """Make a path of its parts."""
    return make_path(Call(call.run, "pathlib.Path", list(parts), {}, call.spot, call.scope))


def path_attributes(text: Value) -> dict[str, Value]:
    """Give a path's name, stem and suffix, and what can be read from it."""
    name = posixpath.basename(text.data)
    stem, suffix = posixpath.splitext(name)
    parts = {"name": name, "stem": stem, "suffix": suffix}
    found = {key: Value(value, text.src) for key, value in parts.items()}
    methods: dict[str, Callable[[Call], Value | None]] = {
        "open": open_path,
        "read_text": open_path,
        "exists": path_exists,
        "is_file": path_exists,
        "is_dir": folder_exists,
        "as_posix": lambda call: text,
        "joinpath": lambda call: path_of(call, text, *call.args),
        "with_suffix": lambda call: path_of(call, Value(posixpath.splitext(text.data)[0] + call.text(0), text.src)),
        "with_name": lambda call: path_of(call, beside(text, call.text(0))),
        "with_stem": lambda call: path_of(call, beside(text, call.text(0) + suffix)),
        "is_absolute": lambda call: Value(text.data.startswith("/")),
        "relative_to": lambda call: path_of(call, relative(text, call.args)),
    }
    methods.update(dict.fromkeys(("resolve", "absolute", "expanduser"), lambda call: path_of(call, text)))
    methods.update(dict.fromkeys(("glob", "rglob", "iterdir"), lambda call: match_below(call, text)))
    found.update({key: Value(LibraryMethod(hook, key, text)) for key, hook in methods.items()})
    parent = posixpath.dirname(text.data) or "."
    if parent != text.data and parent.count("/") < 40:
        up = Value(parent, text.src)
        found["parent"] = Value(
            ExternalResult("pathlib.Path", [up], {"text": up}, SourceLocation("", 1), attrs=path_attributes(up))
        )
        above = found["parent"].data.attrs.get("parents")
        found["parents"] = Value([found["parent"], *(above.data if above is not None else [])])
    return found


def beside(text: Value, name: str) -> Value:
    """Give the path of another name in the same folder."""
    return Value(posixpath.join(posixpath.dirname(text.data), name), text.src)


def relative(text: Value, folders: list[Value]) -> Value:
    """Give a path as seen from a folder above it; from any other it stays as it is."""
    above = folders[0].data.kwargs.get("text") if folders and isinstance(folders[0].data, ExternalResult) else None
    above = above or (folders[0] if folders else Value(""))
    start = f"{above.data}/" if isinstance(above.data, str) else "/"
    return Value(text.data.removeprefix(start), text.src)


def open_path(call: Call) -> Value | None:
    """Model a path's `open` and `read_text`."""
    mode = call.arg(0, "mode")
    if call.name == "open" and mode is not None and "r" not in str(mode.data) and call.owner is not None:
        return open_file(replace(call, args=[call.owner, *call.args]))
    path = path_in_repository(call.run, call.owner, call.scope)
    if path is None:
        return None
    handle = Value(FileHandle(path), (SourceLocation(path, 1),))
    if call.name == "open":
        return handle
    return read_file(Call(call.run, "read", [], {}, call.spot, call.scope, handle))


def resource_path(call: Call) -> Value | None:
    """Model `resource_filename(package, path)`: beside the package, or where the repository keeps what it installs."""
    package, path = call.constant(0), call.constant(1)
    if not isinstance(package, str) or not isinstance(path, str) or len(path) > 1000:
        return None
    home = package_folder(call, package) or "."
    found = call.run.find_file(path, home, ".")
    if found is None and call.run.repository.is_folder(inside(home, path)):
        found = inside(home, path)
    return Value(found, call.sources()) if found is not None else None


def package_folder(call: Call, package: str) -> str | None:
    """Find a package's folder."""
    module = find_module(call.run, package, call.scope.module.roots or call.run.roots)
    return module.folder if module is not None else None


def project_root(call: Call) -> Value | None:
    """Model `setup_root` of pyrootutils and rootutils: the nearest folder above that holds a mark of a project."""
    start = call.arg(0, "search_from")
    marks = call.arg(1, "indicator")
    names = [held(marks, str)] if held(marks, str) is not None else [mark.data for mark in sequence_of(marks)]
    folder = posixpath.dirname(start.data) if start is not None and isinstance(start.data, str) else "."
    while folder not in ("", ".", "/") and not any(
        isinstance(name, str) and call.run.repository.is_file(inside(folder, name)) for name in names or ROOT_MARKS
    ):
        folder = posixpath.dirname(folder)
    return path_of(call, Value(folder or "."))


def open_resource(call: Call) -> Value | None:
    """Model `importlib.resources.open_text(package, name)`, `read_text` and `pkgutil.get_data`."""
    package, name = call.need(0, "package"), call.text(1, "resource")
    folder = package.data.folder if isinstance(package.data, Module) else None
    folder = package_folder(call, package.data) if isinstance(package.data, str) else folder
    path = call.run.find_file(name, folder) if folder is not None else None
    if path is None:
        return None
    handle = Value(FileHandle(path), (SourceLocation(path, 1),))
    if call.name.rpartition(".")[2].startswith("open"):
        return handle
    return read_file(Call(call.run, "read", [], {}, call.spot, call.scope, handle))


def resource_folder(call: Call) -> Value | None:
    """Model `importlib.resources.files(package)`."""
    value = call.arg(0, "package")
    package = value.data if value is not None else None
    folder = package.folder if isinstance(package, Module) else None
    if isinstance(package, str):
        folder = package_folder(call, package)
    return path_of(call, Value(folder)) if folder is not None else None


OF_BATCHGENERATORS = "batchgenerators.utilities.file_and_folder_operations"
"""The module by which nnU-Net and what is built on it name their files: `os.path` under names of its own."""

HOOKS: dict[str, Hook] = {
    **by_names(f"os.path.join {OF_BATCHGENERATORS}.join", join_paths),
    "os.path.basename": path_function("basename"),
    "os.path.dirname": path_function("dirname"),
    "os.path.splitext": path_function("splitext"),
    "os.path.split": path_function("split"),
    "os.path.normpath": path_function("normpath"),
    **by_names("os.path.abspath os.path.realpath", full_path),
    **by_names("os.path.expanduser os.path.expandvars os.path.relpath os.fspath", same_path),
    **by_names(f"os.path.exists os.path.isfile {OF_BATCHGENERATORS}.isfile", path_exists),
    **by_names(f"os.path.isdir {OF_BATCHGENERATORS}.isdir", folder_exists),
    "os.getcwd": lambda call: Value("."),
    "pathlib.Path.cwd": lambda call: path_of(call, Value(".")),
    **by_names("pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath", make_path),
    "pkg_resources.resource_filename": resource_path,
    **by_names("pyrootutils.setup_root pyrootutils.find_root rootutils.setup_root rootutils.find_root", project_root),
    **by_names("importlib.resources.files importlib_resources.files", resource_folder),
    **by_names("importlib.resources.open_text importlib.resources.open_binary pkgutil.get_data", open_resource),
    **by_names("importlib.resources.read_text importlib.resources.read_binary", open_resource),
}
ENDINGS: dict[str, Hook] = dict.fromkeys(
    ("codecs.open", "io.open", "smart_open.open", "fsspec.open", "gfile.GFile", "gfile.Open", "gfile.FastGFile"),
    open_file,
)
VALUES: dict[str, Callable[[Run], Value]] = {
    **by_names("os.sep os.path.sep", lambda run: Value("/")),
    **by_names("os.pardir os.path.pardir", lambda run: Value("..")),
    "os.curdir": lambda run: Value("."),
}
