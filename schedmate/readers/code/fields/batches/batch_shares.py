"""Batches that are named after what one device sees, or worked out by how many there are, or cut among them."""

from schedmate.knowledge.option_names import option_names, squashed
from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.labels import is_spread_by
from schedmate.readers.code.evidence.probes import is_in_evaluation
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.value import Value, is_unknown

SHARES = ("perdevice", "devicebatch", "perreplica", "percore", "perchip", "pergpu", "local", "micro")
WHOLE = "one process makes the whole batch"


def is_share(view: View) -> bool:
    """Tell a batch that is named after what one device sees."""
    value, names = view.get("batch_size"), option_names()["batch_size"]
    return any(
        given.data == value and any(part in squashed(names[place]) for part in SHARES)
        for place, given in view.options("batch_size")
    )


def loads_what_is_open(view: View) -> bool:
    """Tell a loader whose batch is worked out at run time, as by the number of devices."""
    sizes = [loader.arg(1, "batch_size") for loader in training_loaders(view)[:1]]
    return any(is_unknown(size) for size in sizes)


def loads_for_all(view: View) -> bool:
    """Tell one process of JAX that cuts what a loader gives it among its devices."""
    return (
        bool(training_loaders(view))
        and is_spread_by(view, "JAX")
        and not (is_share(view) or has_several_processes(view))
    )


SCATTERS = ("scatter_object_list", "scatter")


def is_dealt_out(view: View) -> bool:
    """Tell a batch that is loaded for all devices: one process cuts it up, or scatters its parts over the others."""
    scatters = (event for event in view.named(*SCATTERS) if event.name.startswith("torch.distributed."))
    return loads_for_all(view) or any(not is_in_evaluation(event) for event in scatters)


def has_several_processes(view: View) -> bool:
    """Tell a program of which there are several processes, each with its own loop over data."""
    return started_in_ranks(view.launch) or view.run.about(ProcessSigns).starts is not None


def takes_open_devices(view: View) -> bool:
    """Tell one process with the Hugging Face trainer, which has a batch for each GPU that it sees: how many is open."""
    takes = view.once(trainer_arguments) is not None and view.get("num_gpus") is None
    return takes and not has_several_processes(view)


def keep_whole(view: View, batch: Value) -> None:
    """Keep the batch that one process shares out, however many devices it has; of several what each has is open."""
    if view.get("distributed") == "MXNet data parallel" and started_in_ranks(view.launch):
        view.give_up("batch_size")
    if view.get("distributed") == "DataParallel" and not is_share(view) and not loads_what_is_open(view):
        view.keep("global_batch_size", batch.data, batch.src, WHOLE)


def steps_unseen(view: View) -> bool:
    """Tell training whose steps were not seen, out of sight or further out than was read: some gather gradients."""
    own = view.run.about(TrainingSigns).own_trainer is not None and not view.training
    return view.trains_out_of_sight or own
