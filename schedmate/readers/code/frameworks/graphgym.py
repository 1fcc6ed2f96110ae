"""GraphGym of PyTorch Geometric: one configuration, registries that a repository fills, and what is made of both."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.commandline.argparse import CommandLineParser, parse_args
from schedmate.readers.code.commandline.parsing import Option
from schedmate.readers.code.configs.config_objects import library_values, merge_file, merge_list
from schedmate.readers.code.configs.merging import merge_into
from schedmate.readers.code.python.items import get_item
from schedmate.readers.code.python.modules.registries import remember_table
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.objects import Class, ExternalResult, Function
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, Run, filed
from schedmate.readers.code.values.value import Attributes, Config, SourceLocation, Value, find_in, held, unknown

HOME = "torch_geometric.graphgym"
KINDS = ("network", "optimizer", "scheduler", "train", "loader", "loss", "config", "layer", "head", "act", "pooling")

TORCHS = {"adam": "torch.optim.Adam", "sgd": "torch.optim.SGD"}
"""Optimizers that GraphGym knows without anybody's registering."""


@dataclass
class GraphGymFacts:
    """What a reading knows of GraphGym: what is registered, and the one configuration."""

    registries: dict[str, Value] = field(default_factory=dict)
    config: Value | None = None


def registry(kind: str, run: Run) -> Value:
    """Give the mapping that names of one kind are registered in."""
    tables = run.about(GraphGymFacts).registries
    if kind not in tables:
        tables[kind] = Value({})
        remember_table(run, tables[kind])
    return tables[kind]


def register(kind: str, call: Call) -> Value | None:
    """Model `register_train(name, function)` and `@register_train(name)`."""
    name, table = call.text(0, "key"), registry(kind, call.run).data

    def put(value: Value) -> Value:
        table[name] = value
        return value

    return filed(call, call.arg(1, "module"), put)


def configuration(run: Run) -> Value:
    """Give the one configuration, at first with the library's defaults that matter."""
    facts = run.about(GraphGymFacts)
    if facts.config is None:
        call = Call(run, f"{HOME}.config.set_cfg", [], {}, SourceLocation("", 1), None)  # type: ignore[arg-type]
        facts.config = library_values(library_config(f"{HOME}.config"), call, "GraphGym")
    return facts.config


def set_defaults(call: Call) -> Value:
    """Model `set_cfg(cfg)`."""
    target = call.arg(0, "cfg")
    if target is not None and isinstance(target.data, Config):
        merge_into(target.data, library_values(library_config(f"{HOME}.config"), call, "GraphGym").data)
    return Value(None)


def read_words(call: Call) -> Value | None:
    """Model GraphGym's `parse_args()`: `--cfg FILE`, `--repeat`, `--mark_done` and pairs that override the file."""
    parser = CommandLineParser()
    parser.options += [
        Option(["--cfg"], "cfg_file", Value(None, (call.spot,)), spot=call.spot),
        Option(["--repeat"], "repeat", Value(1, (call.spot,)), Value(LibraryMethod(lambda inner: None, "int"))),
        Option(["--mark_done"], "mark_done", Value(False, (call.spot,)), action="store_true", spot=call.spot),
        Option(["opts"], "opts", Value([]), nargs="...", spot=call.spot, positional=True),
    ]
    owner = Value(parser, (call.spot,))
    return parse_args(Call(call.run, "parse_args", [], {}, call.spot, call.scope, owner))


def load(call: Call) -> Value:
    """Model `load_cfg(cfg, args)`: the file's values, then those of the words."""
    target, words = call.arg(0, "cfg"), call.arg(1, "args")
    if target is None or words is None or not isinstance(words.data, dict) or not isinstance(target.data, Config):
        return Value(None)
    for hook, key in ((merge_file, "cfg_file"), (merge_list, "opts")):
        given = words.data.get(key)
        if given is not None and given.data is not None:
            hook(Call(call.run, call.name, [given], {}, call.spot, call.scope, target))
    return Value(None)


def registered(call: Call, kind: str, name: Value | None) -> Value | None:
    """Give what is registered under a name, following the modules that register it."""
    if name is None or not isinstance(name.data, str):
        return None
    found = get_item(call.run, registry(kind, call.run), name, None)
    return found if isinstance(found.data, (Class, Function)) else None


def create_model(call: Call) -> Value | None:
    """Model `create_model()`: the network that the configuration names, on the one device that was selected."""
    network = registered(call, "network", find_in(configuration(call.run), "model.type"))
    if network is None:
        return None
    made: Value = call.run.call(network, [unknown("features"), unknown("classes")], {}, call.spot, call.scope)
    call.run.record("torch.nn.Module.cuda", [], {}, call.spot, made, made)
    return made


def create_optimizer(call: Call) -> Value | None:
    """Model `create_optimizer(params, config)`: a registered function is given what it asks for by name."""
    parameters, cfg = call.arg(0, "params"), configuration(call.run)
    told = find_in(cfg, "optim")
    if parameters is None or told is None:
        return None
    config = call.arg(1, "optimizer_config")
    made = held(config, ExternalResult)
    values: Attributes = {**told.data, **(made.kwargs if made is not None else {})}
    name, rate = values.get("optimizer"), values.get("base_lr")
    own = registered(call, "optimizer", name)
    if own is not None and isinstance(own.data, Function):
        asked = [one.arg for one in own.data.node.args.args]
        given = {key: value for key, value in values.items() if key in asked}
        return call.run.call(own, [parameters], given, call.spot, call.scope)
    known = TORCHS.get(str(name.data).lower()) if name is not None else None
    if known is None:
        return None
    result = ExternalResult(known, [parameters], {"lr": rate} if rate is not None else {}, call.spot)
    call.run.record(known, result.args, result.kwargs, call.spot, None, Value(result, (call.spot,)))
    return Value(result, (call.spot,))


def create_loader(call: Call) -> Value | None:
    """Model `create_loader()`: `dataset.format` says which class of data is made, `dataset.name` which of its sets."""
    cfg = configuration(call.run)
    kind, name = find_in(cfg, "dataset.format"), find_in(cfg, "dataset.name")
    text = held(kind, str) or ""
    cls = text.removeprefix("PyG-") if text.startswith("PyG-") else "PygGraphPropPredDataset" if text == "OGB" else ""
    if kind is not None and name is not None and cls.isidentifier():
        spot = kind.src[0] if kind.src else call.spot
        call.run.record(f"torch_geometric.datasets.{cls}", [], {"name": name}, spot, None, Value(None))
    return None


def train_plainly(call: Call) -> Value:
    """Model GraphGym's own `train(model, datamodule)`."""
    call.run.about(TrainingSigns).surely = call.spot
    return Value(None)


HOOKS: dict[str, Hook] = {
    **{f"{HOME}.register.register_{kind}": partial(register, kind) for kind in KINDS},
    f"{HOME}.cmd_args.parse_args": read_words,
    f"{HOME}.config.set_cfg": set_defaults,
    f"{HOME}.config.load_cfg": load,
    f"{HOME}.model_builder.create_model": create_model,
    f"{HOME}.optim.create_optimizer": create_optimizer,
    f"{HOME}.optimizer.create_optimizer": create_optimizer,
    f"{HOME}.loader.create_loader": create_loader,
    f"{HOME}.train.train": train_plainly,
}
VALUES: dict[str, Callable[[Run], Value]] = {
    f"{HOME}.config.cfg": configuration,
    **{f"{HOME}.register.{kind}_dict": partial(registry, kind) for kind in KINDS},
}
