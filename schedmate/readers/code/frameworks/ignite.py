"""PyTorch-Ignite: engines that call a step for each batch, and a launcher that starts a function on each process."""

from dataclasses import dataclass, field

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import BACKWARD
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.standard_library import keep_first
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import External, Value, held, unknown


@dataclass
class IgniteFacts:
    """The runs of engines that train, and the trainers that Ignite makes itself."""

    epochs: list[Value] = field(default_factory=list)
    data: list[tuple[Value, Value | None]] = field(default_factory=list)
    """What they go over, and how many batches of it are an epoch, if that is told."""
    trainers: list[ExternalResult] = field(default_factory=list)


def run_engine(call: Call) -> Value | None:
    """Model `Engine(step).run(data, max_epochs=3)`: the step is followed once; it trains if it goes backward."""
    made = held(call.owner, ExternalResult)
    step = made.kwargs.get("process_function") or next(iter(made.args), None) if made is not None else None
    if call.owner is None or step is None:
        return None
    before = len(call.run.events)
    call.run.call(step, [call.owner, unknown("a batch")], {}, call.spot, call.scope)
    if any(event.short in BACKWARD for event in call.run.events[before:]):
        keep_epochs(call)
    return None


def run_trainer(call: Call) -> Value | None:
    """Model `create_supervised_trainer(model, optimizer, loss).run(...)`, whose step Ignite writes itself."""
    call.run.about(TrainingSigns).surely = call.spot
    if call.owner is not None and isinstance(call.owner.data, ExternalResult):
        call.run.about(IgniteFacts).trainers.append(call.owner.data)
    keep_epochs(call)
    return None


def run_workflow(call: Call) -> Value | None:
    """Model MONAI's `SupervisedTrainer(max_epochs=3, ...).run()`, which is told all when it is made."""
    made = call.own(ExternalResult)
    call.run.about(TrainingSigns).surely = call.spot
    if "max_epochs" in made.kwargs:
        call.run.about(IgniteFacts).epochs.append(made.kwargs["max_epochs"])
    return None


def keep_epochs(call: Call) -> None:
    """Keep how long an engine trains."""
    epochs, data = call.arg(1, "max_epochs"), call.arg(0, "data")
    if data is not None:
        call.run.about(IgniteFacts).data.append((data, call.arg(2, "epoch_length")))
    if epochs is not None:
        call.run.about(IgniteFacts).epochs.append(epochs)


def run_parallel(call: Call) -> Value | None:
    """Model `Parallel(backend="nccl", nproc_per_node=4).run(function, ...)`: followed as the first process."""
    told = call.owner.data.kwargs if call.owner is not None and isinstance(call.owner.data, ExternalResult) else {}
    signs = call.run.about(ProcessSigns)
    if "backend" in told:
        signs.joins, signs.joined_by = call.spot, signs.joined_by or call.name
    if "nproc_per_node" in told:
        signs.starts, signs.started, signs.machines = call.spot, told["nproc_per_node"], told.get("nnodes")
    if call.args:
        call.run.call(call.args[0], [Value(0, (call.spot,)), *call.args[1:]], call.kwargs, call.spot, call.scope)
    return Value(None)


def make_loader(call: Call) -> Value:
    """Model `auto_dataloader(data, batch_size=32)`, which shares a step's batch out among the processes."""
    return call.run.call(Value(External("torch.utils.data.DataLoader")), call.args, call.kwargs, call.spot, call.scope)


def tell_duration(view: View) -> None:
    """Take the epochs of what trains."""
    for epochs in view.run.about(IgniteFacts).epochs:
        view.number("epochs", epochs)


def tell_accumulation(view: View) -> None:
    """Take over how many batches Ignite's own step gathers gradients."""
    for made in view.run.about(IgniteFacts).trainers:
        view.accumulates(made.kwargs.get("gradient_accumulation_steps"))


def tell_precision(view: View) -> None:
    """Take in what Ignite's own step computes."""
    for made in view.run.about(IgniteFacts).trainers:
        mode = made.kwargs.get("amp_mode")
        if mode is not None and mode.data in ("amp", "apex"):
            view.keep("precision", "fp16", mode.src)


HOOKS: dict[str, Hook] = {
    "ignite.engine.Engine.run": run_engine,
    "ignite.engine.create_supervised_trainer.run": run_trainer,
    **by_names("monai.engines.SupervisedTrainer.run monai.engines.GanTrainer.run", run_workflow),
    "ignite.distributed.Parallel.run": run_parallel,
    "ignite.distributed.auto_dataloader": make_loader,
    **by_names("ignite.distributed.auto_model ignite.distributed.auto_optim", keep_first),
}
RULES = (
    Rule(Subject.DURATION, "Ignite", tell_duration),
    Rule(Subject.ACCUMULATION, "Ignite", tell_accumulation),
    Rule(Subject.PRECISION, "Ignite", tell_precision),
)
