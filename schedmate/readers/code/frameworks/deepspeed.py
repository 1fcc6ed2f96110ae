"""DeepSpeed: an engine that stands for the model, and its configuration: batches, optimizer, precision, sharding."""

from schedmate.readers.code.configs.files import load_named
from schedmate.readers.code.evidence.device_counts import data_parallel_size
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.torch import init_group, rank, world_size
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult, LibraryObject
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Unknown, Value, find_in, join_spots, mapping_of, unknown

DEEPSPEED_ONLY = frozenset({"train_micro_batch_size_per_gpu", "zero_optimization", "zero_allow_untested_optimizer"})
BESIDE_DEEPSPEEDS_BATCH = frozenset({"steps_per_print", "wall_clock_breakdown", "fp16", "bf16", "gradient_clipping"})


def engine_config(call: Call) -> Value | None:
    """Give the engine's configuration: handed over, named by a path, or named on the command line."""
    given = call.kwargs.get("config") or call.kwargs.get("config_params")
    if given is None:
        given = mapping_of(call.arg(0, "args")).get("deepspeed_config")
    if given is None or isinstance(given.data, dict):
        return given
    return load_named(call.run, given, call.scope)


def add_engine_options(call: Call) -> Value | None:
    """Model `deepspeed.add_config_arguments(parser)`."""
    parser = call.arg(0)
    add = parser.data.get("add_argument") if parser is not None and isinstance(parser.data, LibraryObject) else None
    if add is not None:
        call.run.call(add, [Value("--deepspeed")], {"action": Value("store_true")}, call.spot, call.scope)
        call.run.call(add, [Value("--deepspeed_config")], {"default": Value(None)}, call.spot, call.scope)
    return parser


def initialize_deepspeed(call: Call) -> Value | None:
    """Model `deepspeed.initialize(...)`: the engine stands for the model."""
    call.run.about(ProcessSigns).joins = call.spot
    config = engine_config(call)
    if config is not None:
        call.run.configs.append(("deepspeed", config))
        call.kwargs["config"] = config
    models = [call.kwargs["model"]] if "model" in call.kwargs else []
    engine = Value(ExternalResult("deepspeed.Engine", models, call.kwargs, call.spot))
    optimizer = call.kwargs.get("optimizer") or unknown("the engine's optimizer")
    return Value((engine, optimizer, unknown("a loader"), unknown("a scheduler")), (call.spot,))


def deepspeed_config(view: View) -> dict[str, Value] | None:
    """Give DeepSpeed's configuration, where one was loaded or written in code."""
    for event in view.ending("deepspeed.initialize"):
        for name in ("config", "config_params"):
            value = event.kwargs.get(name)
            if value is not None and isinstance(value.data, dict):
                return value.data
    for _, value in view.run.configs:
        if isinstance(value.data, dict) and is_deepspeed(view, set(value.data)):
            return value.data
    return None


def is_deepspeed(view: View, keys: set[str]) -> bool:
    """Tell DeepSpeed's configuration by keys that only it has; a `train_batch_size` others have, too."""
    if keys & DEEPSPEED_ONLY:
        return True
    spoken_of = "deepspeed" in view.program.command or any(name.startswith("deepspeed") for name in view.run.imports)
    return spoken_of and "train_batch_size" in keys and bool(keys & BESIDE_DEEPSPEEDS_BATCH)


def tell_precision(view: View) -> None:
    """Take the precision of DeepSpeed's configuration; without it, as it is never missing, that is open."""
    told = deepspeed_config(view)
    if told is None and any(event.sure for event in view.ending("deepspeed.initialize")):
        view.unsettled.add("precision")
    config = told or {}
    for key, name in (("bf16", "bf16"), ("bfloat16", "bf16"), ("fp16", "fp16")):
        enabled = mapping_of(config.get(key)).get("enabled")
        if enabled is not None and enabled.data is True:
            view.keep("precision", name, enabled.src)


def tell_optimizer(view: View) -> None:
    """Take the optimizer of DeepSpeed's configuration."""
    told = mapping_of((deepspeed_config(view) or {}).get("optimizer"))
    modes = [mapping_of(place).get("adam_w_mode") for place in (Value(told), told.get("params"))]
    decoupled = next((mode for mode in modes if mode is not None and mode.data is True), None)
    if decoupled is not None and str(told.get("type", Value("")).data).lower() == "adam":
        view.keep("optimizer", "AdamW", decoupled.src)
    keep_optimizer(view, told.get("type"))
    view.number("learning_rate", mapping_of(told.get("params")).get("lr"))


def tell_batch(view: View) -> None:
    """Take the micro-batch, or the share of a step's batch."""
    config = deepspeed_config(view)
    if config is not None:
        view.number("batch_size", config.get("train_micro_batch_size_per_gpu"))
        shared_out(view, config)


def shared_out(view: View, deepspeed: dict[str, Value]) -> None:
    """Work a device's share out of DeepSpeed's batch of a whole step, as its engine does."""
    whole, steps = deepspeed.get("train_batch_size"), deepspeed.get("gradient_accumulation_steps") or Value(1)
    replicas = data_parallel_size(view)
    if whole is None or replicas is None or not isinstance(whole.data, int) or not isinstance(steps.data, int):
        return
    share, rest = divmod(whole.data, max(1, replicas.data * steps.data))
    if not rest:
        view.keep("batch_size", share, join_spots(whole, steps, replicas), "a step's batch shared out")


def tell_whole_batch(view: View) -> None:
    """Take a step's batch; one that is worked out at run time is not the constant of like name that it replaces."""
    told = (deepspeed_config(view) or {}).get("train_batch_size")
    view.number("global_batch_size", told)
    if told is not None and isinstance(told.data, Unknown):
        view.unsettled.add("global_batch_size")


def tell_accumulation(view: View) -> None:
    """Take the configuration's."""
    view.accumulates((deepspeed_config(view) or {}).get("gradient_accumulation_steps"))


def tell_strategy(view: View) -> None:
    """Say that an engine is made by a configuration."""
    if deepspeed_config(view) is not None:
        made_engine(view)


def made_engine(view: View) -> None:
    """Say that an engine is made."""
    for event in view.ending("deepspeed.initialize")[:1]:
        view.spreads("DeepSpeed", (event.spot,))


def tell_stage(view: View) -> None:
    """Take how far the engine shards."""
    stage = find_in(Value(deepspeed_config(view)), "zero_optimization.stage")
    if stage is not None and isinstance(stage.data, int):
        view.keep("extra.zero_stage", stage.data, stage.src)


HOOKS: dict[str, Hook] = {
    "deepspeed.initialize": initialize_deepspeed,
    "deepspeed.add_config_arguments": add_engine_options,
    "deepspeed.init_distributed": init_group,
    "deepspeed.comm.get_world_size": world_size,
    "deepspeed.comm.get_rank": rank,
}
RULES = (
    Rule(Subject.PRECISION, "DeepSpeed", tell_precision),
    Rule(Subject.OPTIMIZER, "DeepSpeed", tell_optimizer),
    Rule(Subject.BATCH, "DeepSpeed", tell_batch),
    Rule(Subject.GLOBAL_BATCH, "DeepSpeed", tell_whole_batch),
    Rule(Subject.ACCUMULATION, "DeepSpeed", tell_accumulation),
    Rule(Subject.DISTRIBUTED, "DeepSpeed", tell_strategy),
    Rule(Subject.DISTRIBUTED, "DeepSpeed's engine on the path", made_engine),
    Rule(Subject.EXTRAS, "DeepSpeed", tell_stage),
)
