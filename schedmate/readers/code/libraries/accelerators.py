"""Accelerate and DeepSpeed: wrappers that hand the same objects back."""

from schedmate.readers.code.libraries.standard import keep_first
from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.things import Made
from schedmate.readers.code.values import Val, unknown


def accelerate_prepare(call: Call) -> Val | None:
    """Model `accelerator.prepare(a, b, ...)`: the same objects come back."""
    return call.args[0] if len(call.args) == 1 else Val(tuple(call.args))


def make_accelerator(call: Call) -> Val | None:
    """Model `Accelerator(...)` as its first process sees it."""
    attrs = {name: Val(True, (call.spot,)) for name in ("is_main_process", "is_local_main_process")}
    attrs["sync_gradients"] = unknown("depends on the step")
    count = call.run.facts.get("world_size")
    attrs["num_processes"] = count if count is not None else unknown("the number of processes")
    attrs["process_index"] = Val(0, (call.spot,))
    accumulation = call.kwargs.get("gradient_accumulation_steps")
    if accumulation is not None:
        attrs["gradient_accumulation_steps"] = accumulation
    if "mixed_precision" in call.kwargs:
        attrs["mixed_precision"] = call.kwargs["mixed_precision"]
    made = Made(call.name, call.args, call.kwargs, call.spot, attrs=attrs)
    call.run.flags["accelerator"] = made
    return Val(made, (call.spot,))


def initialize_deepspeed(call: Call) -> Val | None:
    """Model `deepspeed.initialize(...)`: the engine stands for the model."""
    call.run.flags["distributed"] = call.spot
    made = [
        Val(Made("deepspeed.Engine", [call.kwargs["model"]] if "model" in call.kwargs else [], call.kwargs, call.spot)),
        call.kwargs.get("optimizer") or unknown("the engine's optimizer"),
        unknown("a loader"),
        unknown("a scheduler"),
    ]
    return Val(tuple(made), (call.spot,))


HOOKS: dict[str, Hook] = {
    "deepspeed.initialize": initialize_deepspeed,
    "accelerate.Accelerator": make_accelerator,
    "deepspeed.add_config_arguments": keep_first,
}
ENDINGS: dict[str, Hook] = {
    "Accelerator.prepare": accelerate_prepare,
    "Accelerator.prepare_model": accelerate_prepare,
    "Fabric.setup": accelerate_prepare,
    "Fabric.setup_dataloaders": accelerate_prepare,
}
