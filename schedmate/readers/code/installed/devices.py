"""Devices, strategy and precision of an installed program's job."""

from schedmate.counts import how_many
from schedmate.knowledge.programs import ProgramRow
from schedmate.readers.code.evidence.device_counts import SERVED, serves_beside
from schedmate.readers.code.evidence.precision_words import keep_precision, precision_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.installed.configuration import find_config, only_item
from schedmate.readers.code.launchers.settled_counts import node_count, process_count, started_in_ranks
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.value import SourceLocation, Value, first, join_spots, product

MESH = {"tensor_parallel_size": "TP", "context_parallel_size": "CP", "pipeline_parallel_size": "PP"}


def fill_processes(view: View, keys: dict[str, list[str]], options: Value, entry: ProgramRow) -> None:
    """Take devices and nodes from the configuration; what takes every visible GPU has no known number of them."""
    if started_in_ranks(view.launch):
        return
    count = first(options, *keys.get("num_gpus", ()))
    nodes = first(options, *keys.get("num_nodes", ()))
    if count is not None and isinstance(count.data, int) and count.data > 0:
        view.number("num_gpus", count)
    per_node = first(options, *keys.get("num_devices", ()))
    if per_node is not None and isinstance(per_node.data, int) and not isinstance(per_node.data, bool):
        times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1
        view.number("num_gpus", Value(per_node.data * times, join_spots(per_node, *([nodes] if nodes else []))))
    view.number("num_nodes", nodes)
    devices = first(options, *keys.get("devices", ()))
    if devices is not None:
        view.keep("num_gpus", listed_devices(devices, entry.get("minus_is_cpu", False)), devices.src)
    view.number("num_gpus", parallel_shape(options))
    gpus = view.get("num_gpus")
    if gpus is not None and gpus > 8:
        view.rule_out("num_nodes")
    if entry.get("all_gpus"):
        view.run.about(ProcessSigns).takes_all = True


def listed_devices(devices: Value, minus_is_cpu: bool) -> int | None:
    """Count the devices that are listed: `0,1,2`, `[0, 1]`, `cuda:0`, one by its number, `cpu`."""
    devices = only_item(devices)
    if isinstance(devices.data, int):
        return 0 if minus_is_cpu and devices.data < 0 else 1
    if isinstance(devices.data, str):
        if minus_is_cpu and devices.data.startswith("-"):
            return 0
        count = sum(part.strip().removeprefix("cuda:").isdigit() for part in devices.data.split(","))
        return 0 if devices.data == "cpu" else count or None
    return len(devices.data) or None if isinstance(devices.data, list) else None


def parallel_shape(options: Value) -> Value | None:
    """Multiply the sizes of a device mesh that is given in full; -1 leaves it open."""
    names = ("dp_replicate_size", "dp_shard_size", "tensor_parallel_size", "context_parallel_size")
    sizes = [options.data[name] for name in names if name in options.data]
    return product(*sizes) if len(sizes) > 1 and all(counts(size) for size in sizes) else None


def counts(size: Value) -> bool:
    """Tell a size that counts something: neither left open by -1 nor nought."""
    return not isinstance(size.data, int) or size.data > 0


def fill_strategy(view: View, keys: dict[str, list[str]], options: Value) -> None:
    """Take DeepSpeed, FSDP and tensor parallelism from the configuration, DeepSpeed's own file with it."""
    found: dict[str, tuple[SourceLocation, ...]] = {}
    for key, label in (("deepspeed", "DeepSpeed"), ("fsdp", "FSDP")):
        value = first(options, *keys.get(key, ()))
        if value is not None and truth(value) and value.data != "auto":
            found[label] = value.src
            if key == "deepspeed" and isinstance(value.data, str) and value.data.endswith(".json"):
                loaded = find_config(view, None, value.data, {})
                if loaded is not None:
                    view.run.configs.append(("deepspeed", loaded))
    for name, label in MESH.items():
        value = options.data.get(name)
        served = name in SERVED and serves_beside(options.data)
        if value is not None and isinstance(value.data, int) and value.data > 1 and not served:
            found[label] = value.src
    count = process_count(view.launch, node_count(view.launch))
    if not found and started_in_ranks(view.launch) and (count is None or count.data != 1):
        launchers = view.launch.launchers
        found["DDP"] = (launchers[-1][1] if launchers else view.launch.many or view.launch.spot,)
    if found:
        view.keep("distributed", "+".join(found), tuple(spot for spots in found.values() for spot in spots))


def share_batch(view: View, entry: ProgramRow, options: Value) -> None:
    """Settle what a program with a nominal batch makes of its devices: shares, accumulation, processes, precision."""
    nominal, batch, gpus = entry.get("nominal_batch"), view.values.get("batch_size"), view.values.get("num_gpus")
    if nominal is None or view.get("is_training") is False or gpus is None or gpus.value is None:
        return
    view.keep("distributed", "DDP" if gpus.value > 1 else "none", gpus.spots, f"{entry['id']} starts a process a GPU")
    switch = options.data.get(entry.get("mixed", ""))
    if switch is None and gpus.value:
        view.keep("precision", "fp16", gpus.spots, f"default of {entry['id']}: {entry['mixed']} = true")
    elif not gpus.value or (switch is not None and switch.data is False):
        view.keep("precision", "fp32", switch.src if switch is not None else gpus.spots)
    if batch is None or not isinstance(batch.value, int) or batch.value % max(1, gpus.value):
        return
    steps = max(1, round(nominal / batch.value))
    note = f"accumulated {how_many(steps, 'time')} towards {nominal}"
    view.keep("global_batch_size", batch.value * steps, batch.spots, note)
    view.correct("batch_size", batch.value // max(1, gpus.value), batch.spots, "shared among the GPUs")


def fill_precision(view: View, keys: dict[str, list[str]], options: Value) -> None:
    """Take the precision; `bf16: auto` computes in bfloat16 where the GPU has it."""
    kind = first(options, "fp16.type")
    keep_precision(view, kind)
    for name in ("bf16", "fp16", "bfloat16"):
        value = first(options, *keys.get(name, ()), name)
        if value is not None and (value.data is True or value.data in ("auto", "full", "true")):
            note = "where the GPU has it" if value.data == "auto" else ""
            view.keep("precision", "fp16" if name == "fp16" else "bf16", value.src, note)
    value = first(options, *keys.get("precision", ()), "pure_bf16")
    if value is not None:
        known = "bf16" if value.data is True else precision_of(value)
        if known is not None:
            view.keep("precision", known, value.src)
