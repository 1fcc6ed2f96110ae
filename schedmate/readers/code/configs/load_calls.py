"""Load configuration files from within followed code: whatever function reads them, the values know their lines."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, replace

from schedmate.knowledge.code_words import words
from schedmate.readers.code.configs.files import (
    LARGEST_CONFIG,
    load_config,
    load_named,
    load_with_bases,
    note_missing,
    parse_config,
    parse_in_place,
)
from schedmate.readers.code.configs.merging import relocated
from schedmate.readers.code.configs.yaml_text import read_documents
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.nested import rebuilt
from schedmate.readers.code.values.objects import ExternalResult, FileText, Function
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import Config, External, Value, held, mapping_of, unknown


def load_mapping(call: Call) -> Value | None:
    """Model `yaml.safe_load`, `json.load`, `toml.load`, `OmegaConf.load` and their kin."""
    source = next(iter(call.args), None) or next(iter(call.kwargs.values()), None)
    loaded = load_named(call.run, source, call.scope)
    if loaded is None and source is not None and type(source.data) is str and len(source.data) < 20_000:
        loaded = parse_constant(call.run, source, ".json" if call.name.startswith("json") else ".yaml")
    if loaded is None:
        note_missing(call.run, source)
        return unknown("the contents of a file that is not in the repository", *([source] if source else []))
    if call.name.startswith(("json", "toml", "yaml")):
        # Plain mappings, whose `.get` and `.items` are methods and nothing else, unless a hook makes objects of them.
        loaded = rebuilt(loaded, Config if "object_hook" in call.kwargs else dict)
    call.run.configs.append((call.name, loaded))
    return loaded


def load_box(call: Call) -> Value | None:
    """Model `Box.from_yaml`, `from_json` and `from_toml`, which take a text or a file's name: keys are attributes."""
    source = call.kwargs.get("filename") or call.arg(1) or call.arg(0, f"{call.name.rpartition('_')[2]}_string")
    return load_mapping(replace(call, args=[source], kwargs={})) if source is not None else None


def load_documents(call: Call) -> Value | None:
    """Model `yaml.load_all` and its kin."""
    source = call.arg(0, "stream")
    whole = held(source, FileText)
    path = whole.path if whole is not None else path_in_repository(call.run, source, call.scope)
    text = call.run.read_text(path, LARGEST_CONFIG) if path else None
    found = [rebuilt(one, dict) for one in read_documents(text, path)] if text is not None and path else []
    if not found:
        note_missing(call.run, source)
        return unknown("documents of a file that is not in the repository", *call.args)
    call.run.configs += [(call.name, one) for one in found]
    return Value(found, (call.spot,))


def parse_constant(run: Run, source: Value, ending: str) -> Value | None:
    """Parse settings that the program itself holds as a text; of several lines, each stands where it is written."""
    if "\n" not in source.data:
        parsed = parse_config(source.data, ending)
        return relocated(parsed, source.src) if parsed is not None else None
    parsed = parse_in_place(run, source, ending) if source.src else None
    return parsed if parsed is not None and isinstance(parsed.data, dict) else None


def start_tracker(call: Call) -> Value | None:
    """Keep the settings that `wandb.init(config=...)` is given: `wandb.config` holds them then."""
    given = call.kwargs.get("config")
    defaults = load_named(call.run, Value("config-defaults.yaml"), call.scope) if has_defaults(call.run) else None
    known = {key: one.data["value"] for key, one in mapping_of(defaults).items() if "value" in mapping_of(one)}
    swept = call.run.facts.get("swept")
    if known or swept is not None or (given is not None and isinstance(given.data, dict)):
        place = given or defaults or swept
        tracked = Value(Config({**known, **mapping_of(given), **mapping_of(swept)}), place.src if place else ())
        call.run.facts["tracked"] = tracked
        return call.made({"config": tracked})
    return None


def has_defaults(run: Run) -> bool:
    """Tell whether Weights & Biases finds a file of defaults where the program runs."""
    return run.find_file("config-defaults.yaml", run.workdir) is not None


def config_from_function(run: Run, path: Value | None, call: Call) -> Value | None:
    """Follow a config file's `get_config()`; `file.py:argument` hands the argument over."""
    if path is None or not isinstance(path.data, str):
        return None
    name, _, argument = path.data.partition(":")
    place = path_in_repository(run, Value(name), call.scope)
    if place is None:
        return None
    if not place.endswith(".py"):
        return load_config(run, place)
    module = Module(place, place, posixpath.dirname(place) or ".", roots=run.roots)
    execute_module(run, module)
    maker = module.vars.get("get_config")
    if maker is None:
        return None
    args = [Value(argument, path.src)] if argument else []
    return run.call(maker, args, {}, call.spot, call.scope)


def load_from_file(call: Call) -> Value | None:
    """Model `Config.fromfile` of mmengine and mmcv, and `LazyConfig.load`."""
    path = path_in_repository(call.run, call.arg(0, "filename"), call.scope)
    if path is None:
        note_missing(call.run, call.arg(0, "filename"))
        return unknown("a config file that is not in the repository", *call.args[:1])
    value = load_with_bases(call.run, path)
    return call.run.offer(value, call.name) if value is not None else None


def stands_for(function: Function) -> Hook | None:
    """Give the model of a repository's own copy of MMCV's Config, which imports a temporary copy of the file."""
    if function.name != "fromfile" or function.owner is None or function.owner.find("_file2dict") is None:
        return None
    name = f"{function.owner.name.removesuffix('Config')}Config.fromfile"
    return lambda call: load_from_file(replace(call, name=name))


@dataclass
class LoadedModule:
    """The module that the last loader or spec stands for."""

    value: Value | None = None


def follow_file_module(call: Call) -> Value | None:
    """Model `SourceFileLoader(name, path).load_module()` and `runpy.run_path`: the file is followed as a module."""
    value = call.arg(1, "path") if any(part in call.name for part in ("Loader", "spec", "load_source")) else call.arg(0)
    path = path_in_repository(call.run, value, call.scope)
    if path is None or not path.endswith(".py"):
        return None
    module = Module(path, path, posixpath.dirname(path) or ".", roots=call.run.roots)
    if call.name.endswith("run_path"):
        module.is_main = True
    execute_module(call.run, module)
    if call.name.endswith("run_path"):
        return Value(module.vars)
    made = Value(ExternalResult(call.name, call.args, {}, call.spot))
    loaded = Value(module, (call.spot,))
    made.data.attrs["loader"] = made
    call.run.about(LoadedModule).value = loaded
    return made


def load_source(call: Call) -> Value | None:
    """Model the old `imp.load_source(name, path)`, which gives the module itself."""
    return give_loaded_module(call) if follow_file_module(call) is not None else None


def give_loaded_module(call: Call) -> Value | None:
    """Give the module that a loader or a spec stands for."""
    return call.run.about(LoadedModule).value


LOADERS = words("configurations.loaders")
VALUES: dict[str, Callable[[Run], Value]] = {
    "wandb.config": lambda run: run.facts.get("tracked") or Value(External("wandb.config"))
}
HOOKS: dict[str, Hook] = {
    "wandb.init": start_tracker,
    "clearml.Task.init.connect": lambda call: call.arg(0, "mutable"),
    **dict.fromkeys(LOADERS, load_mapping),
    "ruamel.yaml.YAML.load": load_mapping,
    "ruamel.yaml.YAML.load_all": load_documents,
    **by_names("yaml.load_all yaml.safe_load_all yaml.full_load_all", load_documents),
    **by_names("mmengine.config.Config.fromfile mmengine.Config.fromfile mmcv.Config.fromfile", load_from_file),
    **by_names("runpy.run_path importlib.util.spec_from_file_location", follow_file_module),
    "importlib.machinery.SourceFileLoader": follow_file_module,
    "importlib.util.module_from_spec": give_loaded_module,
    "imp.load_source": load_source,
}
ENDINGS: dict[str, Hook] = {
    **by_names("Config.fromfile LazyConfig.load", load_from_file),
    **by_names("yaml_load read_yaml load_yaml_file", load_mapping),
    **by_names("Box.from_yaml Box.from_json Box.from_toml ConfigBox.from_yaml ConfigBox.from_json", load_box),
    "load_module": give_loaded_module,
    "exec_module": lambda call: Value(None),
}
