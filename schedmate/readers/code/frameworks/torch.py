"""PyTorch: what its calls tell about devices, processes and loops, seen as the first process of the job."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.libraries.standard_library import keep_first, start_target
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, NotModelled, by_names
from schedmate.readers.code.values.value import Unknown, Value, held, is_constant, sequence_of, unknown

KEEPING = words("networks.keeping")
"""Methods of models and tensors that leave them what they are."""


def known_fact(name: str) -> Hook:
    """Answer with what the launcher settled; unknown where it did not."""
    return lambda call: call.run.facts.get(name) or unknown(f"{name} is known only when the job runs")


def say(answer: bool | int) -> Hook:
    """Answer as on a node with GPUs."""
    return lambda call: Value(answer, (call.spot,))


def init_group(call: Call) -> Value | None:
    """Remember that processes work together, and how many where the program says it."""
    signs = call.run.about(ProcessSigns)
    signs.joins, signs.joined_by = call.spot, signs.joined_by or call.name
    count = call.kwargs.get("world_size")
    if count is not None and isinstance(count.data, int) and count.data > 0:
        call.run.facts.setdefault("world_size", count)
        signs.group_size = signs.group_size or count
    elif count is not None and isinstance(count.data, Unknown) and held(signs.started, Unknown) is not None:
        signs.machines = signs.machines or times_started(count.data, signs)
    return Value(None)


def times_started(size: Unknown, signs: ProcessSigns) -> Value | None:
    """Give K where a group has K times the processes that the program starts on this machine, one for each GPU."""
    is_product = size.reason is Reason.MULTIPLIED and any(
        signs.started and part.data is signs.started.data for part in size.parts
    )
    return next((part for part in size.parts if is_product and type(part.data) is int and part.data > 0), None)


def is_initialized(call: Call) -> Value | None:
    """Tell whether a process group was made on the way here; wrappers make one where there are several processes."""
    signs = call.run.about(ProcessSigns)
    if signs.wraps is not None and signs.joins is None:
        size = call.run.facts.get("world_size") or call.run.facts.get("alone")
        if size is None or not isinstance(size.data, int):
            return unknown("whether there are several processes")
        return Value(size.data > 1, size.src)
    return Value(signs.joins is not None, (call.spot,))


world_size, rank = known_fact("world_size"), say(0)
"""The program is followed as its first process."""


def spawn(call: Call) -> Value | None:
    """Model `mp.spawn(fn, args, nprocs)`: followed as process 0; their number is the world's where it is known.

    PyTorch hands each process its number first, PaddlePaddle nothing but the arguments.
    """
    target = call.kwargs.get("func") or call.need(0, "fn")
    args = call.arg(1, "args")
    count = call.arg(2, "nprocs")
    if count is not None and not isinstance(count.data, bool):
        call.run.about(ProcessSigns).started = count
    call.run.about(ProcessSigns).starts = call.spot
    is_paddle = call.name.startswith("paddle")
    if is_paddle and count is not None and isinstance(count.data, int):
        call.run.facts.setdefault("world_size", count)
    place = [] if is_paddle else [Value(0, (call.spot,))]
    call.run.call(target, [*place, *sequence_of(args)], {}, call.spot, call.scope)
    return Value(None)


def launch_function(call: Call) -> Value | None:
    """Model `launch(main, num_gpus, num_machines, args=(...))` and `notebook_launcher(fn, args, num_processes)`."""
    target = call.need(0, "main_func")
    args = call.kwargs.get("args") or (call.arg(1) if call.name.endswith("notebook_launcher") else None)
    signs = call.run.about(ProcessSigns)
    for name in ("num_processes", "num_gpus_per_machine", "n_gpu_per_machine"):
        signs.started = call.kwargs.get(name, signs.started)
    if call.name.endswith("launch") and len(call.args) > 1:
        signs.started = call.args[1]
    machines = call.kwargs.get("num_machines") or call.kwargs.get("n_machine") or call.kwargs.get("num_nodes")
    signs.machines = machines or signs.machines
    signs.starts = call.spot
    call.run.call(target, list(sequence_of(args)), {}, call.spot, call.scope)
    return Value(None)


def launch_elastic(call: Call) -> Value | None:
    """Model `elastic_launch(LaunchConfig(...), function)(a, b)`: followed as the first of its processes."""
    config, target = call.need(0, "config"), call.need(1, "entrypoint")

    def start(inner: Call) -> Value:
        signs = call.run.about(ProcessSigns)
        told = config.data.kwargs if isinstance(config.data, ExternalResult) else {}
        signs.started = told.get("nproc_per_node", signs.started)
        if "max_nodes" in told and told["max_nodes"].data == told.get("min_nodes", told["max_nodes"]).data:
            signs.machines = told["max_nodes"]
        signs.starts = inner.spot
        call.run.call(target, inner.args, inner.kwargs, inner.spot, inner.scope)
        return Value({})

    return Value(LibraryMethod(start, "elastic_launch"), (call.spot,))


def model_method(call: Call) -> Value | None:
    """Model `.to(...)`, `.cuda()` and the like: the object stays what it is."""
    owner = call.owner
    return owner if owner is None or isinstance(owner.data, (Instance, ExternalResult)) else unknown(call.name, owner)


def make_device(call: Call) -> Value | None:
    """Keep a device by its name, with `type` readable."""
    name = call.arg(0, "type")
    made = ExternalResult(call.name, call.args, call.kwargs, call.spot)
    if name is not None and isinstance(name.data, str):
        made.attrs["type"] = Value(name.data.partition(":")[0], name.src)
        made.kwargs.setdefault("text", name)
    elif name is not None and isinstance(name.data, int):
        made.attrs["type"] = Value("cuda", name.src)
    return Value(made, name.src if name is not None and is_constant(name) else (call.spot,))


def make_size(call: Call) -> Value | None:
    """Model `torch.Size(sides)`: a tuple."""
    sides = call.need(0)
    if not isinstance(sides.data, (list, tuple)):
        raise NotModelled
    return Value(tuple(sides.data), sides.src)


def current_accelerator(call: Call) -> Value | None:
    """Answer as on a node with GPUs."""
    made = ExternalResult("torch.device", [Value("cuda")], {"text": Value("cuda")}, call.spot)
    made.attrs["type"] = Value("cuda", (call.spot,))
    return Value(made, (call.spot,))


HOOKS: dict[str, Hook] = {
    **by_names("torch.cuda.is_available torch.accelerator.is_available torch.cuda.is_bf16_supported", say(True)),
    "torch.distributed.is_available": say(True),
    "torch.accelerator.current_accelerator": current_accelerator,
    **by_names("torch.backends.mps.is_available torch.backends.mps.is_built torch.xpu.is_available", say(False)),
    **by_names("torch.npu.is_available torch.mps.is_available", say(False)),
    **by_names("torch.cuda.device_count torch.accelerator.device_count", known_fact("gpus_per_node")),
    **by_names("torch.distributed.init_process_group timm.utils.init_distributed_device", init_group),
    "torch.distributed.is_initialized": is_initialized,
    "torch.distributed.is_torchelastic_launched": lambda call: Value("TORCHELASTIC_RUN_ID" in call.run.environ),
    "torch.distributed.get_world_size": world_size,
    "torch.distributed.get_rank": rank,
    **by_names("torch.multiprocessing.spawn torch.multiprocessing.start_processes", spawn),
    "torch_xla.distributed.xla_multiprocessing.spawn": spawn,
    "torch.multiprocessing.Process": start_target,
    "torch.device": make_device,
    "torch.Size": make_size,
    "torch.load": lambda call: unknown(Reason.FILED, *call.args[:1]),
    **by_names("torch.set_default_dtype torch.set_default_tensor_type", lambda call: Value(None)),
    **by_names("torch.compile torch.jit.script", keep_first),
}
ENDINGS: dict[str, Hook] = {
    **by_names("tqdm tqdm.tqdm tqdm.auto.tqdm progress.track", keep_first),
    "parameters": lambda call: None,
    "state_dict": lambda call: unknown("weights", *([call.owner] if call.owner else [])),
    "mp.spawn": spawn,
    "elastic_launch": launch_elastic,
    **dict.fromkeys(KEEPING, model_method),
}
