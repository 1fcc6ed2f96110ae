"""Load configuration files from within followed code: whatever function reads them, the values know their lines."""

import posixpath
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.commandline.words import guess
from schedmate.readers.code.configs.yaml_text import read_ini, read_json, read_toml, read_yaml
from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.python.builtin_names import path_in_repository
from schedmate.readers.code.python.scopes import Module, Scope
from schedmate.readers.code.things import FileText, Function, Made
from schedmate.readers.code.trees import rebuilt
from schedmate.readers.code.values import Config, External, Spot, Val, unknown
from schedmate.tools.repository import NotReadable

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run

LARGEST_CONFIG = 1_000_000
DEEPEST_INCLUDE = 12
BASE_KEYS = ("_base_", "_BASE_", "BASE", "__base__", "base_config", "_BASE_CONFIG_", "__include__")


def load_config(run: "Run", path: str) -> Val | None:
    """Read a configuration file once; each caller gets a copy of its own."""
    from schedmate.readers.code.python.builtin_names import copied

    cache: dict[str, Val | None] = run.flags.setdefault("config files", {})
    if path not in cache:
        cache[path] = read_config(run, path)
    value = cache[path]
    return copied(value) if value is not None else None


def read_config(run: "Run", path: str) -> Val | None:
    """Read a file by its ending."""
    try:
        text = run.repository.read_text(path, largest=LARGEST_CONFIG)
    except NotReadable as error:
        run.note(str(error))
        return None
    value = parse_config(text, path)
    if value is None:
        run.note(f"{path} cannot be parsed")
    return value


def parse_config(text: str, path: str) -> Val | None:
    """Parse configuration text by the file's ending."""
    if path.endswith((".json", ".jsonc", ".json5")):
        return read_json(text, path)
    if path.endswith(".toml"):
        return read_toml(text, path)
    if path.endswith((".ini", ".cfg", ".conf")) and "[" in text:
        return read_ini(text, path) or read_yaml(text, path)
    return read_yaml(text, path)


def load_named(run: "Run", value: Val | None, scope: Scope) -> Val | None:
    """Load the file that a path, an open file or its text means."""
    if value is None:
        return None
    if isinstance(value.data, FileText):
        return load_config(run, value.data.path) if value.data.path else None
    path = path_in_repository(run, value, scope)
    return load_config(run, path) if path is not None else None


def load_mapping(call: Call) -> Val | None:
    """Model `yaml.safe_load`, `json.load`, `toml.load`, `OmegaConf.load` and their kin."""
    source = next(iter(call.args), None) or next(iter(call.kwargs.values()), None)
    loaded = load_named(call.run, source, call.scope)
    if loaded is None and source is not None and type(source.data) is str and len(source.data) < 20_000:
        text = source.data
        parsed = parse_config(text, ".json" if call.name.startswith("json") else ".yaml")
        loaded = relocated(parsed, source.src) if parsed is not None and "\n" not in text else None
    if loaded is None:
        return unknown("the contents of a file that is not in the repository", *([source] if source else []))
    if call.name.startswith(("json", "toml", "yaml")):
        loaded = without_attributes(loaded)
    call.run.configs.append((call.name, loaded))
    return loaded


def relocated(value: Val, src: tuple[Spot, ...]) -> Val:
    """Give values that were parsed out of a text the place of that text."""
    return rebuilt(value, Config, src)


def without_attributes(value: Val) -> Val:
    """Give plain mappings, whose `.get` and `.items` are methods and nothing else."""
    return rebuilt(value, dict)


def load_with_bases(run: "Run", path: str, depth: int = 0) -> Val | None:
    """Load a file over the files that it names as its base; circles end."""
    loading: set[str] = run.flags.setdefault("loading", set())
    if depth > DEEPEST_INCLUDE or path in loading:
        run.note(f"{path} includes itself")
        return None
    loading.add(path)
    try:
        value = load_python_config(run, path) if path.endswith(".py") else load_config(run, path)
        if value is None or not isinstance(value.data, dict):
            return value
        base: Val | None = None
        for key in BASE_KEYS:
            if key in value.data:
                base = value.data.pop(key)
                break
        if base is None:
            return value
        merged = Val(Config(), value.src)
        for name in base.data if isinstance(base.data, (list, tuple)) else [base]:
            below = base_path(run, path, name)
            loaded = load_with_bases(run, below, depth + 1) if below else None
            if loaded is not None and isinstance(loaded.data, dict):
                merge_into(merged.data, loaded.data)
        merge_into(merged.data, value.data)
        return merged
    finally:
        loading.discard(path)


def base_path(run: "Run", path: str, name: Val) -> str | None:
    """Find a base file beside the file that names it."""
    if not isinstance(name.data, str):
        return None
    for start in (posixpath.dirname(path), "."):
        found = posixpath.normpath(posixpath.join(start, name.data))
        if run.repository.is_file(found):
            return found
    run.note(f"{name.data}, named in {path}, is not in the repository")
    return None


def load_python_config(run: "Run", path: str) -> Val | None:
    """Follow a Python file whose names are the options."""
    from schedmate.readers.code.python.modules import execute_module

    module = Module(path, path, posixpath.dirname(path) or ".", roots=run.roots)
    execute_module(run, module)
    options = {
        key: as_config(value)
        for key, value in module.vars.items()
        if (not key.startswith("__") and not isinstance(value.data, (Function, Module, External))) or key in BASE_KEYS
    }
    return Val(Config(options), (Spot(path, 1),))


def as_config(value: Val) -> Val:
    """Make mappings answer to attributes."""
    from schedmate.readers.code.libraries.standard import deepen

    return deepen(value)


def merge_into(target: dict[Any, Val], added: dict[Any, Val], depth: int = 0) -> None:
    """Merge mappings deeply; `_delete_` starts afresh, as mmengine has it."""
    for key, value in added.items():
        old = target.get(key)
        if isinstance(value.data, dict) and old is not None and isinstance(old.data, dict) and depth < 40:
            if "_delete_" in value.data and value.data["_delete_"].data is True:
                fresh = {k: v for k, v in value.data.items() if k != "_delete_"}
                target[key] = Val(Config(fresh), value.src)
                continue
            merge_into(old.data, value.data, depth + 1)
        else:
            target[key] = value


def override(run: "Run", target: Val, key: str, text: str, src: tuple[Spot, ...]) -> None:
    """Put `a.b.c=value` into a configuration."""
    put_path(target, key, wrap_guess(text, src))


def wrap_guess(text: str, src: tuple[Spot, ...]) -> Val:
    """Read an override's text: a number, a list, a mapping, or text."""
    stripped = text.strip().strip("'\"")
    if text.startswith(("[", "{", "(")):
        parsed = read_yaml(text.replace("(", "[").replace(")", "]"), "")
        if parsed is not None:
            return relocated(parsed, src)
    if "${" in text:
        return Val(text, src)
    return Val(guess(text) if stripped == text.strip() else stripped, src)


def put_path(target: Val, key: str, value: Val) -> None:
    """Write under a dotted key, making mappings on the way; `a.0.b` and `a[0].b` reach into lists."""
    node = target
    parts = key.replace("[", ".").replace("]", "").split(".")
    for part in parts[:-1]:
        data = node.data
        if isinstance(data, list) and part.isdigit() and int(part) < len(data):
            node = data[int(part)]
            continue
        if not isinstance(data, dict):
            return
        below = data.get(part)
        if below is None or not isinstance(below.data, (dict, list)):
            below = Val(Config(), value.src)
            data[part] = below
        node = below
    if isinstance(node.data, dict):
        node.data[parts[-1]] = value
    elif isinstance(node.data, list) and parts[-1].isdigit() and int(parts[-1]) < len(node.data):
        node.data[int(parts[-1])] = value


def find_path(target: Val, key: str) -> Val | None:
    """Read under a dotted key."""
    node: Val | None = target
    for part in key.replace("[", ".").replace("]", "").split("."):
        if node is None:
            return None
        if isinstance(node.data, dict):
            node = node.data.get(part)
        elif isinstance(node.data, (list, tuple)) and part.isdigit() and int(part) < len(node.data):
            node = node.data[int(part)]
        else:
            return None
    return node


def config_from_function(run: "Run", path: Val | None, call: Call) -> Val | None:
    """Follow a config file's `get_config()`; `file.py:argument` hands the argument over."""
    if path is None or not isinstance(path.data, str):
        return None
    name, _, argument = path.data.partition(":")
    place = path_in_repository(run, Val(name), call.scope)
    if place is None:
        return None
    if not place.endswith(".py"):
        return load_config(run, place)
    from schedmate.readers.code.python.modules import execute_module

    module = Module(place, place, posixpath.dirname(place) or ".", roots=run.roots)
    execute_module(run, module)
    maker = module.vars.get("get_config")
    if maker is None:
        return None
    args = [Val(argument, path.src)] if argument else []
    result: Val = run.call(maker, args, {}, call.spot, call.scope)
    return result


def load_from_file(call: Call) -> Val | None:
    """Model `Config.fromfile` of mmengine and mmcv, and `LazyConfig.load`."""
    path = path_in_repository(call.run, call.arg(0, "filename"), call.scope)
    if path is None:
        return unknown("a config file that is not in the repository", *call.args[:1])
    value = load_with_bases(call.run, path)
    if value is not None:
        call.run.configs.append((call.name, value))
        call.run.namespaces.append((value, "config"))
    return value


def follow_file_module(call: Call) -> Val | None:
    """Model `SourceFileLoader(name, path).load_module()` and `runpy.run_path`: the file is followed as a module."""
    from schedmate.readers.code.python.modules import execute_module

    value = call.arg(1, "path") if "Loader" in call.name or "spec" in call.name else call.arg(0)
    path = path_in_repository(call.run, value, call.scope)
    if path is None or not path.endswith(".py"):
        return None
    module = Module(path, path, posixpath.dirname(path) or ".", roots=call.run.roots)
    if call.name.endswith("run_path"):
        module.is_main = True
    execute_module(call.run, module)
    if call.name.endswith("run_path"):
        return Val(module.vars)
    made = Val(Made(call.name, call.args, {}, call.spot))
    loaded = Val(module, (call.spot,))
    made.data.attrs["loader"] = made
    call.run.flags["loaded module"] = loaded
    return made


def give_loaded_module(call: Call) -> Val | None:
    """Give the module that a loader or a spec stands for."""
    value: Val | None = call.run.flags.get("loaded module")
    return value


def make_ini(call: Call) -> Val | None:
    """Model `ConfigParser()`."""
    return Val(Made(call.name, [], {}, call.spot, attrs={}), (call.spot,))


def read_into_ini(call: Call) -> Val | None:
    """Model `ConfigParser.read(path)`."""
    loaded = load_named(call.run, call.arg(0), call.scope)
    if loaded is None or call.owner is None or not isinstance(call.owner.data, Made):
        return None
    for section, values in loaded.data.items():
        call.owner.data.attrs[f"[{section}]"] = values
    call.owner.data.attrs["sections"] = loaded
    return Val([])


def get_from_ini(call: Call) -> Val | None:
    """Model `ConfigParser.get(section, option)` and its typed kin."""
    if call.owner is None or not isinstance(call.owner.data, Made):
        return None
    section, option = call.constant(0), call.constant(1)
    values = call.owner.data.attrs.get(f"[{section}]")
    if values is None or not isinstance(values.data, dict) or not isinstance(option, str):
        return call.kwargs.get("fallback")
    found = values.data.get(option.lower()) or values.data.get(option)
    if found is None:
        return call.kwargs.get("fallback")
    call.run.saw(option, found)
    return (
        Val(guess(found.data), found.src) if isinstance(found.data, str) and not call.name.endswith(".get") else found
    )


LOADERS = (
    "yaml.load",
    "yaml.safe_load",
    "yaml.full_load",
    "yaml.unsafe_load",
    "json.load",
    "json.loads",
    "toml.load",
    "toml.loads",
    "tomllib.load",
    "tomllib.loads",
    "tomli.load",
    "omegaconf.OmegaConf.load",
    "OmegaConf.load",
    "ruamel.yaml.safe_load",
    "ruamel.yaml.load",
    "YAML.load",
    "oyaml.load",
    "rtoml.load",
    "json5.load",
    "commentjson.load",
    "anyconfig.load",
    "srsly.read_json",
)
HOOKS: dict[str, Hook] = {
    **dict.fromkeys(LOADERS, load_mapping),
    "ruamel.yaml.YAML.load": load_mapping,
    "mmengine.config.Config.fromfile": load_from_file,
    "mmengine.Config.fromfile": load_from_file,
    "mmcv.Config.fromfile": load_from_file,
    "runpy.run_path": follow_file_module,
    "importlib.util.spec_from_file_location": follow_file_module,
    "importlib.util.module_from_spec": give_loaded_module,
    "importlib.machinery.SourceFileLoader": follow_file_module,
    "imp.load_source": follow_file_module,
    "configparser.ConfigParser": make_ini,
    "configparser.RawConfigParser": make_ini,
    "configparser.ConfigParser.read": read_into_ini,
}
ENDINGS: dict[str, Hook] = {
    "Config.fromfile": load_from_file,
    "LazyConfig.load": load_from_file,
    "load_module": give_loaded_module,
    "exec_module": lambda call: Val(None),
    "ConfigParser.get": get_from_ini,
    "ConfigParser.getint": get_from_ini,
    "ConfigParser.getfloat": get_from_ini,
    "ConfigParser.getboolean": get_from_ini,
}
