"""Hugging Face Accelerate: wraps model, optimizer and data; its launcher's configuration settles processes and precision."""

import posixpath

from schedmate.readers.code.configs.files import load_config
from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import Made
from schedmate.readers.code.values.run import Call, Run
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


def read_accelerate(run: Run, launch: Launch) -> None:
    """Take from accelerate's configuration what its options leave open; one that is not here is noted."""
    given = launch.options.get("accelerate.config_file")
    if given is None or not isinstance(given.data, str):
        return
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, given.data))
        if run.repository.is_file(path):
            config = load_config(run, path)
            if config is None or not isinstance(config.data, dict):
                return
            run.configs.append(("accelerate", config))
            total, machines = config.data.get("num_processes"), config.data.get("num_machines")
            if launch.total is None and total is not None and isinstance(total.data, int):
                launch.total = total
            if launch.nodes is None and machines is not None and isinstance(machines.data, int):
                launch.nodes = machines
            for key in ("mixed_precision", "distributed_type", "deepspeed_config", "fsdp_config"):
                if key in config.data:
                    launch.options.setdefault(f"accelerate.{key}", config.data[key])
            return
    run.note(f"accelerate's configuration {given.data} is not in the repository")
    launch.options["accelerate.absent"] = given


def from_accelerate(view: View) -> None:
    """Take accelerate's mixed precision: of the launcher, then of the object."""
    value = view.launch.options.get("accelerate.mixed_precision")
    if value is not None and (name := precision_of(value)) is not None:
        view.keep("precision", name, value.src)
    given = view.launch.options.get("fabric.precision")
    if given is not None and (name := precision_of(given)) is not None:
        view.keep("precision", name, given.src)
    for event in view.named("Accelerator", "Booster"):
        value = event.kwargs.get("mixed_precision")
        name = precision_of(value)
        if name is not None and value is not None:
            view.keep("precision", name, value.src)
