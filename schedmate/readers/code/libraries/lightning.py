"""Lightning: which of the repository's methods its trainer calls, and when."""

from typing import TYPE_CHECKING

from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.things import Bound, Class, Function, Instance, Made
from schedmate.readers.code.values import Config, External, Val, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run


MODULE_METHODS = ("configure_model", "setup", "configure_optimizers", "training_step", "train_dataloader")


DATA_METHODS = ("setup", "train_dataloader")


def call_methods(run: "Run", value: Val, names: tuple[str, ...], call: Call) -> None:
    """Call those methods that the object's own class defines, as the library would."""
    if not isinstance(value.data, Instance):
        return
    for name in names:
        method = value.data.cls.find(name)
        if method is None or not isinstance(method.data, Function):
            continue
        args = {"training_step": [unknown("a batch"), Val(0)], "setup": [Val("fit")]}.get(name, [])
        needed = len(method.data.node.args.args) - 1
        run.call(Val(Bound(value, method.data)), args[: max(0, needed)], {}, call.spot, call.scope)


def lightning_fit(call: Call) -> Val | None:
    """Model `trainer.fit(model, datamodule)`."""
    model = call.arg(0, "model")
    data = call.kwargs.get("datamodule") or call.kwargs.get("train_dataloaders") or call.arg(1)
    call.run.flags["trains"] = call.spot
    call.run.flags["distributed"] = call.spot
    trainer = call.owner or unknown("the trainer")
    if isinstance(trainer.data, Made):
        furnish_trainer(trainer.data, model, data)
    for part in (model, data):
        if part is not None and isinstance(part.data, Instance):
            part.data.attrs["trainer"] = trainer
    if model is not None:
        call_methods(call.run, model, MODULE_METHODS, call)
    if data is not None:
        call_methods(call.run, data, DATA_METHODS, call)
    return Val(None)


def furnish_trainer(trainer: Made, model: Val | None, data: Val | None) -> None:
    """Give the trainer what modules ask it for: the model, the data, the number of processes where it is told."""
    if model is not None:
        trainer.attrs.update({"model": model, "lightning_module": model})
    if data is not None:
        trainer.attrs["datamodule"] = data
    devices, nodes = trainer.kwargs.get("devices"), trainer.kwargs.get("num_nodes")
    count = devices.data if devices is not None and isinstance(devices.data, int) and devices.data > 0 else None
    times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1 if nodes is None else None
    known = count is not None and times is not None
    trainer.attrs["world_size"] = Val(count * times, devices.src) if known else unknown("the number of processes")  # type: ignore[operator, union-attr]
    for name in ("max_epochs", "max_steps", "accumulate_grad_batches", "num_nodes"):
        if name in trainer.kwargs:
            trainer.attrs[name] = trainer.kwargs[name]


def save_hyperparameters(call: Call) -> Val | None:
    """Model `self.save_hyperparameters()`: the arguments of `__init__` become `self.hparams`."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, Instance):
        return None
    given: dict[str, Val] = {}
    for argument in call.args:
        if isinstance(argument.data, dict):
            given.update({str(key): value for key, value in argument.data.items()})
    if not given:
        ignored = call.kwargs.get("ignore")
        names = (
            {str(item.data) for item in ignored.data}
            if ignored is not None and isinstance(ignored.data, (list, tuple))
            else set()
        )
        given = {
            key: value
            for key, value in call.scope.vars.items()
            if key not in ("self", "__class__") and key not in names and value is not owner
        }
        extra = given.pop("kwargs", None)
        if extra is not None and isinstance(extra.data, dict):
            given.update({str(key): value for key, value in extra.data.items()})
    known = owner.data.attrs.get("hparams")
    if known is not None and isinstance(known.data, Config):
        known.data.update(given)
    else:
        owner.data.attrs["hparams"] = Val(Config(given), (call.spot,))
    return Val(None)


def lightning_cli(call: Call) -> Val | None:
    """Model `LightningCLI(Model, DataModule)`: files and options of the command line make trainer, model and data."""
    from schedmate.readers.code.commandline.words import arguments_of, guess, is_option, joined, word_text
    from schedmate.readers.code.configs.files import load_named
    from schedmate.readers.code.configs.instantiation import find_object
    from schedmate.readers.code.configs.merging import merge_into, put_path
    from schedmate.readers.code.python.functions import parameters_of

    config = Val(Config(), (call.spot,))
    defaults = call.kwargs.get("trainer_defaults")
    if defaults is not None and isinstance(defaults.data, dict):
        config.data["trainer"] = Val(Config(dict(defaults.data)), defaults.src)
    words = arguments_of(call.run)
    command, place = "", 0
    while place < len(words):
        text = word_text(words[place])
        key, equals, inline = text.lstrip("-").partition("=")
        value = Val(inline) if equals else words[place + 1] if place + 1 < len(words) else Val("")
        if not is_option(text):
            command = command or text
        elif key in ("config", "c"):
            loaded = load_named(call.run, value, call.scope)
            if loaded is not None and isinstance(loaded.data, dict):
                below = loaded.data.get(command)
                merge_into(
                    config.data, below.data if below is not None and isinstance(below.data, dict) else loaded.data
                )
            place += not equals
        else:
            src = joined(words[place], words[place] if equals else value)
            put_path(config, key, Val(guess(word_text(value)), src))
            place += not equals
        place += 1
    call.run.namespaces.append((config, "config"))
    call.run.configs.append(("lightning cli", config))

    def make(name: str, given: Val | None) -> Val | None:
        node = config.data.get(name)
        target, options = given, dict(node.data) if node is not None and isinstance(node.data, dict) else {}
        if "class_path" in options:
            target = find_object(call.run, options["class_path"], call.scope)
            inner = options.get("init_args")
            options = dict(inner.data) if inner is not None and isinstance(inner.data, dict) else {}
        if target is None or not isinstance(target.data, (Class, External, Function)):
            return None
        if isinstance(target.data, Class) and (start := target.data.find("__init__")) is not None:
            known = parameters_of(start.data) if isinstance(start.data, Function) else Config()
            options = {key: value for key, value in options.items() if key in known or start.data.node.args.kwarg}
        return call.run.call(target, [], {str(k): v for k, v in options.items()}, call.spot, call.scope)  # type: ignore[no-any-return]

    model = make("model", call.arg(0, "model_class"))
    data = make("data", call.arg(1, "datamodule_class"))
    trainer = make("trainer", Val(External("lightning.Trainer")))
    if command in ("fit", "") and model is not None:
        inner = Call(
            call.run, "lightning.Trainer.fit", [model, *([data] if data else [])], {}, call.spot, call.scope, trainer
        )
        call.run.record("lightning.Trainer.fit", inner.args, {}, call.spot, trainer, Val(None))
        lightning_fit(inner)
    return Val(Made(call.name, call.args, call.kwargs, call.spot))


ENDINGS: dict[str, Hook] = {
    "Trainer.fit": lightning_fit,
    "LightningModule.save_hyperparameters": save_hyperparameters,
    "save_hyperparameters": save_hyperparameters,
    "LightningCLI": lightning_cli,
}
