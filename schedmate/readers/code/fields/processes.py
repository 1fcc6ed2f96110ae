"""How many GPUs and nodes, what hardware, and how the work is spread over them."""

import re2

from schedmate.readers.code.fields.batches import chosen_files, deepspeed_config
from schedmate.readers.code.fields.training import trainer_arguments
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.joining import truth
from schedmate.readers.code.launchers.ranks import node_count, process_count, started_in_ranks
from schedmate.readers.code.launchers.slurm import gpus_of, gpus_per_node
from schedmate.readers.code.things import Made
from schedmate.readers.code.values import External, Spot, Unknown, Val, is_constant, join_spots

HARDWARE = re2.compile(
    r"(?i)(?:^|[^a-z0-9])((?:nvidia[-_ ]?)?(?:v100|a100|h100|h200|h800|a800|b200|gb200|a10g?|a40|a6000|l40s?|l4|t4|p100"
    r"|k80|rtx[-_ ]?[0-9]{4}(?:ti)?|gtx[-_ ]?[0-9]{4}(?:ti)?|mi[0-9]{3}x?|tpu[-_ ]?v[2-6]\w*|volta(?:16|32)(?:gb)?"
    r"|ampere|hopper))(?:$|[^a-z0-9])"
)
COUNTED = re2.compile(
    r"(?i)\b[0-9]+ ?[x×*]? ?((?:nvidia )?(?:v100|a100|h100|h200|a6000|a40|l40s?|t4|p100|tpu ?v[2-6]))\b"
)
WRAPPINGS = (
    ("TorchDDPPlugin", "DDP"),
    ("TorchFSDPPlugin", "FSDP"),
    ("LowLevelZeroPlugin", "ZeRO"),
    ("GeminiPlugin", "Gemini ZeRO"),
    ("HybridParallelPlugin", "tensor parallel"),
    ("DistributedDataParallel", "DDP"),
    ("FullyShardedDataParallel", "FSDP"),
    ("FSDP", "FSDP"),
    ("fully_shard", "FSDP"),
    ("DataParallel", "DataParallel"),
    ("DistributedOptimizer", "Horovod"),
    ("MirroredStrategy", "MirroredStrategy data parallel"),
    ("MultiWorkerMirroredStrategy", "MultiWorkerMirroredStrategy data parallel"),
    ("TPUStrategy", "TPUStrategy data parallel"),
    ("pmap", "JAX pmap"),
    ("pjit", "JAX pjit"),
    ("NamedSharding", "JAX sharding"),
    ("PositionalSharding", "JAX sharding"),
    ("shard_map", "JAX sharding"),
    ("xmap", "JAX sharding"),
    ("DistributedGradientTape", "Horovod"),
    ("parallelize_module", "tensor parallel"),
    ("DDP", "DDP"),
    ("ParameterServerStrategy", "ParameterServerStrategy data parallel"),
    ("ShardedDataParallel", "FSDP"),
    ("replicate", "DDP"),
)
NAME_OF = dict(WRAPPINGS)


def find_processes(view: View) -> None:
    """Find nodes and GPUs: from launchers, from a trainer's arguments, from what the program itself starts."""
    nodes = node_count(view.launch)
    total = process_count(view.launch, nodes)
    from_submitit(view)
    from_lightning(view)
    if started_in_ranks(view.launch):
        from_launcher(view, nodes, total)
    elif "spawns" in view.run.flags:
        from_spawn(view, nodes)
    find_nodes(view, nodes)
    find_single(view)


def from_submitit(view: View) -> None:
    """Take what the program asks submitit for."""
    asked = view.run.flags.get("submitit", {})
    nodes = asked.get("nodes") or asked.get("slurm_nodes")
    gpus = asked.get("gpus_per_node") or asked.get("slurm_gpus_per_node")
    tasks = asked.get("tasks_per_node") or asked.get("slurm_ntasks_per_node") or asked.get("slurm_tasks_per_node")
    per_node = gpus if gpus is not None and isinstance(gpus.data, int) else tasks
    if nodes is not None and isinstance(nodes.data, int):
        view.number("num_nodes", nodes)
        if per_node is not None and isinstance(per_node.data, int):
            view.keep("num_gpus", nodes.data * per_node.data, join_spots(per_node, nodes), "nodes x GPUs per node")


def from_lightning(view: View) -> None:
    """Take Lightning's devices and nodes; `auto` and -1 mean whatever is visible."""
    for event in view.lightning:
        if event.short == "Fabric" and started_in_ranks(view.launch):
            continue
        nodes = event.kwargs.get("num_nodes") or Val(1, (event.spot,))
        devices = event.kwargs.get("devices") or event.kwargs.get("gpus")
        accelerator = event.kwargs.get("accelerator")
        if isinstance(nodes.data, int):
            view.number("num_nodes", Val(nodes.data, nodes.src or (event.spot,)))
        if accelerator is not None and accelerator.data == "cpu":
            view.keep("num_gpus", 0, accelerator.src)
            continue
        count = count_devices(devices)
        if count is not None and devices is not None and isinstance(nodes.data, int):
            view.keep("num_gpus", count * nodes.data, join_spots(devices, nodes))
        else:
            view.rule_out("num_gpus")


def count_devices(devices: Val | None) -> int | None:
    """Read `4`, `[0, 1]`, `"0,1"`; None for all that are visible."""
    if devices is None or isinstance(devices.data, bool):
        return None
    if isinstance(devices.data, int):
        return devices.data if devices.data > 0 else None
    if isinstance(devices.data, (list, tuple)):
        return len(devices.data) or None
    if isinstance(devices.data, str):
        if devices.data.isdigit():
            return int(devices.data)
        parts = [part for part in devices.data.split(",") if part.strip().isdigit()]
        return len(parts) if len(parts) > 1 else None
    return None


def from_launcher(view: View, nodes: Val | None, total: Val | None) -> None:
    """Count the processes that the launchers start, one a GPU."""
    if total is not None and isinstance(total.data, int):
        view.keep("num_gpus", total.data, total.src, "one process a GPU")
    else:
        gpus = gpus_per_node(view.launch)
        if gpus is not None and view.launch.slurm:
            count = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1
            view.keep("num_gpus", gpus.data * count, join_spots(gpus, *([nodes] if nodes else [])), "GPUs asked for")
        view.rule_out("num_gpus")


def from_spawn(view: View, nodes: Val | None) -> None:
    """Count the processes that the program starts itself."""
    count = view.run.flags.get("spawned processes")
    machines = view.run.flags.get("spawned machines")
    per_node = count if count is not None and isinstance(count.data, int) else None
    if machines is not None and isinstance(machines.data, int):
        view.number("num_nodes", machines)
    if per_node is not None and per_node.data > 0:
        times = view.get("num_nodes") or (nodes.data if nodes is not None and isinstance(nodes.data, int) else 1)
        view.keep("num_gpus", per_node.data * times, per_node.src, "processes that the program starts")
    gpus = gpus_per_node(view.launch)
    if gpus is not None:
        times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1
        view.keep("num_gpus", gpus.data * times, gpus.src)
    view.rule_out("num_gpus")


def find_nodes(view: View, nodes: Val | None) -> None:
    """Give the number of nodes; a command that names none runs on one."""
    if nodes is not None:
        if isinstance(nodes.data, int):
            view.keep("num_nodes", nodes.data, nodes.src)
        view.rule_out("num_nodes")
        return
    if any(name in ("mpirun", "mpiexec", "horovodrun", "srun") for name, _ in view.launch.launchers):
        view.rule_out("num_nodes")
        return
    for name, spot in view.launch.launchers:
        view.keep("num_nodes", 1, (spot,), f"{name} starts on one node unless told otherwise")
    hidden = any(key in view.launch.environment for key in ("SLURM_NNODES", "WORLD_SIZE", "NNODES"))
    if not hidden and not reads_cluster(view):
        view.keep("num_nodes", 1, view.command_spot, "one process on one node")


def reads_cluster(view: View) -> bool:
    """Tell a program that joins others by what it is told at run time."""
    for mapping in view.namespaces:
        for key in ("num_nodes", "nnodes", "num_machines"):
            value = mapping.get(key)
            if value is not None and isinstance(value.data, int) and value.data > 1:
                view.number("num_nodes", value)
                return True
    return False


def find_single(view: View) -> None:
    """Count the devices of a program that is one process: none, one, or whatever is visible."""
    if "num_gpus" in view.values:
        return
    visible = gpus_per_node(view.launch)
    many = [event for event in view.named(*NAME_OF) if event.sure or event.short != "DataParallel"]
    takes_all = trainer_arguments(view) is not None or view.run.flags.get("takes all") is not None
    if many or takes_all or any(event.short == "DataParallel" for event in view.events):
        if visible is not None:
            view.keep("num_gpus", visible.data, visible.src)
        return
    device = device_of(view)
    if device == "cpu":
        view.keep(
            "num_gpus",
            0,
            view.values["device"].spots if "device" in view.values else view.command_spot,
            "runs on the CPU",
        )
    elif device == "one" and view.get("is_training") is not None:
        view.keep(
            "num_gpus",
            1,
            view.values["device"].spots if "device" in view.values else view.command_spot,
            "one process, one device",
        )
    view.values.pop("device", None)


PLACES_BY_ITSELF = frozenset({"mmengine", "mmcv", "detectron2", "fastai", "rl_games", "flair", "setfit"})
"""Libraries that put the model on the GPU without being told."""


def device_of(view: View) -> str | None:
    """Tell on what a single process computes: `cpu`, `one` device, or None where that is not clear."""
    spots: dict[str, tuple[Spot, ...]] = {}
    unclear = False
    for event in view.events:
        if event.short == "cuda" and event.owner is not None:
            spots.setdefault("one", (event.spot,))
        if event.short in ("to", "to_device", "device", "place_on_device"):
            for value in [*event.args, *event.kwargs.values()]:
                name = device_name(value)
                unclear = unclear or is_unclear(value)
                if name is not None:
                    spots.setdefault(
                        "cpu" if name.startswith("cpu") else "one",
                        tuple(s for s in value.src if s.path) or (event.spot,),
                    )
    libraries = view.imports
    chosen = "one" if "one" in spots else "cpu" if "cpu" in spots and not unclear else None
    if chosen is not None:
        view.keep("device", chosen, spots[chosen])
        return chosen
    if "accelerator" in view.run.flags or libraries.intersection(PLACES_BY_ITSELF):
        return "one"
    if unclear:
        return None
    if libraries.intersection(("jax", "flax", "tensorflow", "keras", "stable_baselines3")):
        return "one"
    if "torch" in libraries and view.program.complete and view.training:
        return "cpu"
    return None


def is_unclear(value: Val) -> bool:
    """Tell an argument that may be a device from dtypes and known names."""
    data = value.data
    if isinstance(data, External):
        return "device" in data.name
    return isinstance(data, Unknown) and not any(isinstance(part.data, External) for part in data.parts)


def device_name(value: Val) -> str | None:
    """Give the device that a value names."""
    data = value.data
    if isinstance(data, Made):
        text = data.kwargs.get("text")
        data = text.data if text is not None else data.args[0].data if data.short == "device" and data.args else None
    if isinstance(data, int) and not isinstance(data, bool):
        return "cuda"
    if isinstance(data, str) and data.partition(":")[0] in ("cuda", "cpu", "gpu", "npu", "xpu", "hpu"):
        return data
    return None


def find_distributed(view: View) -> None:
    """Name the strategies that the path uses; `none` where one process works alone."""
    found: dict[str, tuple[Spot, ...]] = {}
    from_configs(view, found)
    for event in view.events:
        label = NAME_OF.get(event.short)
        if label is None or not (event.sure or event.short != "DataParallel"):
            continue
        if single_process(view) and label in ("DDP", "FSDP", "Horovod") and not event.sure:
            continue
        found.setdefault(label, (event.spot,))
    if view.launch.distributed is not None and not found:
        found[view.launch.distributed[0]] = (view.launch.distributed[1],)
    if view.ending("deepspeed.initialize"):
        found.setdefault("DeepSpeed", (view.ending("deepspeed.initialize")[0].spot,))
    told_elsewhere = "accelerate.absent" in view.launch.options
    if (
        not found
        and not told_elsewhere
        and started_in_ranks(view.launch)
        and view.get("num_gpus") != 1
        and joins_processes(view)
    ):
        found["DDP"] = (view.launch.many or view.launch.launchers[-1][1],)
    if "FSDP" in found or "DeepSpeed" in found:
        found.pop("DDP", None)
    if found:
        view.keep("distributed", "+".join(found), tuple(spot for spots in found.values() for spot in spots))
        return
    if view.get("is_training") is not None and single_process(view) and view.program.complete:
        view.keep("distributed", "none", view.command_spot, "one process, no wrapper")


def single_process(view: View) -> bool:
    """Tell a program that is started once and starts no others."""
    return not started_in_ranks(view.launch) and "spawns" not in view.run.flags and not view.run.flags.get("submitit")


def joins_processes(view: View) -> bool:
    """Tell a program that works with the other processes through a library that does it by itself."""
    return bool(
        "distributed" in view.run.flags
        or trainer_arguments(view) is not None
        or "accelerator" in view.run.flags
        or view.named("all_reduce", "allreduce")
    )


def from_configs(view: View, found: dict[str, tuple[Spot, ...]]) -> None:
    """Take strategies from trainers' arguments and configurations."""
    arguments = trainer_arguments(view)
    if arguments is not None:
        for name, label in (("deepspeed", "DeepSpeed"), ("fsdp", "FSDP")):
            value = arguments.attrs.get(name)
            if value is not None and not isinstance(value.data, Unknown) and truth(value):
                found.setdefault(label, value.src)
    for event in view.lightning:
        strategy = event.kwargs.get("strategy")
        name = str(strategy.data) if strategy is not None and isinstance(strategy.data, str) else class_name(strategy)
        for word, label in (
            ("fsdp", "FSDP"),
            ("deepspeed", "DeepSpeed"),
            ("ddp", "DDP"),
            ("horovod", "Horovod"),
            ("modelparallel", "tensor parallel"),
        ):
            if word in name.lower():
                found.setdefault(label, strategy.src if strategy is not None and strategy.src else (event.spot,))
        devices = view.get("num_gpus")
        if not found and devices and devices > 1:
            found.setdefault("DDP", view.values["num_gpus"].spots)
    for mapping in view.namespaces:
        sharded = mapping.get("fsdp_config")
        if sharded is not None and isinstance(sharded.data, dict) and sharded.data and sharded.src:
            found.setdefault("FSDP", sharded.src)
    for key, word in (("distributed_type", ""), ("use_deepspeed", "DEEPSPEED"), ("use_fsdp", "FSDP")):
        value = view.launch.options.get(f"accelerate.{key}")
        if value is None:
            continue
        text = word or str(value.data).upper()
        kind = {"DEEPSPEED": "DeepSpeed", "FSDP": "FSDP", "MULTI_GPU": "DDP", "MEGATRON_LM": "Megatron"}.get(text)
        if kind is not None:
            found.setdefault(kind, value.src)
    if deepspeed_config(view) is not None and view.ending("deepspeed.initialize"):
        found.setdefault("DeepSpeed", (view.ending("deepspeed.initialize")[0].spot,))


def class_name(value: Val | None) -> str:
    """Name a strategy object's class."""
    return value.data.short if value is not None and isinstance(value.data, Made) else ""


def find_hardware(view: View) -> None:
    """Name the accelerator that a request or the head of a configuration states, and the CPU where it is all."""
    gpus = view.values.get("num_gpus")
    if gpus is not None and gpus.value == 0:
        view.keep("hardware", "CPU", gpus.spots)
    for name in ("gres", "gpus", "gpus_per_node", "constraint", "gpus_per_task"):
        value = view.launch.slurm.get(name)
        if value is not None:
            match = HARDWARE.search(f" {value.data} ".replace(":", " ").replace("_", " "))
            if match is not None:
                view.keep("hardware", hardware_name(str(match.group(1))), value.src)
            kind, _ = gpus_of(str(value.data))
            if kind and HARDWARE.search(f" {kind} "):
                view.keep("hardware", hardware_name(kind), value.src)
    asked = view.run.flags.get("submitit", {})
    for key in ("slurm_constraint", "constraint", "slurm_gres", "slurm_partition"):
        value = asked.get(key)
        if value is not None and is_constant(value) and isinstance(value.data, str):
            match = HARDWARE.search(f" {value.data} ")
            if match is not None:
                view.keep("hardware", hardware_name(str(match.group(1))), value.src)
    from_head_comments(view)


def hardware_name(text: str) -> str:
    """Write an accelerator's name as its maker does; `volta32gb` is a V100 of 32 GB."""
    name = text.upper().removeprefix("NVIDIA").strip("-_ ")
    if name.startswith("VOLTA"):
        return f"V100 {name[5:].removesuffix('GB')}GB".replace(" GB", "")
    return name


def from_head_comments(view: View) -> None:
    """Take the accelerator that the comment over a chosen configuration says it is meant for."""
    for path in chosen_files(view):
        if path == (view.program.entry.path if view.program.entry else ""):
            continue
        for number, line in enumerate(view.run.repository.read_text(path).split("\n")[:20], 1):
            if not line.lstrip().startswith("#") or line.startswith("#SBATCH"):
                continue
            match = COUNTED.search(line)
            if match is not None:
                view.keep("hardware", hardware_name(str(match.group(1))), (Spot(path, number),))
