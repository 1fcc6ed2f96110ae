"""Hydra's entry points: `@hydra.main`, `compose`, the configuration store, the parser of overrides."""

import posixpath

from schedmate.readers.code.configs.hydra_composition import HydraFacts, compose
from schedmate.readers.code.configs.hydra_versions import asks_for_old_hydra
from schedmate.readers.code.configs.merging import override_by_words, wrap_guess
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.python.modules.imports import find_module
from schedmate.readers.code.values.objects import ExternalResult, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.value import Config, Value, held, sequence_of, unknown


def hydra_entry(run: Run, decorator: ExternalResult, value: Value) -> Value:
    """Model `@hydra.main(...)`: calling the function composes its configuration from the command line."""
    path = decorator.kwargs.get("config_path") or (decorator.args[0] if decorator.args else None)
    name = decorator.kwargs.get("config_name") or (decorator.args[1] if len(decorator.args) > 1 else None)
    if path is not None and isinstance(path.data, str) and path.data.endswith((".yaml", ".yml")):
        # Before Hydra 1.0 the path named the file, and groups were merged at the root.
        folder, _, file = path.data.rpartition("/")
        path, name = Value(folder or ".", path.src), Value(file, path.src)
        run.about(HydraFacts).groups_at_root = True
    if asks_for_old_hydra(run):
        run.about(HydraFacts).groups_at_root = run.about(HydraFacts).own_first = True

    def enter(call: Call) -> Value:
        config = compose_for(call.run, value, path, name)
        return call.run.call(value, [config], {}, call.spot, call.scope)

    return Value(LibraryMethod(enter, "hydra.main"), value.src)


def compose_for(run: Run, function: Value, path: Value | None, name: Value | None) -> Value:
    """Compose the configuration of a program's entry."""
    script_folder = posixpath.dirname(function.data.path) or "."
    words = [word for word in run.argv[1:] if word_text(word)]
    rest: list[Value] = []
    path_text, config_name = held(path, str), held(name, str)
    folder = path_text if path_text is not None else "."
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
    starts = (script_folder, run.workdir, ".")
    folders = list(dict.fromkeys(posixpath.normpath(posixpath.join(start, folder)) for start in starts))
    if folder.startswith("/"):
        folders += folders_elsewhere(run, folder) or folders_of_primary(run, config_name or "")
    if folder.startswith("pkg://"):
        folders = [folder[6:].replace(".", "/")]
    if config_name is None:
        return Value(Config(kind="hydra"))
    if path is not None and path_text is None and folder == "." and path.data is not None:
        folders = folders_of_primary(run, config_name) or folders
    composed = compose(run, [*folders, *extra], config_name.removesuffix(".yaml").removesuffix(".yml"), rest)
    if composed is None:
        run.note(f"Hydra's configuration {config_name} was not found below {folder}", Gap.CONFIGURATION)
        return unknown("a configuration that was not found")
    return run.offer(composed, "hydra")


MOST_PARTS = 64
"""Folders one in another that the end of a path may name."""


def folders_elsewhere(run: Run, folder: str) -> list[str]:
    """Give the folders here that a path on another machine may mean: its longest end first."""
    parts = [part for part in folder.split("/") if part][-MOST_PARTS:]
    ends = ["/".join(parts[cut:]) for cut in range(len(parts))]
    return [end for end in ends if run.repository.is_folder(end)]


MOST_NAMESAKES = 40
"""So many files of one name are looked into."""


def folders_of_primary(run: Run, name: str) -> list[str]:
    """Give the folder of the configuration of a name that lists others, where it is not said where that is here.

    It is the one that lies closest to the program; others of that name may lie below it, but not beside it.
    """
    names = [name] if name.endswith((".yaml", ".yml")) else [f"{name}.yaml", f"{name}.yml"]
    paths = [path for one in names for path in run.repository.by_name.get(one, ())][:MOST_NAMESAKES]
    listing = [path for path in paths if "\ndefaults:" in f"\n{run.repository.glimpse(path)}"]
    home = posixpath.dirname(run.main.path) if run.main is not None else ""
    shared = {path: len(posixpath.commonprefix([path.split("/"), home.split("/")])) for path in listing}
    near = {posixpath.dirname(path) for path in listing if shared[path] == max(shared.values())}
    highest = min(near, key=len, default="")
    is_above = all(f"{folder}/".startswith(f"{highest}/") for folder in near) or not highest
    return [highest or "."] if near and is_above else []


def run_hydra(call: Call) -> Value | None:
    """Model `_run_hydra(task_function=...)`, around which projects write an entry of their own."""
    function = call.need(-1, "task_function", Function)
    config = compose_for(call.run, function, call.kwargs.get("config_path"), call.kwargs.get("config_name"))
    return call.run.call(function, [config], {}, call.spot, call.scope)


def store_node(call: Call) -> Value | None:
    """Model `ConfigStore.instance().store(group=, name=, node=)`."""
    name, node = call.constant(0, "name"), call.arg(1, "node")
    group = call.kwargs.get("group")
    if isinstance(name, str) and node is not None:
        key = (group.data if group is not None and isinstance(group.data, str) else "", name)
        call.run.about(HydraFacts).store[key] = node
    return Value(None)


def compose_call(call: Call) -> Value | None:
    """Model `compose(config_name=..., overrides=[...])` after `initialize(config_path=...)`."""
    name = call.text(0, "config_name")
    words = call.arg(1, "overrides")
    folder = call.run.about(HydraFacts).folder
    given = list(sequence_of(words))
    starts = (call.scope.module.folder, call.run.workdir, ".")
    folders = list(dict.fromkeys(posixpath.normpath(posixpath.join(start, folder)) for start in starts))
    composed = compose(call.run, folders, name.removesuffix(".yaml"), given)
    return call.run.offer(composed) if composed is not None else None


def initialize(call: Call) -> Value | None:
    """Model `initialize` and `initialize_config_dir`."""
    folder = call.constant(0, "config_path") or call.constant(0, "config_dir")
    if isinstance(folder, str):
        call.run.about(HydraFacts).folder = folder
    return Value(None)


def initialize_from_module(call: Call) -> Value | None:
    """Model `initialize_config_module`: the configurations stand in a package."""
    name = call.constant(0, "config_module")
    module = find_module(call.run, name, call.scope.module.roots or call.run.roots) if isinstance(name, str) else None
    if module is not None:
        call.run.about(HydraFacts).folder = module.folder
    return Value(None)


class HydraOverride(LibraryObject):
    """One word of the command, as Hydra's parser gives it."""

    def __init__(self, word: Value) -> None:
        self.word = word
        self.key, _, self.text = word_text(word).partition("=")

    def get(self, name: str) -> Value | None:
        """Give what programs ask of an override."""
        known = {"input_line": self.word, "key_or_group": Value(self.key.lstrip("+~"), self.word.src)}
        if name in known:
            return known[name]
        asked = {"is_sweep_override": Value(is_sweep(self.text)), "value": wrap_guess(self.text, self.word.src)}
        return Value(LibraryMethod(lambda call: asked[name], name)) if name in asked else None


def is_sweep(text: str) -> bool:
    """Tell `1,2,3` and `range(...)` from one value, whose commas stand in brackets or quotes."""
    if text.startswith(("range(", "choice(", "interval(", "glob(")):
        return True
    depth, quote = 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            return True
    return False


def parse_overrides(call: Call) -> Value | None:
    """Model `OverridesParser.create().parse_overrides(words)`."""
    words = call.need(0, "overrides", list)
    return Value([Value(HydraOverride(word), word.src) for word in words.data if isinstance(word.data, str)], words.src)


def apply_parsed(call: Call) -> Value | None:
    """Model Hydra's `ConfigLoaderImpl._apply_overrides_to_config(overrides, cfg)`."""
    target, parsed = call.arg(1, "cfg"), sequence_of(call.arg(0, "overrides"))
    if target is not None:
        words = [one.data.word for one in parsed if isinstance(one.data, HydraOverride)]
        override_by_words(target, words, "+~")
    return Value(None)


HOOKS: dict[str, Hook] = {
    "hydra._internal.utils._run_hydra": run_hydra,
    **by_names("hydra.compose hydra.experimental.compose", compose_call),
    **by_names("hydra.initialize hydra.initialize_config_dir hydra.experimental.initialize", initialize),
    "hydra.experimental.initialize_config_dir": initialize,
    **by_names("hydra.initialize_config_module hydra.experimental.initialize_config_module", initialize_from_module),
    "hydra.utils.to_absolute_path": lambda call: call.arg(0),
    "hydra.utils.get_original_cwd": lambda call: Value("."),
}
ENDINGS: dict[str, Hook] = {
    **by_names("instance.store ConfigStore.store", store_node),
    "parse_overrides": parse_overrides,
    "ConfigLoaderImpl._apply_overrides_to_config": apply_parsed,
}
