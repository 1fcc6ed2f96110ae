"""Where a value came from: the object behind wrappers, methods and lists."""

from schedmate.readers.code.values.objects import ExternalResult, Instance, Partial
from schedmate.readers.code.values.value import Unknown, Value

PASSING = frozenset({
    "parameters", "collect_params", "named_parameters", "filter", "list", "trainable_variables", "chain", "modules",
    "children", "values", "param_groups_weight_decay", "add_weight_decay", "param_groups_lrd",
    "get_parameter_groups", "items", "init"
})  # fmt: skip
WRAPPERS = frozenset({
    "DistributedDataParallel", "DataParallel", "FullyShardedDataParallel", "FSDP", "DDP", "fully_shard", "compile",
    "Engine", "prepare", "to", "cuda", "convert_sync_batchnorm", "get_peft_model", "replicate",
    "DistributedDataParallelCPU", "prepare_model_for_kbit_training", "prepare_model", "broadcast",
    "ShardedDataParallel", "initialize", "wrap", "setup"
})  # fmt: skip


def origin(value: Value | None, depth: int = 0) -> Value | None:
    """Go back from a wrapper, a method's result or a list to the object that it was made from: a model, mostly."""
    if value is None or depth > 12:
        return None
    data = value.data
    if isinstance(data, Instance):
        return value
    if isinstance(data, ExternalResult):
        if data.short in PASSING:
            inner = data.owner or (data.args[0] if data.args else next(iter(data.kwargs.values()), None))
            return origin(inner, depth + 1)
        if data.short in WRAPPERS:
            inner = data.kwargs.get("model") or data.kwargs.get("module") or (data.args[0] if data.args else None)
            found = origin(inner, depth + 1)
            return found or value
        return value
    if isinstance(data, Partial):
        return value
    if isinstance(data, (list, tuple)):
        return next((found for item in data if isinstance(item, Value) and (found := origin(item, depth + 1))), None)
    if isinstance(data, dict):
        inner = data.get("params")
        return origin(inner, depth + 1) if inner is not None else None
    if isinstance(data, Unknown):
        return next((found for part in data.parts if (found := origin(part, depth + 1))), None)
    if hasattr(data, "owner") and data.owner is not None:
        return origin(data.owner, depth + 1)
    return None
