"""ever: trainers for pictures of the earth that parse the command themselves and train by one configuration."""

import posixpath

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of
from schedmate.readers.code.configs.config_objects import merge_list
from schedmate.readers.code.configs.files import load_with_bases
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import arguments_of, split_words, word_text
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value, find_in, first, held, mapping_of

FOLDER = "configs"
"""Where a configuration lies that is named by dots: `unet.large` is `configs/unet/large.py`."""
OPTIONS = ("config_path", "model_dir", "local_rank", "trainer", "mixed_precision", "project", "entity")
OPTIMIZERS = {"sgd": "SGD", "adam": "Adam", "adamw": "AdamW", "fused_adam": "FusedAdam"}
TRAINS = ("run", "train_with_dataloader")


def get_trainer(call: Call) -> Value | None:
    """Model `get_trainer("th_ddp")`: it parses the command and loads the configuration, under the words."""
    given, others = split_words(arguments_of(call.run))
    told = {one.name: one.value for one in given if one.name in OPTIONS and one.value is not None}
    trainer = call.arg(0, "trainer_name") or told.get("trainer")
    attrs = {"trainer": trainer} if trainer is not None else {}
    attrs |= {"mixed_precision": told["mixed_precision"]} if "mixed_precision" in told else {}
    named = told.get("config_path")
    config = load_named_by_dots(call, word_text(named)) if named is not None else None
    if config is not None and isinstance(config.data, dict):
        merge_list(Call(call.run, "merge_from_list", [Value(others)], {}, call.spot, call.scope, owner=config))
        attrs |= {"config": config, "cfg": config}
    return call.made(attrs)


def load_named_by_dots(call: Call, name: str) -> Value | None:
    """Load the configuration that a path or a name with dots means."""
    path = name if name.endswith(".py") else f"{posixpath.join(FOLDER, *name.split('.'))}.py"
    found = call.run.find_file(path, call.run.workdir)
    loaded = load_with_bases(call.run, found) if found is not None else None
    return first(loaded, "config") if loaded is not None else None


def configs_of(view: View) -> list[tuple[Value, dict[str, Value]]]:
    """Give the configurations of the trainers that are run, with what else each trainer knows."""
    found = []
    for event in view.of("ever.", *TRAINS):
        made = held(event.owner, ExternalResult)
        while made is not None and "config" not in made.attrs:
            made = held(made.owner, ExternalResult)  # `get_trainer("th_ddp")()` gives the trainer itself
        if made is not None:
            found.append((made.attrs["config"], made.attrs))
    return found


def trains(view: View) -> None:
    """Say that a trainer that is run trains."""
    for event in view.of("ever.", *TRAINS):
        view.keep("is_training", True, (event.spot,))


def tell_all(view: View) -> None:
    """Take the fields of the configuration that a trainer is run by."""
    for config, known in configs_of(view):
        view.number("batch_size", first(config, "data.train.params.batch_size"))
        view.accumulates(first(config, "train.forward_times"))
        view.number("total_steps", first(config, "train.num_iters"))
        view.rule_out("epochs")
        kind = first(config, "optimizer.type")
        if kind is not None and isinstance(kind.data, str):
            keep_optimizer(view, Value(OPTIMIZERS.get(kind.data, kind.data), kind.src))
        view.number("learning_rate", first(config, "learning_rate.params.base_lr"))
        tell_trainer(view, known)
        for value in (find_in(config, "model.params.backbone.type"), first(config, "model.type")):
            family = family_of(str(value.data)) if value is not None else None
            if value is not None and family is not None:
                view.keep("model_type", family.kind, value.src)
        model = first(config, "model.type")
        if model is not None and isinstance(model.data, str):
            view.keep("model_name", model.data, model.src)
        data = mapping_of(first(config, "data.train"))
        for value in (data.get("type"), *mapping_of(data.get("params")).values()):
            set_known = known_dataset(str(value.data)) if value is not None and isinstance(value.data, str) else None
            if value is not None and set_known is not None:
                view.keep("dataset_name", set_known.name, value.src)


def tell_trainer(view: View, known: dict[str, Value]) -> None:
    """Take what a trainer's name says: `th_amp_ddp` computes in half precision, one with `ddp` spreads."""
    trainer, precision = known.get("trainer"), known.get("mixed_precision")
    name = trainer.data if trainer is not None and isinstance(trainer.data, str) else "" if trainer else "th_ddp"
    spots = trainer.src if trainer is not None and trainer.src else view.command_spot
    parts = name.split("_")
    if "amp" in parts or "apex" in parts:
        view.keep("precision", "fp16", spots)
    elif precision is not None:
        view.keep("precision", precision.data, precision.src)
    elif name:
        view.keep("precision", "fp32", spots, "no mixed precision is told")
    if "ddp" in parts:
        view.keep("distributed", "DDP", spots)


HOOKS: dict[str, Hook] = {**by_names("ever.trainer.get_trainer ever.api.trainer.get_trainer", get_trainer)}

RULES = (
    Rule(Subject.IS_TRAINING, "ever", trains),
    Rule(Subject.CONFIGURATION, "ever", tell_all),
)
