"""Composer: a trainer that is told all as arguments, its duration in words like 10ep."""

import re2

from schedmate.readers.code.evidence.data_loaders import training_loaders
from schedmate.readers.code.evidence.precision_words import keep_precision
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.frameworks.torch import world_size
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, held, mapping_of

DURATION = re2.compile(r"^([0-9]+)(ep|ba)$")


def read_composer(view: View) -> None:
    """Take Composer's duration, precision and micro-batch; its loaders give what one process sees in a step."""
    for event in view.of("composer.", "Trainer"):
        duration = event.kwargs.get("max_duration")
        view.number("epochs", duration)
        if duration is not None and (match := DURATION.match(held(duration, str) or "")):
            in_epochs = match.group(2) == "ep"
            view.number("epochs" if in_epochs else "total_steps", Value(int(match.group(1)), duration.src))
            if not in_epochs:
                view.rule_out("epochs")
        precision = event.kwargs.get("precision")
        if precision is None:
            keep_default(view, "precision", event, "fp16", "composer.Trainer: precision = amp_fp16 on GPUs")
        else:
            keep_precision(view, precision, event.spot)
            view.rule_out("precision")
        for key in ("fsdp_config", "parallelism_config"):
            sharded = event.kwargs.get(key)
            if sharded is not None and mapping_of(sharded):
                view.keep("distributed", "FSDP", sharded.src or (event.spot,))
        loaders = training_loaders(view)
        whole = loaders[0].arg(1, "batch_size") if loaders else None
        gpus = view.values.get("num_gpus")
        if whole is not None and isinstance(whole.data, int) and gpus is not None and gpus.value:
            spots = (*whole.src[:1], *gpus.spots[:1])
            view.keep("global_batch_size", whole.data * gpus.value, spots, "batch of a process x processes")
        view.number("batch_size", event.kwargs.get("device_train_microbatch_size"))


def tell_strategy(view: View) -> None:
    """Take the sharding that its configurations hold."""
    for mapping in view.namespaces:
        sharded = mapping.get("fsdp_config")
        if sharded is not None and mapping_of(sharded) and sharded.src:
            view.spreads("FSDP", sharded.src)


def pop_setting(call: Call) -> Value | None:
    """Model LLM Foundry's `pop_config`: a setting is taken out of a configuration."""
    mapping, key = mapping_of(call.arg(0, "cfg")), call.constant(1, "key", None)
    if not mapping or not isinstance(key, str):
        return None
    return mapping.pop(key, None) or call.kwargs.get("default_value")


HOOKS: dict[str, Hook] = {
    "composer.utils.dist.get_world_size": world_size,
    "llmfoundry.utils.config_utils.update_batch_size_info": lambda call: call.arg(0, "cfg"),
    "llmfoundry.utils.config_utils.pop_config": pop_setting,
}
RULES = (
    Rule(Subject.TRAINER, "Composer", read_composer),
    Rule(Subject.DISTRIBUTED, "Composer", tell_strategy),
)
