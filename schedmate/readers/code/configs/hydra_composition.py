"""Compose a Hydra configuration from groups, defaults lists and overrides."""

import ast
import posixpath
from dataclasses import dataclass, field

import re2

from schedmate.readers.code.configs.files import load_config
from schedmate.readers.code.configs.merging import drop_path, merge_into, override, wrap_guess
from schedmate.readers.code.configs.omegaconf_interpolation import resolve_all
from schedmate.readers.code.libraries.argument_words import joined, word_text
from schedmate.readers.code.python.classes import instantiate
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.values.objects import Class, Instance, fields_of
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import Config, Unknown, Value, find_in, sequence_of
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.repository import inside

PLUGINS = "hydra_plugins"
"""The namespace package in which Hydra finds plugins by itself."""
MOST_PLUGINS = 20
PLACE = late_re2(r"""(?s)search_path\.(append|prepend)\([^()]*?["']((?:pkg|file)://[^"'\n]{1,200})["']""")


def folder_named(place: str) -> str:
    """Give the folder that `pkg://a.b` or `file://a/b` means."""
    kind, _, rest = place.partition("://")
    if not rest:
        return posixpath.normpath(kind)
    return posixpath.normpath(rest.replace(".", "/") if kind == "pkg" else rest)


def plugin_folders(run: Run) -> tuple[list[str], list[str]]:
    """Give the folders that plugins put before and behind the primary one, as their text says it."""
    before: list[str] = []
    behind: list[str] = []
    for root in dict.fromkeys((*run.roots, ".")):
        for path in plugin_files(run, inside(root, PLUGINS)):
            for found in PLACE.finditer(run.repository.readable_text(path) or ""):
                side = before if found.group(1) == "prepend" else behind
                side.append(folder_named(str(found.group(2))))
    return list(dict.fromkeys(before)), list(dict.fromkeys(behind))


def plugin_files(run: Run, folder: str) -> list[str]:
    """Give the modules of a folder of plugins and of the folders in it."""
    if not run.repository.is_folder(folder):
        return []
    folders, files = run.repository.list_folder(folder)
    found = [inside(folder, file) for file in files if file.endswith(".py")]
    for below in folders[:MOST_PLUGINS]:
        place = inside(folder, below)
        found += [inside(place, file) for file in run.repository.list_folder(place)[1] if file.endswith(".py")]
    return found[:MOST_PLUGINS]


def listed_folders(config: Value | None, words: list[Value]) -> list[str]:
    """Give the folders of `hydra.searchpath`, which a primary configuration lists, or the command in its place."""
    listed = find_in(config, "hydra.searchpath")
    for word in words:
        key, _, text = word_text(word).partition("=")
        listed = wrap_guess(text, word.src) if key.lstrip("+") == "hydra.searchpath" else listed
    items = [item.data for item in sequence_of(listed)]
    return [folder_named(item) for item in items if isinstance(item, str) and "$" not in item]


@dataclass
class HydraFacts:
    """What a program told Hydra before it composes: stored nodes by group and name, and where to look."""

    store: dict[tuple[str, str], Value] = field(default_factory=dict)
    folder: str = "."
    groups_at_root: bool = False
    """set by a program of Hydra before 1.1, whose groups were merged at the root unless a file said otherwise"""
    own_first: bool = False
    """set by one of 1.0, in which what a file's defaults list names goes over what the file says itself"""


PACKAGE = re2.compile(r"(?m)^\s*#\s*@package\s+(\S+)")

GLOBAL = ("_global_", "__global__")
"""How files say that they stand at the top of the configuration."""

CHOICE = re2.compile(r"\$\{([A-Za-z0-9_./]+)\}")
MOST_PASSES = 4
DEEPEST = 16


@dataclass
class Composition:
    """One composing of a configuration."""

    run: Run
    folders: list[str]
    choices: dict[str, Value] = field(default_factory=dict)
    forced: dict[str, Value] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    result: Value = field(default_factory=lambda: Value(Config(kind="hydra")))
    open_paths: set[str] = field(default_factory=set)
    taken: dict[str, str] = field(default_factory=dict)

    def filled(self, text: str) -> str:
        """Put the choices of other groups into a defaults entry such as `${task}PPO`."""
        taken = self.taken
        return str(CHOICE.sub(lambda match: taken.get(str(match[1]).replace(".", "/"), match[0]), text))

    def find(self, name: str) -> str | None:
        """Find a configuration file by its name below the configuration folders."""
        for folder in self.folders:
            for ending in ("", ".yaml", ".yml"):
                path = self.run.place_of(posixpath.normpath(inside(folder, name + ending)))
                if path.endswith((".yaml", ".yml")) and self.run.repository.is_file(path):
                    return path
        return None

    def is_group(self, name: str) -> bool:
        """Tell whether a name is a group: a folder of configurations, or stored ones."""
        if any(
            self.run.repository.is_folder(self.run.place_of(posixpath.normpath(inside(folder, name))))
            for folder in self.folders
        ):
            return True
        return any(group == name for group, _ in self.run.about(HydraFacts).store)


def compose(run: Run, folders: list[str], name: str, words: list[Value]) -> Value | None:
    """Compose until the overrides inside the configurations change no choice any more."""
    plain_overrides: list[tuple[str, str, Value]] = []
    first, last = plugin_folders(run)
    composition = Composition(run, [*first, *folders, *last])
    primary = composition.find(name)
    composition.folders += listed_folders(load_config(run, primary) if primary is not None else None, words)
    for word in words:
        text = word_text(word)
        key, equals, value = text.partition("=")
        key = key.strip()
        if key.startswith("~"):
            composition.dropped.add(key[1:].partition("@")[0])
            continue
        bare = key.lstrip("+").partition("@")[0]
        if equals and composition.is_group(bare.replace(".", "/") if "/" not in bare else bare):
            composition.choices[bare] = Value(value, joined(word, word))
            composition.forced[bare] = composition.choices[bare]
        elif equals:
            plain_overrides.append((key.lstrip("+~"), value, word))
    for _ in range(MOST_PASSES):
        composition.result = Value(Config(kind="hydra"))
        before = dict(composition.choices)
        used: set[str] = set()
        if not load_into(composition, name, "", used, 0):
            return None
        for group, choice in composition.forced.items():
            if group not in used:
                load_group(composition, group, choice, "", used, 0)
        now = composition.choices
        if now.keys() == before.keys() and all(now[key].data == before[key].data for key in before):
            break
    for key, value, word in plain_overrides:
        override(composition.result, key, value, joined(word, word))
    for key in composition.dropped:
        drop_path(composition.result, key.replace("/", "."))
    resolve_all(run, composition.result)
    return composition.result


def load_into(
    composition: Composition, name: str, package: str, used: set[str], depth: int, group: str | None = None
) -> bool:
    """Load a configuration with its defaults list, which stands in its group or folder, into the result."""
    folder = posixpath.dirname(name) if group is None else group
    stored = composition.run.about(HydraFacts).store.get((posixpath.dirname(name), posixpath.basename(name)))
    path = composition.find(name)
    if path is None and stored is not None:
        load_stored(composition, stored, package, used, depth)
        return True
    if path is None or depth > DEEPEST or path in composition.open_paths:
        return False
    text = composition.run.repository.readable_text(path) if group is not None else None
    if text is not None and not text.strip():
        return True  # an empty choice, `logger/none.yaml`, sets nothing
    value = load_config(composition.run, path)
    if value is None or not isinstance(value.data, dict):
        return value is not None
    package = package_of(composition.run, path, package)
    composition.open_paths.add(path)
    try:
        defaults = value.data.pop("defaults", None)
        entries = list(sequence_of(defaults))
        own_done = composition.run.about(HydraFacts).own_first
        if own_done:
            merge_at(composition.result, package, value)
        for entry in entries:
            if entry.data == "_self_":
                merge_at(composition.result, package, value)
                own_done = True
            else:
                load_entry(composition, entry, folder, package, used, depth)
        if not own_done:
            merge_at(composition.result, package, value)
    finally:
        composition.open_paths.discard(path)
    return True


def load_stored(composition: Composition, stored: Value, package: str, used: set[str], depth: int) -> None:
    """Load a stored record; what its own defaults list chooses comes into the places that it leaves open."""
    value = record_mapping(composition.run, stored)
    defaults = value.data.pop("defaults", None) if isinstance(value.data, dict) else None
    merge_at(composition.result, package, value)
    for entry in sequence_of(defaults):
        if entry.data != "_self_" and depth <= DEEPEST:
            load_entry(composition, entry, "", package, used, depth)


def package_of(run: Run, path: str, package: str) -> str:
    """Read `# @package` at the head of a file."""
    found = PACKAGE.search((run.repository.readable_text(path) or "")[:600])
    if found is None:
        return "" if run.about(HydraFacts).groups_at_root else package
    name = str(found.group(1))
    return "" if name in GLOBAL else package if name in ("_group_", "_name_") else name


def load_entry(composition: Composition, entry: Value, folder: str, package: str, used: set[str], depth: int) -> None:
    """Load one entry of a defaults list."""
    if isinstance(entry.data, str):
        name, _, target = entry.data.partition("@")
        place = name.lstrip("/") if name.startswith("/") else posixpath.join(folder, name) if folder else name
        where = "" if target in GLOBAL else target or package
        load_into(composition, place, where, used, depth + 1)
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
        load_group(composition, group, choice, folder, used, depth)


def load_group(composition: Composition, group: str, choice: Value, folder: str, used: set[str], depth: int) -> None:
    """Load the chosen configuration of a group, or several of them."""
    name, _, target = group.partition("@")
    place = name.lstrip("/") if name.startswith("/") or not folder else posixpath.join(folder, name)
    used.add(place)
    if place in composition.dropped:
        return
    choice = composition.choices.get(place, choice)
    for one in choice.data if isinstance(choice.data, list) else [choice]:
        if not isinstance(one.data, (str, int)) or isinstance(one.data, bool):
            continue
        where = "" if target in GLOBAL else target or place.replace("/", ".")
        text = composition.filled(str(one.data).removesuffix(".yaml").removesuffix(".yml"))
        composition.taken[place] = text
        load_into(composition, posixpath.join(place, text), where, used, depth + 1, place)


def merge_at(result: Value, package: str, value: Value) -> None:
    """Merge a mapping into the result under a dotted package."""
    if not isinstance(value.data, dict):
        return
    target = result.data
    for part in package.split(".") if package else []:
        below = target.get(part)
        if below is None or not isinstance(below.data, dict):
            below = Value(Config(), value.src)
            target[part] = below
        target = below.data
    merge_into(target, value.data)
    if isinstance(value.data, Config) and isinstance(target, Config) and value.data.cls is not None:
        target.cls = value.data.cls


def record_mapping(run: Run, value: Value) -> Value:
    """Turn a stored record into a mapping."""
    if isinstance(value.data, Class):
        value = instantiate(run, value, [], {}, value.data.spot)
    if isinstance(value.data, Instance):
        cls, attrs = value.data.cls, value.data.attrs
        made = Config({key: record_mapping(run, settled(run, cls, key, item)) for key, item in attrs.items()})
        made.cls = cls
        return Value(made, value.src)
    if isinstance(value.data, dict):
        return Value(Config(value.data), value.src)
    return value


def settled(run: Run, cls: Class, name: str, value: Value) -> Value:
    """Give a field without a default the record that its annotation names, with that record's own defaults."""
    annotation = fields_of(cls).get(name)
    if not isinstance(value.data, Unknown) or not isinstance(annotation, ast.Name):
        return value
    named = cls.scope.find(annotation.id)
    named = resolve(run, named) if named is not None else None
    return named if named is not None and isinstance(named.data, Class) and named.data is not cls else value
