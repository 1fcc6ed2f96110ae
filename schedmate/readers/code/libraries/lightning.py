"""Lightning: which of the repository's methods its trainer calls, and when."""

from typing import TYPE_CHECKING

from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.things import Bound, Function, Instance, Made
from schedmate.readers.code.values import Config, Val, unknown

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


ENDINGS: dict[str, Hook] = {
    "Trainer.fit": lightning_fit,
    "LightningModule.save_hyperparameters": save_hyperparameters,
    "save_hyperparameters": save_hyperparameters,
}
