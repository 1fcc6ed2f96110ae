"""Hydra: compose a configuration from groups, defaults lists and overrides, and follow what it instantiates."""

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import re2

from schedmate.readers.code.commandline.words import joined, word_text
from schedmate.readers.code.configs.interpolation import resolve_all
from schedmate.readers.code.configs.loaders import load_config, merge_into, override
from schedmate.readers.code.natives import Call, Hook, NativeMethod
from schedmate.readers.code.python.scopes import Module, Scope
from schedmate.readers.code.things import Class, Instance, Made, Partial
from schedmate.readers.code.values import Config, External, Val, unknown
from schedmate.tools.repository import NotReadable, inside

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run

PACKAGE = re2.compile(r"(?m)^\s*#\s*@package\s+(\S+)")
CHOICE = re2.compile(r"\$\{([A-Za-z0-9_./]+)\}")
MOST_PASSES = 4
DEEPEST = 16


@dataclass
class Composition:
    """One composing of a configuration."""

    run: "Run"
    folders: list[str]
    choices: dict[str, Val] = field(default_factory=dict)
    forced: dict[str, Val] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    result: Val = field(default_factory=lambda: Val(Config(kind="hydra")))
    open_paths: set[str] = field(default_factory=set)
    taken: dict[str, str] = field(default_factory=dict)

    def filled(self, text: str) -> str:
        """Put the choices of other groups into a defaults entry such as `${task}PPO`."""
        return str(
            CHOICE.sub(lambda match: self.taken.get(str(match.group(1)).replace(".", "/"), match.group(0)), text)
        )

    def find(self, name: str) -> str | None:
        """Find a configuration file by its name below the configuration folders."""
        for folder in self.folders:
            for ending in ("", ".yaml", ".yml"):
                path = posixpath.normpath(inside(folder, name + ending))
                if path.endswith((".yaml", ".yml")) and self.run.repository.is_file(path):
                    return path
        return None

    def is_group(self, name: str) -> bool:
        """Tell whether a name is a group: a folder of configurations, or stored ones."""
        if any(self.run.repository.is_folder(posixpath.normpath(inside(folder, name))) for folder in self.folders):
            return True
        return any(group == name for group, _ in self.run.flags.get("config store", {}))


def compose(run: "Run", folders: list[str], name: str, words: list[Val]) -> Val | None:
    """Compose until the overrides inside the configurations change no choice any more."""
    plain_overrides: list[tuple[str, str, Val]] = []
    composition = Composition(run, folders)
    for word in words:
        text = word_text(word)
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals and key.startswith("~"):
            composition.dropped.add(key[1:])
            continue
        bare = key.lstrip("+").partition("@")[0]
        if equals and composition.is_group(bare.replace(".", "/") if "/" not in bare else bare):
            composition.choices[bare] = Val(value, joined(word, word))
            composition.forced[bare] = composition.choices[bare]
        elif equals:
            plain_overrides.append((key.lstrip("+~"), value, word))
    for _ in range(MOST_PASSES):
        composition.result = Val(Config(kind="hydra"))
        before = dict(composition.choices)
        used: set[str] = set()
        if not load_into(composition, name, "", used, 0):
            return None
        for group, choice in composition.forced.items():
            if group not in used:
                load_group(composition, group, choice, "", used, 0)
        if composition.choices.keys() == before.keys() and all(
            composition.choices[key].data == before[key].data for key in before
        ):
            break
    for key, value, word in plain_overrides:
        override(run, composition.result, key, value, joined(word, word))
    for key in composition.dropped:
        composition.result.data.pop(key, None)
    resolve_all(run, composition.result)
    return composition.result


def load_into(composition: Composition, name: str, package: str, used: set[str], depth: int) -> bool:
    """Load a configuration with its defaults list into the result under a package."""
    stored = composition.run.flags.get("config store", {}).get((posixpath.dirname(name), posixpath.basename(name)))
    path = composition.find(name)
    if path is None and stored is not None:
        merge_at(composition.result, package, record_mapping(composition.run, stored))
        return True
    if path is None or depth > DEEPEST or path in composition.open_paths:
        return False
    value = load_config(composition.run, path)
    if value is None or not isinstance(value.data, dict):
        return value is not None
    package = package_of(composition.run, path, package)
    composition.open_paths.add(path)
    try:
        defaults = value.data.pop("defaults", None)
        entries = list(defaults.data) if defaults is not None and isinstance(defaults.data, list) else []
        own_done = False
        for entry in entries:
            if entry.data == "_self_":
                merge_at(composition.result, package, value)
                own_done = True
            else:
                load_entry(composition, entry, posixpath.dirname(name), package, used, depth)
        if not own_done:
            merge_at(composition.result, package, value)
    finally:
        composition.open_paths.discard(path)
    return True


def package_of(run: "Run", path: str, package: str) -> str:
    """Read `# @package` at the head of a file."""
    try:
        found = PACKAGE.search(run.repository.read_text(path)[:600])
    except NotReadable:
        return package
    if found is None:
        return package
    name = str(found.group(1))
    return "" if name == "_global_" else package if name in ("_group_", "_name_") else name


def load_entry(composition: Composition, entry: Val, folder: str, package: str, used: set[str], depth: int) -> None:
    """Load one entry of a defaults list."""
    if isinstance(entry.data, str):
        name = entry.data.partition("@")[0]
        place = name.lstrip("/") if name.startswith("/") else posixpath.join(folder, name) if folder else name
        target = entry.data.partition("@")[2]
        load_into(
            composition, place, package if not target else "" if target == "_global_" else target, used, depth + 1
        )
        return
    if not isinstance(entry.data, dict):
        return
    for key, choice in entry.data.items():
        words = str(key).split()
        group = words[-1]
        if "override" in words:
            bare = group.lstrip("/").partition("@")[0]
            if bare not in composition.forced:
                composition.choices[bare] = choice
            continue
        load_group(composition, group, choice, folder, used, depth, package)


def load_group(
    composition: Composition, group: str, choice: Val, folder: str, used: set[str], depth: int, package: str = ""
) -> None:
    """Load the chosen configuration of a group, or several of them."""
    name, _, target = group.partition("@")
    place = name.lstrip("/") if name.startswith("/") or not folder else posixpath.join(folder, name)
    used.add(place)
    choice = composition.choices.get(place, choice)
    for one in choice.data if isinstance(choice.data, list) else [choice]:
        if not isinstance(one.data, (str, int)) or one.data is None or isinstance(one.data, bool):
            continue
        where = target if target and target != "_global_" else place.replace("/", ".")
        if target == "_global_":
            where = ""
        text = composition.filled(str(one.data).removesuffix(".yaml").removesuffix(".yml"))
        composition.taken[place] = text
        load_into(composition, posixpath.join(place, text), where, used, depth + 1)


def merge_at(result: Val, package: str, value: Val) -> None:
    """Merge a mapping into the result under a dotted package."""
    if not isinstance(value.data, dict):
        return
    target = result.data
    for part in package.split(".") if package else []:
        below = target.get(part)
        if below is None or not isinstance(below.data, dict):
            below = Val(Config(), value.src)
            target[part] = below
        target = below.data
    merge_into(target, value.data)


def record_mapping(run: "Run", value: Val) -> Val:
    """Turn a stored record into a mapping."""
    from schedmate.readers.code.python.classes import instantiate

    if isinstance(value.data, Class):
        value = instantiate(run, value, [], {}, value.data.spot)
    if isinstance(value.data, Instance):
        return Val(Config({key: record_mapping(run, item) for key, item in value.data.attrs.items()}), value.src)
    if isinstance(value.data, dict):
        return Val(Config(value.data), value.src)
    return value


def hydra_entry(run: "Run", decorator: Made, value: Val) -> Val:
    """Model `@hydra.main(...)`: calling the function composes its configuration from the command line."""
    path = decorator.kwargs.get("config_path") or (decorator.args[0] if decorator.args else None)
    name = decorator.kwargs.get("config_name") or (decorator.args[1] if len(decorator.args) > 1 else None)

    def enter(call: Call) -> Val:
        config = compose_for(call.run, value, path, name)
        result: Val = call.run.call(value, [config], {}, call.spot, call.scope)
        return result

    return Val(NativeMethod(enter, "hydra.main"), value.src)


def compose_for(run: "Run", function: Val, path: Val | None, name: Val | None) -> Val:
    """Compose the configuration of a program's entry."""
    script_folder = posixpath.dirname(function.data.path) or "."
    words = [word for word in run.argv[1:] if word_text(word)]
    rest: list[Val] = []
    folder = path.data if path is not None and isinstance(path.data, str) else "."
    config_name = name.data if name is not None and isinstance(name.data, str) else None
    extra: list[str] = []
    place = 0
    while place < len(words):
        text = word_text(words[place])
        key, equals, value = text.partition("=")
        if key in ("--config-name", "-cn", "--config-path", "-cp", "--config-dir", "-cd"):
            if not equals:
                place += 1
                value = word_text(words[place]) if place < len(words) else ""
            if key in ("--config-name", "-cn"):
                config_name = value
            elif key in ("--config-dir", "-cd"):
                extra.append(posixpath.normpath(posixpath.join(run.workdir, value)))
            else:
                folder = value
        elif not text.startswith("-"):
            rest.append(words[place])
        place += 1
    starts = (script_folder, run.workdir)
    folders = [posixpath.normpath(posixpath.join(start, folder)) for start in starts]
    if folder.startswith("pkg://"):
        folders = [folder[6:].replace(".", "/")]
    if config_name is None:
        return Val(Config(kind="hydra"))
    composed = compose(run, [*folders, *extra], config_name.removesuffix(".yaml"), rest)
    if composed is None:
        run.note(f"Hydra's configuration {config_name} was not found below {folder}")
        return unknown("a configuration that was not found")
    run.namespaces.append((composed, "config"))
    run.configs.append(("hydra", composed))
    return composed


def instantiate_config(call: Call) -> Val | None:
    """Model `hydra.utils.instantiate`: call what `_target_` names with the other options."""
    config = call.arg(0, "config")
    return instantiate(call.run, config, call.args[1:], call.kwargs, call) if config is not None else None


def instantiate(run: "Run", config: Val, args: list[Val], kwargs: dict[str, Val], call: Call, depth: int = 0) -> Val:
    """Make what a node of the configuration describes, nodes below it first."""
    data = config.data
    if isinstance(data, list):
        return Val([instantiate(run, item, [], {}, call, depth + 1) for item in data], config.src)
    if not isinstance(data, dict) or depth > DEEPEST:
        return config
    if "_target_" not in data:
        if data.get("_recursive_") is not None:
            return config
        items = {key: instantiate(run, item, [], {}, call, depth + 1) for key, item in data.items()}
        return Val(Config(items), config.src)
    target = data["_target_"]
    recursive = "_recursive_" not in data or data["_recursive_"].data is not False
    recursive = recursive and not ("_recursive_" in kwargs and kwargs["_recursive_"].data is False)
    options = {
        str(key): instantiate(run, item, [], {}, call, depth + 1) if recursive else item
        for key, item in data.items()
        if key not in ("_target_", "_partial_", "_args_", "_recursive_", "_convert_")
    }
    options.update({key: value for key, value in kwargs.items() if not (key.startswith("_") and key.endswith("_"))})
    callee = find_object(run, target, call.scope)
    spot = target.src[0] if target.src else call.spot
    positional = list(args)
    if "_args_" in data and isinstance(data["_args_"].data, list):
        positional += data["_args_"].data
    if ("_partial_" in data and data["_partial_"].data is True) or (
        "_partial_" in kwargs and kwargs["_partial_"].data is True
    ):
        return Val(Partial(callee, positional, options), config.src)
    result: Val = run.call(callee, positional, options, spot, call.scope)
    return result


def find_object(run: "Run", name: Val, scope: Scope) -> Val:
    """Find a class or function by its dotted name: the repository's own, else a library's."""
    from schedmate.readers.code.python.attributes import get_attribute
    from schedmate.readers.code.python.modules import find_module

    if isinstance(name.data, (Class, External)):
        return name
    if not isinstance(name.data, str) or not name.data:
        return unknown("a target that is not known", name)
    parts = name.data.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        module = find_module(run, ".".join(parts[:cut]), scope.module.roots or run.roots)
        if isinstance(module, Module) and (module.path or cut == len(parts) - 1):
            value = Val(module)
            for part in parts[cut:]:
                value = get_attribute(run, value, part, scope)
            return value
    return Val(External(name.data), name.src)


def store_node(call: Call) -> Val | None:
    """Model `ConfigStore.instance().store(group=, name=, node=)`."""
    name, node = call.constant(0, "name"), call.arg(1, "node")
    group = call.kwargs.get("group")
    if isinstance(name, str) and node is not None:
        key = (group.data if group is not None and isinstance(group.data, str) else "", name)
        call.run.flags.setdefault("config store", {})[key] = node
    return Val(None)


def compose_call(call: Call) -> Val | None:
    """Model `compose(config_name=..., overrides=[...])` after `initialize(config_path=...)`."""
    name = call.constant(0, "config_name")
    words = call.arg(1, "overrides")
    folder = call.run.flags.get("hydra folder", ".")
    if not isinstance(name, str):
        return None
    given = list(words.data) if words is not None and isinstance(words.data, list) else []
    start = call.scope.module.folder
    folders = [posixpath.normpath(posixpath.join(base, folder)) for base in (start, call.run.workdir)]
    composed = compose(call.run, folders, name.removesuffix(".yaml"), given)
    if composed is not None:
        call.run.namespaces.append((composed, "config"))
    return composed


def initialize(call: Call) -> Val | None:
    """Model `initialize` and `initialize_config_dir`."""
    folder = call.constant(0, "config_path") or call.constant(0, "config_dir")
    if isinstance(folder, str):
        call.run.flags["hydra folder"] = folder
    return Val(None)


def get_object(call: Call) -> Val | None:
    """Model `hydra.utils.get_class`, `get_method`, `get_object`."""
    name = call.arg(0, "path")
    return find_object(call.run, name, call.scope) if name is not None else None


HOOKS: dict[str, Hook] = {
    "hydra.utils.instantiate": instantiate_config,
    "hydra.utils.call": instantiate_config,
    "hydra.utils.get_class": get_object,
    "hydra.utils.get_method": get_object,
    "hydra.utils.get_object": get_object,
    "hydra.compose": compose_call,
    "hydra.initialize": initialize,
    "hydra.initialize_config_dir": initialize,
    "hydra.utils.to_absolute_path": lambda call: call.arg(0),
    "hydra.utils.get_original_cwd": lambda call: Val("."),
}
ENDINGS: dict[str, Hook] = {
    "instance.store": store_node,
    "ConfigStore.store": store_node,
    "detectron2.config.instantiate": instantiate_config,
    "config.instantiate": instantiate_config,
}
