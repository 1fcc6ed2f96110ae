"""Accelerate and DeepSpeed: wrappers that hand the same objects back."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import Made, Native
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Val, unknown


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
    call.run.about(ProcessSigns).accelerator = made
    return Val(made, (call.spot,))


def engine_config(call: Call) -> Val | None:
    """Give the engine's configuration: handed over, named by a path, or named on the command line."""
    given = call.kwargs.get("config") or call.kwargs.get("config_params")
    if given is None:
        args = call.arg(0, "args")
        given = args.data.get("deepspeed_config") if args is not None and isinstance(args.data, dict) else None
    if given is None or isinstance(given.data, dict):
        return given
    return load_named(call.run, given, call.scope)


def add_engine_options(call: Call) -> Val | None:
    """Model `deepspeed.add_config_arguments(parser)`."""
    parser = call.arg(0)
    add = parser.data.get("add_argument") if parser is not None and isinstance(parser.data, Native) else None
    if add is not None:
        call.run.call(add, [Val("--deepspeed")], {"action": Val("store_true")}, call.spot, call.scope)
        call.run.call(add, [Val("--deepspeed_config")], {"default": Val(None)}, call.spot, call.scope)
    return parser


def initialize_deepspeed(call: Call) -> Val | None:
    """Model `deepspeed.initialize(...)`: the engine stands for the model."""
    call.run.about(ProcessSigns).joins = call.spot
    config = engine_config(call)
    if config is not None:
        call.run.configs.append(("deepspeed", config))
        call.kwargs["config"] = config
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
    "deepspeed.add_config_arguments": add_engine_options,
}
ENDINGS: dict[str, Hook] = {
    "Accelerator.prepare": accelerate_prepare,
    "Accelerator.prepare_model": accelerate_prepare,
    "Fabric.setup": accelerate_prepare,
    "Fabric.setup_dataloaders": accelerate_prepare,
}
