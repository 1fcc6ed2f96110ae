"""Lightning: which of the repository's methods its trainer calls, and when."""

from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.commandline.argparse import CommandLineParser
from schedmate.readers.code.commandline.parsing import GUESSED, Option
from schedmate.readers.code.evidence.device_counts import count_devices, visible_gpus
from schedmate.readers.code.evidence.precision_words import keep_precision, leaves_default
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.settled_counts import node_count, process_count, started_in_ranks
from schedmate.readers.code.libraries import signatures
from schedmate.readers.code.libraries.standard_library import keep_all
from schedmate.readers.code.python.branches import explore, merge
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.nested import record_defaults
from schedmate.readers.code.values.objects import CALLABLES, BoundMethod, ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import (
    Config,
    External,
    Unknown,
    Value,
    join_spots,
    mapping_of,
    sequence_of,
    unknown,
)

MODULE_METHODS = (
    "configure_model",
    "prepare_data",
    "setup",
    "configure_optimizers",
    "training_step",
    "train_dataloader",
)
DATA_METHODS = ("prepare_data", "setup", "train_dataloader")
OLD_STRATEGIES = ("dp", "ddp", "ddp2", "ddp_spawn", "horovod")
TRAINER_OPTIONS: list[str] = library_config("lightning.Trainer.add_argparse_args")["names"]
MANY_EPOCHS = 1000
STRATEGIES = (
    ("fsdp", "FSDP"),
    ("deepspeed", "DeepSpeed"),
    ("ddp", "DDP"),
    ("horovod", "Horovod"),
    ("modelparallel", "tensor parallel"),
)


def call_methods(run: Run, value: Value, names: tuple[str, ...], call: Call) -> None:
    """Call those methods that the object's own class defines, as the library would; any of several may be it."""
    if isinstance(value.data, Unknown):
        ways = [part for part in value.data.parts if isinstance(part.data, Instance)][:3]
        outcomes = explore(run, [lambda way=way: call_methods(run, way, names, call) for way in ways])  # type: ignore[misc]
        merge(run, [written for _, written in outcomes])
    if not isinstance(value.data, Instance):
        return
    for name in names:
        method = value.data.cls.find(name)
        if method is None or not isinstance(method.data, Function):
            continue
        args = {"training_step": [unknown("a batch"), Value(0)], "setup": [Value("fit")]}.get(name, [])
        needed = len(method.data.node.args.args) - 1
        run.call(Value(BoundMethod(value, method.data)), args[: max(0, needed)], {}, call.spot, call.scope)


def train_together(call: Call) -> Value | None:
    """Note that a `fit` trains with the other processes, as Lightning's and SpeechBrain's do."""
    call.run.about(TrainingSigns).surely = call.spot
    call.run.about(ProcessSigns).joins = call.spot
    return Value(None)


def lightning_fit(call: Call) -> Value | None:
    """Model `trainer.fit(model, datamodule)`."""
    model = call.arg(0, "model")
    data = call.kwargs.get("datamodule") or call.kwargs.get("train_dataloaders") or call.arg(1)
    train_together(call)
    trainer = call.owner or unknown("the trainer")
    if isinstance(trainer.data, ExternalResult):
        furnish_trainer(trainer.data, model, data)
    for part in (model, data):
        if part is not None and isinstance(part.data, Instance):
            part.data.attrs["trainer"] = trainer
    if model is not None:
        call_methods(call.run, model, MODULE_METHODS, call)
    if data is not None:
        call_methods(call.run, data, DATA_METHODS, call)
    return Value(None)


def furnish_trainer(trainer: ExternalResult, model: Value | None, data: Value | None) -> None:
    """Give the trainer what modules ask it for: the model, the data, the number of processes where it is told."""
    if model is not None:
        trainer.attrs.update({"model": model, "lightning_module": model})
    if data is not None:
        trainer.attrs["datamodule"] = data
    devices, nodes = trainer.kwargs.get("devices"), trainer.kwargs.get("num_nodes")
    count = devices.data if devices is not None and isinstance(devices.data, int) and devices.data > 0 else None
    times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1 if nodes is None else None
    known = count is not None and times is not None
    trainer.attrs["world_size"] = Value(count * times, devices.src) if known else unknown("the number of processes")  # type: ignore[operator, union-attr]
    for name in ("max_epochs", "max_steps", "accumulate_grad_batches", "num_nodes"):
        if name in trainer.kwargs:
            trainer.attrs[name] = trainer.kwargs[name]


def save_hyperparameters(call: Call) -> Value | None:
    """Model `self.save_hyperparameters()`: the arguments of `__init__` become `self.hparams`."""
    owner = call.own(Instance)
    given: dict[str, Value] = {}
    for argument in call.args:
        if isinstance(argument.data, dict):
            given.update({str(key): value for key, value in argument.data.items()})
    if not given:
        names = {str(item.data) for item in sequence_of(call.kwargs.get("ignore"))}
        given = {
            key: value
            for key, value in call.scope.vars.items()
            if key not in ("self", "__class__") and key not in names and value is not call.owner
        }
        given.update({str(key): value for key, value in mapping_of(given.pop("kwargs", None)).items()})
    known = owner.attrs.get("hparams")
    if known is not None and isinstance(known.data, Config):
        known.data.update(given)
    else:
        owner.attrs["hparams"] = Value(Config(given), (call.spot,))
    return Value(None)


def add_trainer_options(call: Call) -> Value | None:
    """Model Lightning 1's `Trainer.add_argparse_args(parser)`: each argument of the trainer becomes an option."""
    parser = call.need(0, "parent_parser", CommandLineParser)
    known = record_defaults("lightning.Trainer", call.spot)
    for name in TRAINER_OPTIONS:
        if all(option.dest != name for option in parser.data.options):
            default = known.get(name, Value(None, (call.spot,)))
            parser.data.options.append(Option([f"--{name}"], name, default, GUESSED, nargs="?", spot=call.spot))
    return parser


def trainer_from_options(call: Call) -> Value | None:
    """Model Lightning 1's `Trainer.from_argparse_args(args, ...)`."""
    options = mapping_of(call.arg(0, "args"))
    told = {name: options[name] for name in TRAINER_OPTIONS if name in options and options[name].data is not None}
    name, kwargs = call.name.removesuffix(".from_argparse_args"), {**told, **call.kwargs}
    trainer = Value(ExternalResult(name, [], kwargs, call.spot), (call.spot,))
    call.run.record(name, [], kwargs, call.spot, None, trainer)
    return trainer


def signature(call: Call) -> Value | None:
    """Model `inspect.signature(Trainer.__init__)`, by which programs pick the trainer's options out of their own."""
    asked = call.arg(0)
    name = asked.data.name.removesuffix(".__init__") if asked is not None and isinstance(asked.data, External) else ""
    if not name.startswith(("lightning.", "pytorch_lightning.")) or not name.endswith("Trainer"):
        return signatures.signature(call)
    return Value(Config({"parameters": Value({option: parameter(option) for option in TRAINER_OPTIONS})}), (call.spot,))


def parameter(name: str) -> Value:
    """Describe one of the trainer's options as Python does."""
    return Value(Config({"name": Value(name)}))


def trainers(view: View) -> list[Event]:
    """Give the Lightning trainers that are made."""
    return view.of(("lightning.", "pytorch_lightning."), "Trainer", "Fabric", "LightningLite")


def tell_processes(view: View) -> None:
    """Take Lightning's devices and nodes; `auto` and -1 mean whatever is visible."""
    for event in view.once(trainers):
        if event.short == "Fabric" and started_in_ranks(view.launch):
            continue
        nodes = event.kwargs.get("num_nodes") or Value(1, (event.spot,))
        devices = event.kwargs.get("devices") or event.kwargs.get("gpus")
        accelerator = event.kwargs.get("accelerator")
        if isinstance(nodes.data, int):
            view.number("num_nodes", Value(nodes.data, nodes.src or (event.spot,)))
        if accelerator is not None and accelerator.data == "cpu":
            view.keep("num_gpus", 0, accelerator.src)
            continue
        count = count_devices(devices)
        if count is not None and devices is not None and isinstance(nodes.data, int):
            view.keep("num_gpus", count * nodes.data, join_spots(devices, nodes))
            continue
        told = devices is not None and devices.data in ("auto", -1, "-1")
        on_gpus = accelerator is not None and accelerator.data in ("gpu", "cuda")
        may_be_gpus = on_gpus or accelerator is None or accelerator.data in ("auto", *OLD_STRATEGIES)
        is_left = devices is None and "**" not in event.kwargs
        left = is_left and may_be_gpus and (on_gpus or event.name.startswith("lightning."))
        visible, takes_all = visible_gpus(view), (told and may_be_gpus) or left
        view.run.about(ProcessSigns).takes_all |= takes_all
        if visible is not None and takes_all and isinstance(nodes.data, int):
            view.keep("num_gpus", visible.data * nodes.data, join_spots(visible, nodes), "all that are visible")
        is_open = devices is not None and isinstance(devices.data, (Unknown, External, ExternalResult))
        started = started_processes(view) if is_open else None
        if started is not None and (may_be_gpus or any("gpu" in name for name in view.launch.asked)):
            view.keep("num_gpus", started.data, started.src, "one process a GPU, as the trainer asks of Slurm")
        view.rule_out("num_gpus")


def started_processes(view: View) -> Value | None:
    """Give how many processes a launcher starts, where it is several: the trainer's devices have to be as many."""
    total = process_count(view.launch, node_count(view.launch)) if started_in_ranks(view.launch) else None
    return total if total is not None and type(total.data) is int and total.data > 1 else None


def tell_duration(view: View) -> None:
    """Take steps and epochs; where both are limited, what comes first ends the job: so many epochs may never come."""
    for event in view.once(trainers):
        steps, epochs = event.kwargs.get("max_steps"), event.kwargs.get("max_epochs")
        few = epochs is not None and type(epochs.data) is int and 0 < epochs.data < MANY_EPOCHS
        if steps is not None and isinstance(steps.data, int) and steps.data > 0 and not few:
            view.number("total_steps", steps)
        if epochs is not None and isinstance(epochs.data, int):
            if view.knows("total_steps") and epochs.data >= MANY_EPOCHS:
                view.rule_out("epochs")
            view.number("epochs", epochs)


def tell_accumulation(view: View) -> None:
    """Take over how many batches the trainer gathers gradients."""
    for event in view.once(trainers):
        view.accumulates(event.kwargs.get("accumulate_grad_batches"))


def tell_precision(view: View) -> None:
    """Take the trainer's precision; where it is told one that is not known, no default says more."""
    for event in view.once(trainers):
        told = event.kwargs.get("precision")
        keep_precision(view, told)
        if told is not None and isinstance(told.data, Unknown):
            view.unsettled.add("precision")


def default_precision(view: View) -> None:
    """Take the trainer's default, where it is told nothing and nothing on the path says otherwise."""
    for event in view.once(trainers)[:1]:
        if leaves_default(view) and "precision" not in event.kwargs and "**" not in event.kwargs:
            view.keep("precision", "fp32", (event.spot,), "default of lightning.Trainer: precision = 32-true")


def launched_precision(view: View) -> None:
    """Take the precision that Fabric's launcher is told."""
    keep_precision(view, view.launch.options.get("fabric.precision"))


def tell_strategy(view: View) -> None:
    """Take the trainer's strategy, by name or class; several devices are DDP where it names none."""
    for event in view.once(trainers):
        strategy = event.kwargs.get("strategy") or old_strategy(event)
        name = str(strategy.data) if strategy is not None and isinstance(strategy.data, str) else class_name(strategy)
        for word, label in STRATEGIES:
            if word in name.lower():
                view.spreads(label, strategy.src if strategy is not None and strategy.src else (event.spot,))
        if name == "dp" and view.get("num_gpus") != 1:
            view.spreads("DataParallel", strategy.src if strategy is not None and strategy.src else (event.spot,))
        devices = view.get("num_gpus")
        if not view.strategies and devices and devices > 1:
            view.spreads("DDP", view.values["num_gpus"].spots)


def old_strategy(event: Event) -> Value | None:
    """Give the strategy as trainers before Lightning 1.5 were told it: `accelerator="ddp"`."""
    told = (event.kwargs.get(name) for name in ("accelerator", "distributed_backend"))
    return next((value for value in told if value is not None and value.data in OLD_STRATEGIES), None)


def class_name(value: Value | None) -> str:
    """Name a strategy object's class."""
    return value.data.short if value is not None and isinstance(value.data, ExternalResult) else ""


def launch_fabric(call: Call) -> Value | None:
    """Model `fabric.launch(function, ...)`: the function gets the fabric, then what it is launched with."""
    target = call.need(0, "function", CALLABLES)
    fabric = [call.owner] if call.owner is not None else []
    given = {name: value for name, value in call.kwargs.items() if name != "function"}
    return call.run.call(target, [*fabric, *call.args[1:]], given, call.spot, call.scope)


HOOKS: dict[str, Hook] = {"inspect.signature": signature}
ENDINGS: dict[str, Hook] = {
    "Brain.fit": train_together,
    "Trainer.add_argparse_args": add_trainer_options,
    "Trainer.from_argparse_args": trainer_from_options,
    "Trainer.fit": lightning_fit,
    **by_names("LightningModule.save_hyperparameters save_hyperparameters", save_hyperparameters),
    **by_names("Fabric.setup Fabric.setup_dataloaders", keep_all),
    "Fabric.launch": launch_fabric,
}
RULES = (
    Rule(Subject.PROCESSES, "Lightning", tell_processes),
    Rule(Subject.DURATION, "Lightning", tell_duration),
    Rule(Subject.ACCUMULATION, "Lightning", tell_accumulation),
    Rule(Subject.PRECISION, "Lightning", tell_precision),
    Rule((Subject.PRECISION, Subject.CASTS), "Lightning's launcher", launched_precision),
    Rule(Subject.PRECISION, "Lightning's default", default_precision),
    Rule(Subject.DISTRIBUTED, "Lightning", tell_strategy),
)
