"""Configuration objects of OmegaConf, yacs, ml_collections and fvcore, and what their methods do."""

from dataclasses import replace

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.configs import configobj_files, hocon
from schedmate.readers.code.configs.files import load_named, load_with_bases, note_missing
from schedmate.readers.code.configs.hydra_composition import record_mapping
from schedmate.readers.code.configs.ini_parser import SECTION_METHODS
from schedmate.readers.code.configs.merging import (
    forget_leaves,
    merge_into,
    override_by_words,
    put_path,
    wrap_guess,
)
from schedmate.readers.code.configs.omegaconf_interpolation import resolve_all
from schedmate.readers.code.libraries.argument_words import guess, joined, word_text, words_given
from schedmate.readers.code.python.modules.named_files import path_in_repository
from schedmate.readers.code.values.nested import copied, deepen, is_default, wrap
from schedmate.readers.code.values.objects import Class, Instance
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import (
    Attributes,
    Config,
    External,
    SourceLocation,
    Value,
    find_in,
    is_constant,
    sequence_of,
    unknown,
)

LITERAL_STARTS = tuple("([{+-.0123456789")


def merge_file(call: Call) -> Value | None:
    """Model yacs' `merge_from_file`, with the base files that it names."""
    if call.owner is None:
        return None
    named = call.arg(0, "cfg_filename")
    path = path_in_repository(call.run, named, call.scope)
    if path is None:
        if named is not None and isinstance(named.data, str) and named.data and isinstance(call.owner.data, dict):
            note_missing(call.run, named)
            # a library's defaults no project trains by; its own it may
            forget_leaves(call.owner.data, f"{named.data[:80]} is not in the repository", is_default)
        return Value(None)
    loaded = load_with_bases(call.run, path)
    if loaded is not None and isinstance(loaded.data, dict):
        merge_into(call.owner.data, decoded(loaded).data)
        if all(value is not call.owner for value in call.run.namespaces):
            call.run.offer(call.owner, "yacs")
    return Value(None)


def decoded(value: Value) -> Value:
    """Read what yacs reads as Python in a YAML file's strings: `("coco_2017_train",)` is a tuple, `1e-4` a number."""
    if isinstance(value.data, dict):
        for key, item in value.data.items():
            value.data[key] = decoded(item)
    elif isinstance(value.data, str) and value.data[:1] in LITERAL_STARTS and len(value.data) < 2000:
        return wrap_guess(value.data, value.src)
    return value


def merge_list(call: Call) -> Value | None:
    """Model `merge_from_list(["KEY.SUB", "value", ...])` and `["key=value", ...]`."""
    words = call.arg(0, "cfg_list")
    if call.owner is None or words is None or not isinstance(words.data, (list, tuple)):
        return Value(None)
    items = list(words.data)
    if items and all("=" in word_text(word) for word in items):
        override_by_words(call.owner, items, "+")
        return Value(None)
    for key, value in zip(items[::2], items[1::2], strict=False):
        text = value.data
        made = wrap_guess(text, joined(key, value)) if isinstance(text, str) else value
        put_path(call.owner, word_text(key), made)
    return Value(None)


def merge_mapping(call: Call) -> Value | None:
    """Model `merge_from_dict({"a.b": 1})`, `merge_from_other_cfg` and `update`."""
    owner = call.owner
    given = [arg.data for arg in call.args if isinstance(arg.data, dict)]
    if owner is None:
        return Value(None)
    for key, value in (pair for other in given for pair in other.items()):
        if isinstance(key, str) and "." in key:
            put_path(owner, key, wrap(value))
        else:
            merge_into(owner.data, {key: wrap(value)})
    return Value(None)


def merge_settings(call: Call) -> Value | None:
    """Model OmegaConf's `base.merge_with(file, command_line)`: what is merged so holds the program's options."""
    if call.owner is not None and all(value is not call.owner for value in call.run.namespaces):
        call.run.offer(call.owner)
    return merge_mapping(call)


def parse_pairs(call: Call) -> Value | None:
    """Model HParams' `parse("a=1,b=2")`."""
    text = call.constant(0)
    if call.owner is None or not isinstance(text, str):
        return Value(None)
    for pair in text.split(","):
        key, equals, value = pair.partition("=")
        if equals:
            spots = tuple(s._replace(quote=pair) if s.quote and pair in s.quote else s for s in call.args[0].src)
            call.run.journal.put(call.owner.data, key.strip(), Value(guess(value), spots))
    return call.owner


def parse_json(call: Call) -> Value | None:
    """Model HParams' `parse_json(text)`."""
    loaded = load_named(call.run, call.arg(0), call.scope)
    return merge_mapping(replace(call, args=[loaded])) if loaded is not None else Value(None)


CONFIG_METHODS: dict[str, Hook] = {
    **by_names("merge_from_file load_yaml", merge_file),
    "merge_from_list": merge_list,
    **by_names("merge_from_dict merge_from_other_cfg update_from_flattened_dict", merge_mapping),
    "merge_with": merge_settings,
    "override_from_dict": merge_mapping,
    "parse": parse_pairs,
    "parse_json": parse_json,
    **by_names("get_ref get_oneway_ref", lambda call: find_in(call.owner, call.constant(0))),
    **by_names("copy_and_resolve_references deepcopy clone", lambda call: copied(call.owner) if call.owner else None),
    "to_dict": lambda call: copied(call.owner) if call.owner else None,
    **SECTION_METHODS,
    **configobj_files.SECTION_METHODS,
    **by_names("lock unlock unlocked ignore_type", lambda call: call.owner),
    **by_names("set_new_allowed register_deprecated_key register_renamed_key", lambda call: Value(None)),
}


def config_method(owner: Value, name: str) -> Value | None:
    """Give a configuration's own method."""
    own = hocon.METHODS if getattr(owner.data, "kind", "") == hocon.KIND else {}
    hook = own.get(name) or CONFIG_METHODS.get(name)
    return Value(LibraryMethod(hook, name, owner), owner.src) if hook is not None else None


def stands_for(made: Class) -> Hook | None:
    """Give the model of TensorFlow's HParams, of which many have a copy."""
    return create if "add_hparam" in made.attrs and "parse_json" in made.attrs else None


def create(call: Call) -> Value | None:
    """Model `OmegaConf.create`, `structured`, `ConfigDict(...)`, `CfgNode(...)`."""
    value = call.arg(0) or call.arg(-1, "initial_dictionary")
    if value is None:
        return Value(Config(call.kwargs), (call.spot,))
    if isinstance(value.data, (Class, Instance)):
        made = record_mapping(call.run, value)
    elif isinstance(value.data, dict):
        made = deepen(Value(dict(value.data), (call.spot,)))
    elif isinstance(value.data, list):
        made = deepen(value)
    else:
        return None
    if call.name.endswith(("create", "structured")):
        resolve_all(call.run, made)
    return made


def merge_configs(call: Call) -> Value | None:
    """Model `OmegaConf.merge(a, b, ...)` and `unsafe_merge`."""
    result = Value(Config(), (call.spot,))
    for value in call.args:
        made: Value | None = copied(value) if isinstance(value.data, Config) else None
        if made is None and isinstance(value.data, (dict, Class, Instance)):
            made = create(Call(call.run, "OmegaConf.create", [value], {}, call.spot, call.scope))
        if made is not None and isinstance(made.data, Config):
            merge_into(result.data, made.data)
            result.data.cls = result.data.cls or made.data.cls
    resolve_all(call.run, result)
    return call.run.offer(result)


def from_command_line(call: Call) -> Value | None:
    """Model `OmegaConf.from_cli` and `from_dotlist`."""
    given = call.arg(0)
    words = words_given(call.run, given)
    result = Value(Config(), (call.spot,))
    override_by_words(result, words, "-")
    return result


def select(call: Call) -> Value | None:
    """Model `OmegaConf.select(cfg, "a.b", default=...)`."""
    found = find_in(call.arg(0), call.constant(1, "key"))
    return found or call.kwargs.get("default") or Value(None)


def update_path(call: Call) -> Value | None:
    """Model `OmegaConf.update(cfg, "a.b", value)`."""
    target, key, value = call.arg(0), call.constant(1, "key"), call.arg(2, "value")
    if target is not None and isinstance(key, str) and value is not None:
        put_path(target, key, value)
    return Value(None)


def to_container(call: Call) -> Value | None:
    """Model `OmegaConf.to_container` and `to_object`."""
    return copied(call.args[0]) if call.args else None


def type_of_node(call: Call) -> Value | None:
    """Model `OmegaConf.get_type(cfg)`: the record that a node was made from."""
    value = call.need(0, kind=Config)
    return Value(value.data.cls, value.src) if value.data.cls is not None else Value(External("dict"))


def detectron_defaults(call: Call) -> Value | None:
    """Model detectron2's `get_cfg()` with the defaults that matter."""
    return call.run.offer(library_values(library_config("detectron2.config.get_cfg"), call, "detectron2"), "detectron2")


def library_values(data: object, call: Call, library: str) -> Value:
    """Turn known defaults into values that say whose they are."""
    if isinstance(data, dict):
        return Value(Config({key: library_values(item, call, library) for key, item in data.items()}), (call.spot,))
    spot = SourceLocation(call.spot.path, call.spot.line, "", f"default of {library}", is_default=True)
    return wrap(data, (spot,))


def lazy_call(call: Call) -> Value | None:
    """Model `LazyCall(cls)(...)`: a node that says what would be made of what."""
    target = call.arg(0)

    def describe(inner: Call) -> Value:
        told: Attributes = {"_target_": target or unknown(), **inner.kwargs}
        return Value(Config(told), (inner.spot,))

    return Value(LibraryMethod(describe, "LazyCall"))


def apply_overrides(call: Call) -> Value | None:
    """Model `LazyConfig.apply_overrides(cfg, ["a.b=1"])`."""
    target = call.arg(0, "cfg")
    if target is not None:
        override_by_words(target, sequence_of(call.arg(1, "overrides")), "+~")
    return target


def keep_value(call: Call) -> Value | None:
    """Model what holds a value and answers as it, as `FieldReference`."""
    value = call.arg(0)
    return value if value is not None and (is_constant(value) or isinstance(value.data, (list, tuple))) else None


HOOKS: dict[str, Hook] = {
    **by_names("omegaconf.OmegaConf.merge omegaconf.OmegaConf.unsafe_merge", merge_configs),
    **by_names(
        "mlxu.config_dict ml_collections.config_dict.create ml_collections.config_dict.config_dict.create", create
    ),
    **by_names("omegaconf.OmegaConf.from_cli omegaconf.OmegaConf.from_dotlist", from_command_line),
    "omegaconf.OmegaConf.select": select,
    "omegaconf.OmegaConf.update": update_path,
    **by_names("omegaconf.OmegaConf.to_container omegaconf.OmegaConf.to_object", to_container),
    "omegaconf.OmegaConf.get_type": type_of_node,
    **by_names("omegaconf.OmegaConf.resolve omegaconf.OmegaConf.set_struct", lambda call: Value(None)),
    "omegaconf.OmegaConf.is_dict": lambda call: Value(bool(call.args and isinstance(call.args[0].data, Config))),
    "omegaconf.OmegaConf.is_config": lambda call: Value(bool(call.args and isinstance(call.args[0].data, Config))),
    "omegaconf.OmegaConf.is_list": lambda call: Value(bool(call.args and isinstance(call.args[0].data, list))),
    "detectron2.config.get_cfg": detectron_defaults,
    "detectron2.config.LazyCall": lazy_call,
    **dict.fromkeys(
        ("ml_collections.config_dict.placeholder", "ml_collections.config_dict.config_dict.placeholder"),
        lambda call: Value(None, (call.spot,)),
    ),
    "ml_collections.config_dict.required_placeholder": lambda call: unknown("a required option"),
}
ENDINGS: dict[str, Hook] = {
    **by_names("OmegaConf.create OmegaConf.structured ConfigDict FrozenConfigDict CfgNode DictConfig", create),
    **by_names("ListConfig training.HParams hparam.HParams", create),
    "FieldReference": keep_value,
    "LazyConfig.apply_overrides": apply_overrides,
}
