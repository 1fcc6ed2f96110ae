"""Sacred: experiments whose configuration is the local names of functions, `python run.py with lr=0.1 big_model`."""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.configs.merging import merge_into, put_path, wrap_guess
from schedmate.readers.code.libraries.argument_words import arguments_of, is_option, joined, word_text
from schedmate.readers.code.python.functions import parameters_of
from schedmate.readers.code.values.objects import Class, Function, LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, by_names, filed
from schedmate.readers.code.values.scopes import Module, PinnedNames, Scope
from schedmate.readers.code.values.value import Config, Items, Value, held, mapping_of, sequence_of, unknown

FILES = (".yaml", ".yml", ".json")

MOST_SOURCES = 60
"""How many functions and files of configurations are followed."""


@dataclass(eq=False)
class SacredExperiment(LibraryObject):
    """An experiment or an ingredient, as the program builds it."""

    path: str = ""
    ingredients: list["SacredExperiment"] = field(default_factory=list)
    sources: list[Value] = field(default_factory=list)
    named: dict[str, Value] = field(default_factory=dict)
    commands: dict[str, Value] = field(default_factory=dict)
    main: Value | None = None
    config: Value | None = None

    def get(self, name: str) -> Value | None:
        """Give an experiment's methods; hooks and loggers change nothing."""
        if name in METHODS:
            return Value(LibraryMethod(METHODS[name], name, Value(self)))
        return Value([]) if name == "observers" else None


def make_experiment(call: Call) -> Value | None:
    """Model `Experiment(name, ingredients=[...])` and `Ingredient(path, ...)`."""
    items = sequence_of(call.kwargs.get("ingredients") or call.arg(1))
    below = [item.data for item in items if isinstance(item.data, SacredExperiment)]
    path = call.constant(0, "path") if call.name.endswith("Ingredient") else ""
    return Value(SacredExperiment(str(path or ""), below), (call.spot,))


def decorator(keep: "Callable[[SacredExperiment, Value, Call], Value]") -> Hook:
    """Make a hook of a decorator that may be written with and without brackets."""

    def hook(call: Call) -> Value | None:
        experiment, first = call.own(SacredExperiment), call.arg(0)
        given = first if first is not None and isinstance(first.data, (Function, LibraryMethod)) else None
        return filed(call, given, lambda value: keep(experiment, value, call))

    return hook


def keep_config(experiment: SacredExperiment, value: Value, call: Call) -> Value:
    """Keep a function whose local names are the configuration."""
    experiment.sources.append(value)
    return value


def keep_named(experiment: SacredExperiment, value: Value, call: Call) -> Value:
    """Keep a function that the command may name."""
    if isinstance(value.data, Function):
        experiment.named[value.data.name] = value
    return value


def keep_captured(experiment: SacredExperiment, value: Value, call: Call) -> Value:
    """Give a function whose missing arguments are taken from the configuration."""
    function, prefix = value.data, call.constant(-1, "prefix", "")
    if not isinstance(function, Function):
        return value

    def enter(call: Call) -> Value:
        config = experiment.config
        for part in prefix.split(".") if isinstance(prefix, str) and prefix else ():
            config = mapping_of(config).get(part)
        names = list(parameters_of(function))
        given = {*names[: len(call.args)], *call.kwargs}
        kwargs = {
            **{name: item for name, item in offered(config) if name in names and name not in given},
            **call.kwargs,
        }
        return call.run.call(value, call.args, kwargs, call.spot, call.scope)

    return Value(LibraryMethod(enter, function.name), value.src)


def offered(config: Value | None) -> list[tuple[str, Value]]:
    """Give what a captured function may ask for: each option, the whole configuration, the run."""
    items: dict[str, Value] = held(config, dict) or {}
    special = {"_config": config or unknown("no configuration"), "_seed": items.get("seed", unknown("a seed"))}
    special.update({name: unknown("the run") for name in ("_run", "_log", "_rnd")})
    return [*items.items(), *special.items()]


def keep_command(experiment: SacredExperiment, value: Value, call: Call) -> Value:
    """Keep a function that the command may start, with its arguments captured."""
    captured = keep_captured(experiment, value, call)
    name = value.data.name if isinstance(value.data, Function) else ""
    experiment.commands[name] = captured
    if call.name in ("main", "automain"):
        experiment.main = captured
    if call.name == "automain" and call.scope.module.is_main:
        start(call.run, experiment, call)
    return captured


def add_config(call: Call) -> Value | None:
    """Model `add_config(mapping | file | a=1)`, and the same under a name."""
    experiment, values = call.own(SacredExperiment), list(call.args)
    name = values.pop(0).data if call.name == "add_named_config" and values else None
    source = values[0] if values else Value(dict(call.kwargs), (call.spot,))
    if isinstance(name, str):
        experiment.named[name] = source
    elif len(experiment.sources) < MOST_SOURCES:
        experiment.sources.append(source)
    return Value(None)


def run_from_words(call: Call) -> Value | None:
    """Model `run_commandline()` and `run(...)`."""
    start(call.run, call.own(SacredExperiment), call)
    return unknown("the run")


def start(run: Run, experiment: SacredExperiment, call: Call) -> None:
    """Compose the configuration from the command's words and call what they start."""
    command, updates, named = read_words(run, experiment)
    compose(run, experiment, updates, named, call)
    entry = experiment.commands.get(command) or experiment.main
    if entry is not None:
        run.call(entry, [], {}, call.spot, call.scope)


def read_words(run: Run, experiment: SacredExperiment) -> tuple[str, Value, list[Value]]:
    """Read `[command] with a.b=1 name file.yaml`: the command, what is set, what is named."""
    command, updates, named = "", Value(Config()), list[Value]()
    behind = False
    for word in arguments_of(run):
        text = word_text(word)
        key, equals, value = text.partition("=")
        if text == "with":
            behind = True
        elif behind and equals:
            put_path(updates, key, wrap_guess(value, joined(word, word)))
        elif behind:
            named.append(word)
        elif not is_option(text) and text in experiment.commands:
            command = text
    return command, updates, named


def compose(run: Run, experiment: SacredExperiment, updates: Value, named: list[Value], call: Call) -> None:
    """Put the configuration together: what the command sets stands over named parts, these over the rest."""
    fixed = Config()
    for word in named:
        source = experiment.named.get(word_text(word)) or named_below(experiment, word_text(word))
        if source is None and word_text(word).endswith(FILES):
            source = word
        if source is not None:
            merge_into(fixed, items_of(run, source, {}, call))
    merge_into(fixed, updates.data)
    result = Config(kind="sacred")
    for ingredient in experiment.ingredients:
        compose(run, ingredient, Value(Config(mapping_of(fixed.get(ingredient.path)))), [], call)
        if ingredient.config is not None:
            put_path(Value(result), ingredient.path, ingredient.config)
    for source in experiment.sources[:MOST_SOURCES]:
        merge_into(result, items_of(run, source, {**result, **fixed}, call))
    merge_into(result, fixed)
    experiment.config = run.offer(Value(result, (call.spot,)), "sacred")


def named_below(experiment: SacredExperiment, name: str) -> Value | None:
    """Find a named configuration of an ingredient, `path.name`."""
    path, _, rest = name.rpartition(".")
    return next((one.named.get(rest) for one in experiment.ingredients if one.path == path), None)


def items_of(run: Run, source: Value, known: Items, call: Call) -> Items:
    """Give what a part of the configuration sets, of a function its local names; names that are fixed already stay."""
    if isinstance(source.data, Function):
        return local_names(run, source.data, known)
    if isinstance(source.data, str):
        return dict(mapping_of(load_named(run, source, call.scope)))
    return dict(mapping_of(source))


def local_names(run: Run, function: Function, known: Items) -> Items:
    """Follow a function for the names that it sets."""
    if not hasattr(function.node, "name"):
        return {}
    names = PinnedNames({str(name): value for name, value in known.items()})
    run.execute(function.node.body, Scope(function.scope.module, names, function.scope))  # type: ignore[arg-type]
    return {
        name: value
        for name, value in names.items()
        if not name.startswith("_") and not isinstance(value.data, (Function, Class, Module))
    }


METHODS: dict[str, Hook] = {
    "config": decorator(keep_config),
    "named_config": decorator(keep_named),
    "capture": decorator(keep_captured),
    **by_names("command main automain", decorator(keep_command)),
    **by_names("add_config add_named_config", add_config),
    **by_names("run_commandline run", run_from_words),
}
HOOKS: dict[str, Hook] = {
    **by_names("sacred.Experiment sacred.Ingredient sacred.experiment.Experiment", make_experiment),
    "sacred.ingredient.Ingredient": make_experiment,
}
