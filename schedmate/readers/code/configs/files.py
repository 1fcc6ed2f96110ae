"""Read configuration files of the repository, with the files that they name as their base."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from schedmate.readers.code.configs.jsonnet import read_jsonnet
from schedmate.readers.code.configs.merging import merge_into, relocated
from schedmate.readers.code.configs.yaml_text import TaggedNode, multiplies, read_ini, read_json, read_toml, read_yaml
from schedmate.readers.code.python.modules.modules import LazyImport, execute_module, resolve
from schedmate.readers.code.python.modules.named_files import path_in_repository, stands_as_written
from schedmate.readers.code.values.nested import copied, deepen
from schedmate.readers.code.values.objects import ExternalResult, FileText, Function
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.scopes import Module, Scope
from schedmate.readers.code.values.value import Config, External, SourceLocation, Value, each_of, held, unknown
from schedmate.tools.late_patterns import late

LARGEST_CONFIG = 1_000_000
DEEPEST_INCLUDE = 12
SETTINGS = (".yaml", ".yml", ".json", ".toml")
NAMES_A_FILE = late(r"^[^\n{}\[\]]{1,300}\.(?:ya?ml|jsonc?|json5|toml|ini|cfg|conf|jsonnet|py)$")
BASE_KEYS = ("_base_", "_BASE_", "BASE", "__base__", "base_config", "_BASE_CONFIG_", "__include__")

INCLUDES = ("includes", "include", "inherit", "inherits", "inherit_from", "extends", "parent", "parents")
"""Other keys by which a file of settings names those beneath it, for libraries that are not here."""


@dataclass
class ConfigFiles:
    """The configuration files of a reading: those read so far, and those that are being put together."""

    read: dict[str, Value | None] = field(default_factory=dict)
    loading: set[str] = field(default_factory=set)


def load_config(run: Run, path: str) -> Value | None:
    """Read a configuration file once, or each time what is written into it; each caller gets a copy of its own."""
    if path in run.written:
        value = read_written(run, path)
        return copied(value) if value is not None else None
    cache = run.about(ConfigFiles).read
    if path not in cache:
        cache[path] = None
        cache[path] = read_config(run, path)
    value = cache[path]
    return copied(value) if value is not None else None


def load_unread(run: Run, texts: list[str]) -> None:
    """Load the files of settings that a command names, of a program that was lost before it loaded any."""
    named = named_files(run, texts)
    if run.about(ConfigFiles).read.keys().isdisjoint(named):
        for path in named:
            value = load_with_bases(run, path, keys=(*BASE_KEYS, *INCLUDES))
            run.configs += [("the command", value)] if value is not None else []
            run.about(ConfigFiles).read.setdefault(path, value)


def named_files(run: Run, texts: list[str]) -> list[str]:
    """Give the files of settings that the words of a command name."""
    told = [text for before, text in pairwise(texts) if text.endswith(SETTINGS) or is_python_setting(before, text)]
    named = [path_in_repository(run, Value(text.rpartition("=")[2])) for text in told]
    return [path for path in dict.fromkeys(named) if path is not None]


def is_python_setting(before: str, text: str) -> bool:
    """Tell `--config settings.py` and `--config=settings.py` from programs."""
    return text.endswith(".py") and any(
        part.startswith("-") and ("config" in part or "cfg" in part) for part in (before, text)
    )


def read_config(run: Run, path: str) -> Value | None:
    """Read a file by its ending."""
    text = run.read_text(path, LARGEST_CONFIG, Gap.PATH)
    if text is None:
        return None
    broken = f"{path} is broken: read as far as line"
    value = parse_config(text, path, lambda line: run.note(f"{broken} {line}", Gap.PATH), outside=run.environ)
    if value is not None and "!include" in text:
        value = with_included(run, path, value, 0)
    if value is None and path.endswith((".yaml", ".yml")) and is_remark(text):
        return Value(Config(), (SourceLocation(path, 1),))
    if value is None:
        run.note(f"{path} cannot be parsed", Gap.PATH)
    elif "*" in text and multiplies(value, set()):
        run.note(f"{path} is not read in full: what it repeats by aliases is too much", Gap.PATH)
    return value


def is_remark(text: str) -> bool:
    """Tell a file of comments alone, which sets nothing: a choice of no more settings, in Hydra by its header."""
    lines = [line.strip() for line in text.split("\n")]
    return any(lines) and all(line.startswith("#") or line in ("", "---") for line in lines)


def read_written(run: Run, path: str) -> Value | None:
    """Read what was written into a file on the way, which stands where its text does."""
    made = run.written[path]
    return made if isinstance(made.data, dict) else parse_in_place(run, made, path) if held(made, str) else None


def with_included(run: Run, path: str, value: Value, depth: int) -> Value:
    """Put in the files that `!include other.yaml` names, which stand beside the file or where the program runs."""
    data = value.data
    if depth > DEEPEST_INCLUDE:
        return value
    if isinstance(data, TaggedNode) and data.tag == "include" and isinstance(data.value.data, str):
        places = [run.find_file(data.value.data, folder) for folder in (posixpath.dirname(path), ".")]
        below = next((place for place in places if place not in (None, path)), None)
        loaded = load_config(run, below) if below is not None else None
        return loaded if loaded is not None else unknown("an included file that is not in the repository", data.value)
    if isinstance(data, dict):
        for key, item in data.items():
            data[key] = with_included(run, path, item, depth + 1)
    elif isinstance(data, list):
        data[:] = [with_included(run, path, item, depth + 1) for item in data]
    return value


def parse_config(
    text: str,
    path: str,
    tell: Callable[[int], None] = lambda line: None,
    place: str | None = None,
    outside: Mapping[str, Value] | None = None,
) -> Value | None:
    """Parse configuration text by the file's ending; `tell` hears how far what is broken could be read.

    What stands `outside` are the variables that AllenNLP hands to Jsonnet: those of the environment.
    """
    place = path if place is None else place
    if path.endswith((".json", ".jsonc", ".json5")):
        return read_json(text, place, tell)
    if path.endswith(".toml"):
        return read_toml(text, place)
    if path.endswith((".jsonnet", ".libsonnet")):
        return read_jsonnet(text, place, outside)
    if path.endswith((".ini", ".cfg", ".conf")) and "[" in text:
        return read_ini(text, place) or read_yaml(text, place, tell)
    return read_yaml(text, place, tell)


def parse_in_place(run: Run, text: Value, ending: str) -> Value | None:
    """Parse settings that stand as a text in a program or script: each on its line, else all at the text's place."""
    spot = text.src[0]
    if stands_as_written(run, text.data, spot):
        return parse_config("\n" * (spot.line - 1) + text.data, ending, place=spot.path)
    parsed = parse_config(text.data, ending)
    return relocated(parsed, text.src) if parsed is not None else None


def load_named(run: Run, value: Value | None, scope: Scope) -> Value | None:
    """Load the file that a path, an open file or its text means."""
    if value is None:
        return None
    if isinstance(value.data, FileText):
        return load_config(run, value.data.path) if value.data.path else None
    path = path_in_repository(run, value, scope)
    return load_config(run, path) if path is not None else None


def note_missing(run: Run, value: Value | None) -> None:
    """Say that a configuration which the program names is not there to be read."""
    opened = value.data if value is not None else None
    if isinstance(opened, ExternalResult) and opened.callee == "open" and opened.args:
        opened = opened.args[0].data
    if isinstance(opened, str) and not isinstance(opened, FileText) and NAMES_A_FILE.search(opened[:1000]):
        run.note(f"{opened[:200]} is not in the repository: what it sets is unknown", Gap.CONFIGURATION)


def load_with_bases(run: Run, path: str, depth: int = 0, keys: tuple[str, ...] = BASE_KEYS) -> Value | None:
    """Load a file over the files that it names as its base; circles end."""
    loading = run.about(ConfigFiles).loading
    if depth > DEEPEST_INCLUDE or path in loading:
        run.note(f"{path} includes itself")
        return None
    loading.add(path)
    try:
        value = load_python_config(run, path) if path.endswith(".py") else load_config(run, path)
        if value is None or not isinstance(value.data, dict):
            return value
        base = next((value.data.pop(key) for key in keys if key in value.data), None)
        if base is None:
            return value
        merged = Value(Config(), value.src)
        for name in each_of(base):
            below = base_path(run, path, name)
            loaded = load_with_bases(run, below, depth + 1, keys) if below else None
            if loaded is not None and isinstance(loaded.data, dict):
                merge_into(merged.data, loaded.data)
        merge_into(merged.data, value.data)
        return merged
    finally:
        loading.discard(path)


def base_path(run: Run, path: str, name: Value) -> str | None:
    """Find a base file beside the file that names it."""
    if not isinstance(name.data, str):
        return None
    found = run.find_file(name.data, posixpath.dirname(path), ".")
    if found is None:
        run.note(f"{name.data}, named in {path}, is not in the repository", Gap.CONFIGURATION)
    return found


def load_python_config(run: Run, path: str) -> Value | None:
    """Follow a Python file whose names are the options."""
    module = Module(path, path, posixpath.dirname(path) or ".", roots=run.roots)
    execute_module(run, module)
    named = {key: imported_options(run, module, value) for key, value in list(module.vars.items())}
    options = {
        key: deepen(value)
        for key, value in named.items()
        if (not key.startswith("__") and not isinstance(value.data, (Function, Module, External))) or key in BASE_KEYS
    }
    return Value(Config(options), (SourceLocation(path, 1),))


def imported_options(run: Run, home: Module, value: Value) -> Value:
    """Look up what one file of options takes over from another; other imports are left alone."""
    if not isinstance(value.data, LazyImport) or not value.data.name[:1].islower():
        return value
    source = value.data.module
    return resolve(run, value) if source.folder == home.folder or "config" in source.path.lower() else value
