"""LightningCLI: files and options of the command line make trainer, model and data; the command says what they do."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.configs.instantiation import find_object
from schedmate.readers.code.configs.merging import find_path, merge_into, put_path
from schedmate.readers.code.frameworks.lightning import lightning_fit
from schedmate.readers.code.libraries.argument_words import arguments_of, guess, is_option, joined, word_text
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.python.modules.modules import resolve
from schedmate.readers.code.values.objects import Class, Function
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Config, External, Value, held, mapping_of

COMMANDS = frozenset({"fit", "validate", "test", "predict"})
PARTS = ("trainer", "model", "data", "optimizer", "lr_scheduler")
DEEPEST = 6


def lightning_cli(call: Call) -> Value | None:
    """Model `LightningCLI(Model, DataModule)`, which trains by itself unless it is told `run=False`."""
    config, command = read_options(call)
    call.run.offer(config, "lightning cli")
    link_arguments(call, config)
    model = make_part(call, config, "model", call.arg(0, "model_class"))
    data = make_part(call, config, "data", call.arg(1, "datamodule_class"))
    trainer = make_part(call, config, "trainer", Value(External("lightning.Trainer")))
    attrs = {"config": config}
    attrs.update({key: value for key, value in (("model", model), ("datamodule", data), ("trainer", trainer)) if value})
    runs = call.constant(-1, "run", True) is not False
    if runs and command in ("fit", "") and model is not None:
        args = [model, *([data] if data is not None else [])]
        inner = Call(call.run, "lightning.Trainer.fit", args, {}, call.spot, call.scope, trainer)
        call.run.record("lightning.Trainer.fit", args, {}, call.spot, trainer, Value(None))
        lightning_fit(inner)
    return call.made(attrs)


def read_options(call: Call) -> tuple[Value, str]:
    """Merge defaults, files and options in the order of the command line; give the subcommand, too."""
    config = Value(Config(), (call.spot,))
    defaults = call.kwargs.get("trainer_defaults")
    if defaults is not None and isinstance(defaults.data, dict):
        config.data["trainer"] = Value(Config(dict(defaults.data)), defaults.src)
    for path in default_files(call):
        merge_file(call, config, path, "")
    words = arguments_of(call.run)
    command, place = "", 0
    while place < len(words):
        text = word_text(words[place])
        key, equals, inline = text.lstrip("-").partition("=")
        value = Value(inline, words[place].src) if equals else words[place + 1] if place + 1 < len(words) else Value("")
        if not is_option(text):
            command = command or text
            place += 1
            continue
        group, _, below = key.partition(".")
        if key in ("config", "c"):
            merge_file(call, config, value, command)
        elif below == "config" and group in PARTS:
            part = Value(Config())
            merge_file(call, part, value, "")
            merge_into(config.data, {group: part})
        else:
            src = joined(words[place], words[place] if equals else value)
            put_option(config, key, Value(guess(word_text(value)), src))
        place += 1 if equals else 2
    return config, command if command in COMMANDS else ""


def default_files(call: Call) -> list[Value]:
    """Give the files that the program reads before those of the command line."""
    kwargs = call.kwargs.get("parser_kwargs")
    for place in ("default_config_files", "fit.default_config_files"):
        found = find_path(kwargs, place) if kwargs is not None else None
        if found is not None and isinstance(found.data, (list, tuple)):
            return list(found.data)
    return []


def merge_file(call: Call, config: Value, path: Value, command: str) -> None:
    """Merge a file; one that holds settings of several subcommands is read below the one that runs."""
    loaded = load_named(call.run, path, call.scope)
    if loaded is None or not isinstance(loaded.data, dict):
        return
    below = held(loaded.data.get(command), dict)
    merge_into(config.data, below if below is not None else loaded.data)


def put_option(config: Value, key: str, value: Value) -> None:
    """Put an option in: `--model Name` picks a class, `--model.x` is an argument of the class that is picked."""
    group, _, below = key.partition(".")
    node = config.data.get(group)
    if group in PARTS and not below and isinstance(value.data, str):
        merge_into(config.data, {group: Value(Config({"class_path": value}), value.src)})
        return
    picked = node is not None and isinstance(node.data, dict) and "class_path" in node.data
    if picked and below and below.partition(".")[0] not in ("class_path", "init_args", "dict_kwargs"):
        key = f"{group}.init_args.{below}"
    put_path(config, key, value)


def link_arguments(call: Call, config: Value) -> None:
    """Copy what a subclass links: `parser.link_arguments("data.batch_size", "model.batch_size")`."""
    for event in call.run.events:
        if event.short == "link_arguments" and "compute_fn" not in event.kwargs:
            source, target = event.arg(0, "source"), event.arg(1, "target")
            if source is None or target is None or not isinstance(source.data, str) or not isinstance(target.data, str):
                continue
            found = find_path(config, source.data)
            if found is not None:
                put_path(config, target.data, found)


def make_part(call: Call, config: Value, name: str, given: Value | None) -> Value | None:
    """Make trainer, model or data of its class and its options."""
    options = mapping_of(config.data.get(name))
    target = given
    if "class_path" in options:
        target = find_class(call, options["class_path"])
        options = mapping_of(options.get("init_args"))
    if target is None or not isinstance(target.data, (Class, External, Function)):
        return None
    if isinstance(target.data, Class) and (start := target.data.find("__init__")) is not None:
        known = parameters_of(start.data) if isinstance(start.data, Function) else Config()
        options = {key: value for key, value in options.items() if key in known or start.data.node.args.kwarg}
    made = {str(key): make_nested(call, value) for key, value in options.items()}
    return call.run.call(target, [], made, call.spot, call.scope)


def make_nested(call: Call, value: Value, depth: int = 0) -> Value:
    """Make what an argument describes by `class_path` and `init_args`, alone or in a list."""
    data = value.data
    if isinstance(data, list) and depth < DEEPEST:
        return Value([make_nested(call, item, depth + 1) for item in data], value.src)
    if not isinstance(data, dict) or "class_path" not in data or depth >= DEEPEST:
        return value
    options = mapping_of(data.get("init_args"))
    kwargs = {str(key): make_nested(call, item, depth + 1) for key, item in options.items()}
    path = data["class_path"]
    spot = path.src[0] if path.src else call.spot
    return call.run.call(find_class(call, path), [], kwargs, spot, call.scope)


def find_class(call: Call, path: Value) -> Value:
    """Find a class by its path; by its bare name among what the program imported."""
    if isinstance(path.data, str) and "." not in path.data:
        found = call.scope.find(path.data) or call.scope.module.vars.get(path.data)
        if found is not None:
            return resolve(call.run, found)
    return find_object(call.run, path, call.scope)


ENDINGS: dict[str, Hook] = {"LightningCLI": lightning_cli}
