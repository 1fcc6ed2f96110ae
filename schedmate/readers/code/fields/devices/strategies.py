"""How the work is spread over processes and devices."""

from schedmate.knowledge.strategies import strategy_of_call, strategy_of_library
from schedmate.readers.code.evidence.device_counts import (
    groups_of,
    ray_workers,
    shared_by_library,
    takes_all,
    visible_gpus,
)
from schedmate.readers.code.evidence.labels import computes_with
from schedmate.readers.code.evidence.placed_parts import LABEL as PLACED
from schedmate.readers.code.evidence.placed_parts import placed_parts
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.towers import LABEL, find_towers, tower_devices
from schedmate.readers.code.fields.devices.devices import on_cpu
from schedmate.readers.code.fields.devices.loops_elsewhere import lies_elsewhere
from schedmate.readers.code.fields.networks.trained_network import trained_network
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.launchers.batch_requests import gpus_per_node
from schedmate.readers.code.launchers.settled_counts import node_count, process_count, started_in_ranks
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value

MOST_DEVICES = 64

DEEPEST = 4
"""How deep below a network its parts are looked through."""
SHARDING = "JAX sharding"

SHARED = ("DataParallel", "MXNet data parallel")
"""Ways in which one process shares its batch among its devices."""


def from_calls(view: View) -> None:
    """Take the calls that spread the work."""
    for event, label in spreading(view):
        if single_process(view) and label in ("DDP", "FSDP", "Horovod") and not event.sure:
            continue
        if label == "PaddlePaddle data parallel" and event.short == "DataParallel" and view.get("num_gpus") == 1:
            continue  # around the model of one process it only hands calls on
        view.spreads(label, (event.spot,))


def from_launcher(view: View) -> None:
    """Take what a launcher says by itself, where nothing said more."""
    if view.launch.distributed is not None and not view.strategies:
        label, spot = view.launch.distributed
        view.spreads(label, (spot,))


def from_joining(view: View) -> None:
    """Name the strategy of several processes after the library through which they join."""
    many, told_elsewhere = many_started(view), view.launch.absent is not None
    several = many is not None and view.get("num_gpus") != 1 and joins_processes(view) and not may_start_none(view)
    if many is not None and several and not view.strategies and not told_elsewhere:
        view.spreads(joined_by(view), (many,))


def from_threads(view: View) -> None:
    """Name what the Hugging Face trainer does with several GPUs of one process: it shares each batch among them."""
    gpus, arguments = view.values.get("num_gpus"), view.once(trainer_arguments)
    if arguments is None or gpus is None or (gpus.value or 0) < 2 or not single_process(view) or view.strategies:
        return
    placed = any("device_map" in event.kwargs or "**" in event.kwargs for event in view.ending("from_pretrained"))
    if not placed and computes_with(view, "PyTorch"):
        view.spreads("DataParallel", (*gpus.spots[:1], arguments.spot))


def settle(view: View) -> None:
    """Name the strategies that were found; `none` where one process works alone."""
    found = view.strategies
    if "FSDP" in found or "DeepSpeed" in found or "Horovod" in found:
        found.pop("DDP", None)
    if found or started_in_ranks(view.launch):
        found.update({kind: value.src for kind, value in groups_of(view).items() if kind not in found})
    if found:
        view.keep("distributed", "+".join(found), tuple(spot for spots in found.values() for spot in spots))
        return
    one_starts = single_process(view) or one_is_started(view)
    alone = one_starts and (view.get("num_gpus") or 1) == 1 and not takes_what_is_there(view)
    alone = alone and (view.get("num_gpus") is not None or not may_share(view))
    is_seen = (view.is_whole and not lies_elsewhere(view)) or has_one_device(view)
    if view.get("is_training") is not None and alone and is_seen:
        view.keep("distributed", "none", view.command_spot, "one process, no wrapper")


def may_share(view: View) -> bool:
    """Tell a network that is wrapped for several devices on a way that only the run decides on."""
    perhaps = (event for event in view.events if event.short == "DataParallel" and not event.sure)
    return any(not wraps_another(view, event) for event in perhaps)


def has_one_device(view: View) -> bool:
    """Tell a job that is given one GPU of one node: there is nothing to spread over."""
    gpus = gpus_per_node(view.launch) if view.launch.asked else None
    return gpus is not None and gpus.data == 1 and view.get("num_nodes") == 1


def spreading(view: View) -> list[tuple[Event, str]]:
    """Give the calls that spread the work, and how; `DataParallel` also if the number of GPUs decides."""
    calls = [event for event in view.events if not (on_cpu(event.arg(1, "ctx_list")) or wraps_another(view, event))]
    known = [(event, strategy_of_call(event.name)) for event in calls]
    known += [(event, SHARDING) for event in calls if tells_shardings(event)]
    full = is_fully_sharded(view)
    known = [(event, "FSDP" if full and label == SHARDING else label) for event, label in known]
    placed = view.once(find_towers)
    known += [(placed.event, LABEL)] if placed is not None else []
    parts, shared = view.once(placed_parts), view.once(shared_by_library)
    known += [(parts.events[0], PLACED)] if parts is not None and parts.in_one else []
    known += [(shared, "DataParallel")] if shared is not None and sees_several(view) else []
    counts = bool(view.named("device_count")) and view.get("num_gpus") is None and gpus_per_node(view.launch) is None
    devices = told_devices(view)
    alone = devices is not None and len(devices.data) == 1
    counts = counts or (devices is not None and not alone)
    sure = [(event, label) for event, label in known if label and (event.sure or counts or label != "DataParallel")]
    own = next((value for value in view.run.instances if is_own_parallel(value)), None)
    if own is not None and devices is not None and not alone and not sure:
        return [(Event(own.data.cls.name, [], {}, own.data.spot, True, (), None, own, ()), "DataParallel")]
    return [(event, label) for event, label in sure if not (alone and label in SHARED)]


def sees_several(view: View) -> bool:
    """Tell a process that is shown more than one GPU."""
    visible = visible_gpus(view)
    return visible is not None and type(visible.data) is int and visible.data > 1


def wraps_another(view: View, event: Event) -> bool:
    """Tell `DataParallel` around a network that is never called and only lends its weights to the one that learns."""
    inner = event.arg(0, "module") if event.short == "DataParallel" else None
    trained = trained_network(view) if inner is not None and isinstance(inner.data, Instance) else None
    if inner is None or trained is None or not isinstance(trained.data, Instance):
        return False
    called = (one.owner.data for one in view.named("DataParallel()") if one.owner is not None)
    apart = not is_part(inner.data, trained.data) and not is_part(trained.data, inner.data)
    return apart and not any(data is event.result.data for data in called)


def is_part(part: Instance, whole: Instance) -> bool:
    """Tell an object of one class that is another, or lies in it; of what lies too deep nobody knows."""
    level = [whole]
    for _ in range(DEEPEST):
        if any(one is part or one.cls is part.cls for one in level):
            return True
        level = [held.data for one in level for held in one.attrs.values() if isinstance(held.data, Instance)]
    return bool(level)


def tells_shardings(event: Event) -> bool:
    """Tell a step that JAX compiles for parts of its arrays on several devices, whoever made the mesh."""
    told = (event.kwargs.get(name) for name in ("in_shardings", "out_shardings"))
    return event.name in ("jax.jit", "jax.experimental.pjit.pjit") and any(
        one is not None and one.data is not None for one in told
    )


def is_fully_sharded(view: View) -> bool:
    """Tell a program of JAX that is told `fsdp` as its way to shard, or reads it of its settings: `sharding: fsdp`."""
    told = [*view.told.items(), *((name, value) for name, values in view.run.reads.items() for value in values)]
    reads = [value for name, value in told if "shard" in name.lower()]
    return any(isinstance(value.data, str) and value.data.lower() == "fsdp" for value in reads)


def is_own_parallel(value: Value) -> bool:
    """Tell an object of a class that the repository wrote after `torch.nn.DataParallel`."""
    return bool(value.data.cls.name.lstrip("_") == "DataParallel")


def told_devices(view: View) -> Value | None:
    """Give the list of devices that `torch.nn.DataParallel` is told to share the batch among."""
    for value in view.run.instances:
        devices = value.data.attrs.get("device_ids") if is_own_parallel(value) else None
        if devices is not None and isinstance(devices.data, (list, tuple)) and len(devices.data) > 1:
            return Value(devices.data, devices.src or (value.data.spot,))
    for event in view.named("DataParallel", "DataParallelWithCallback", "split_and_load"):
        devices = event.arg(1, "device_ids", "ctx_list")
        if devices is None or not isinstance(devices.data, (list, tuple)) or not devices.data:
            continue
        if not event.sure and (len(devices.data) < 2 or not asks_for_devices(view)):
            continue  # `if torch.cuda.device_count() > 1:` around it is meant to be true
        if on_cpu(devices):
            continue
        if not any(isinstance(one.data, Unknown) for one in devices.data):
            return Value(devices.data, devices.src or devices.data[0].src or (event.spot,))
    return mirrored_devices(view) or tower_devices(view)


def mirrored_devices(view: View) -> Value | None:
    """Give the devices on which TensorFlow's strategy is told to mirror the model: their number or their names."""
    for event in view.of("tensorflow", "MirroredStrategy"):
        count, devices = event.kwargs.get("num_gpus"), event.arg(0, "devices")
        if event.sure and count is not None and type(count.data) is int and 0 < count.data < MOST_DEVICES:
            return Value(list(range(count.data)), count.src or (event.spot,))
        named = devices.data if event.sure and devices is not None else None
        names = [str(one.data).lower() for one in named] if isinstance(named, (list, tuple)) else []
        gpus = [one for one, name in zip(named or (), names, strict=False) if "gpu:" in name]
        if devices is not None and gpus and all("gpu:" in name or "cpu:" in name for name in names):
            return Value(gpus, devices.src or (event.spot,))  # the CPU may hold a replica, too
    return None


def asks_for_devices(view: View) -> bool:
    """Tell a program that asks how many devices there are, and spreads in one way only."""
    spots = {event.spot for event in view.named("DataParallel", "DataParallelWithCallback", "DistributedDataParallel")}
    return bool(view.named("device_count")) and len(spots) == 1


def many_started(view: View) -> SourceLocation | None:
    """Give the place that starts several processes: a launcher, or the program itself."""
    if started_in_ranks(view.launch):
        many: SourceLocation = view.launch.many or view.launch.launchers[-1][1]
        return many
    signs, workers = view.run.about(ProcessSigns), ray_workers(view)
    return signs.starts or (signs.ray if workers is not None and workers.data > 1 else None)


def may_start_none(view: View) -> bool:
    """Tell a program of which it is open whether it starts several processes, and whether it trains."""
    if started_in_ranks(view.launch) or view.get("is_training") is not None:
        return False
    started = view.run.about(ProcessSigns).starts
    return started is not None and not any(event.sure for event in view.events if event.spot == started)


def joined_by(view: View) -> str:
    """Name what started processes do together, by the library through which they join."""
    groups = [event.arg(0, "backend") for event in view.named("init_process_group") if event.sure]
    if any(backend is not None and backend.data == "xla" for backend in groups):
        return "XLA data parallel"
    return strategy_of_library(view.run.about(ProcessSigns).joined_by.partition(".")[0]) or "DDP"


def takes_what_is_there(view: View) -> bool:
    """Tell a program that spreads over all visible GPUs by itself, where their number is not known."""
    signs = view.run.about(ProcessSigns)
    takes = takes_all(view) or signs.ray is not None
    return takes and view.get("num_gpus") is None


def single_process(view: View) -> bool:
    """Tell a program that is started once and starts no others."""
    signs = view.run.about(ProcessSigns)
    return not started_in_ranks(view.launch) and signs.starts is None and not signs.asked


def one_is_started(view: View) -> bool:
    """Tell a launcher that is told to start a single process."""
    count = process_count(view.launch, node_count(view.launch))
    return count is not None and count.data == 1 and view.get("num_gpus") == 1


def joins_processes(view: View) -> bool:
    """Tell a program that works with the other processes through a library that does it by itself."""
    signs = view.run.about(ProcessSigns)
    if signs.joins is not None or view.once(trainer_arguments) is not None or signs.wraps is not None:
        return True
    by_mpi = "mpi4py."  # what MPI gathers may be anything: its sums of gradients are a way to join
    return any(not event.name.startswith(by_mpi) for event in view.named("all_reduce", "allreduce"))


RULES = (
    Rule(Subject.DISTRIBUTED, "calls on the path", from_calls),
    Rule(Subject.DISTRIBUTED, "the launcher", from_launcher),
    Rule(Subject.DISTRIBUTED, "joined processes", from_joining),
    Rule(Subject.DISTRIBUTED, "the trainer of one process", from_threads),
    Rule(Subject.DISTRIBUTED, "all that spreads the work", settle),
)
