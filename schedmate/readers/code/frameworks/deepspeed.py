"""DeepSpeed: an engine that stands for the model, and its configuration of batches, optimizer, precision and sharding."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import Made, Native
from schedmate.readers.code.values.run import Call
from schedmate.readers.code.values.value import Val, unknown


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


def deepspeed_config(view: View) -> dict[str, Val] | None:
    """Give DeepSpeed's configuration, where one was loaded or written in code."""
    for event in view.ending("deepspeed.initialize"):
        for name in ("config", "config_params"):
            value = event.kwargs.get(name)
            if value is not None and isinstance(value.data, dict):
                return value.data
    for _, value in view.run.configs:
        if isinstance(value.data, dict) and is_deepspeed(set(value.data)):
            return value.data
    return None


def is_deepspeed(keys: set[str]) -> bool:
    """Tell DeepSpeed's configuration by keys that only it has; others have a `train_batch_size`, too."""
    return bool(keys & DEEPSPEED_ONLY) or ("train_batch_size" in keys and bool(keys & BESIDE_DEEPSPEEDS_BATCH))


DEEPSPEED_ONLY = frozenset({"train_micro_batch_size_per_gpu", "zero_optimization", "zero_allow_untested_optimizer"})


BESIDE_DEEPSPEEDS_BATCH = frozenset({"steps_per_print", "wall_clock_breakdown", "fp16", "bf16", "gradient_clipping"})


def from_deepspeed(view: View) -> None:
    """Take the precision of DeepSpeed's configuration."""
    config = deepspeed_config(view) or {}
    for key, name in (("bf16", "bf16"), ("bfloat16", "bf16"), ("fp16", "fp16")):
        node = config.get(key)
        enabled = node.data.get("enabled") if node is not None and isinstance(node.data, dict) else None
        if enabled is not None and enabled.data is True:
            view.keep("precision", name, enabled.src)
