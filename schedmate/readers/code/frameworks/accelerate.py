"""Hugging Face Accelerate: wraps model, optimizer and data; its launcher settles processes and precision."""

from schedmate.readers.code.configs.files import load_config
from schedmate.readers.code.evidence.precision_words import keep_precision
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.torch import launch_function
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.libraries.standard_library import keep_all
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import Value, held, unknown

STRATEGIES = {
    "DEEPSPEED": "DeepSpeed", "FSDP": "FSDP", "MULTI_GPU": "DDP", "MEGATRON_LM": "Megatron",
    "XLA": "XLA data parallel", "TPU": "XLA data parallel",
}  # fmt: skip


def make_accelerator(call: Call) -> Value | None:
    """Model `Accelerator(...)` as its first process sees it."""
    attrs = {name: Value(True, (call.spot,)) for name in ("is_main_process", "is_local_main_process")}
    attrs["sync_gradients"] = unknown("depends on the step")
    count = call.run.facts.get("world_size")
    attrs["num_processes"] = count if count is not None else unknown("the number of processes")
    attrs["process_index"] = Value(0, (call.spot,))
    attrs |= {
        name: call.kwargs[name] for name in ("gradient_accumulation_steps", "mixed_precision") if name in call.kwargs
    }
    made = call.made(attrs)
    call.run.about(ProcessSigns).wraps = made.data
    return made


def settle_launch(run: Run, launch: Launch) -> None:
    """Take from accelerate's configuration what its options leave open; one that is not here is noted."""
    given = launch.options.get("accelerate.config_file")
    if given is None or not isinstance(given.data, str):
        return
    path = run.repository.find_file(given.data, launch.workdir, ".")
    if path is None:
        run.note(f"accelerate's configuration {given.data} is not in the repository")
        launch.absent = given
        return
    config = load_config(run, path)
    if config is None or not isinstance(config.data, dict):
        return
    run.configs.append(("accelerate", config))
    total, machines = config.data.get("num_processes"), config.data.get("num_machines")
    if launch.total is None and held(total, int) is not None:
        launch.total = total
    if launch.nodes is None and held(machines, int) is not None:
        launch.nodes = machines
    for key in ("mixed_precision", "distributed_type", "deepspeed_config", "fsdp_config"):
        if key in config.data:
            launch.options.setdefault(f"accelerate.{key}", config.data[key])


def tell_precision(view: View) -> None:
    """Take the mixed precision that the launcher is told, then the object's."""
    keep_precision(view, view.launch.options.get("accelerate.mixed_precision"))
    for event in view.named("Accelerator"):
        keep_precision(view, event.kwargs.get("mixed_precision"))


def tell_strategy(view: View) -> None:
    """Take how the launcher's options and configuration spread the work."""
    for key, word in (("distributed_type", ""), ("use_deepspeed", "DEEPSPEED"), ("use_fsdp", "FSDP")):
        value = view.launch.options.get(f"accelerate.{key}")
        kind = STRATEGIES.get(word or str(value.data).upper()) if value is not None else None
        if value is not None and kind is not None:
            view.spreads(kind, value.src)


def tell_accumulation(view: View) -> None:
    """Take the object's, where the loop goes by it."""
    made = view.run.about(ProcessSigns).wraps
    if made is not None and view.named("accumulate"):
        view.accumulates(made.kwargs.get("gradient_accumulation_steps"))


SETTLE_LAUNCH = settle_launch
HOOKS: dict[str, Hook] = {"accelerate.Accelerator": make_accelerator, "accelerate.notebook_launcher": launch_function}
ENDINGS: dict[str, Hook] = by_names("Accelerator.prepare Accelerator.prepare_model", keep_all)
RULES = (
    Rule((Subject.PRECISION, Subject.CASTS), "Accelerate", tell_precision),
    Rule(Subject.DISTRIBUTED, "Accelerate", tell_strategy),
    Rule(Subject.ACCUMULATION, "Accelerate", tell_accumulation),
)
