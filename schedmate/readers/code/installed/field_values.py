"""Take each field from its keys, then from usual names, then from the program's defaults."""

import posixpath

import re2

from schedmate.counts import how_many
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of
from schedmate.knowledge.optimizers import canonical
from schedmate.knowledge.programs import ProgramRow
from schedmate.readers.code.evidence.subjects import LENGTH
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.datasets import from_list
from schedmate.readers.code.fields.data.telling_paths import telling_part
from schedmate.readers.code.fields.networks.tidy_names import tidy
from schedmate.readers.code.fields.words.command_names import lies_among_data
from schedmate.readers.code.frameworks.mmengine import text_of
from schedmate.readers.code.installed.configuration import CONFIG_ENDINGS, ToolFacts, only_item
from schedmate.readers.code.installed.devices import fill_precision, fill_processes, fill_strategy, share_batch
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation, Value, first, product

VERSION = re2.compile(r"\.v\d+$")
"""How registries number what they hold: `Adam.v1`."""
NUMBER = re2.compile(r"\d{1,12}(?:\.\d{0,12})?(?:[eE][-+]?\d{1,2})?")
"""A number as a text: from the environment, or of another language."""


def fill_fields(view: View, entry: ProgramRow, options: Value, spot: SourceLocation) -> None:
    """Take each field from its keys, then from usual names, then from the program's defaults."""
    keys: dict[str, list[str]] = entry.get("keys", {})
    for name in ("batch_size", "global_batch_size", "epochs", "total_steps", "learning_rate"):
        if name in entry.get("not_keys", ()):
            view.rule_out(name)
            continue
        value = first(options, *keys.get(name, ()))
        if value is not None and name == "global_batch_size":
            view.number(name, with_answers(only_item(value), entry, options))
        elif value is not None:
            view.number(name, as_number(only_item(value)))
    steps = view.values.get("total_steps")
    if steps is not None and steps.value and not entry.get("defaults", {}).get("total_steps"):
        view.rule_out("epochs")
    fill_names(view, entry, options)
    fill_processes(view, keys, options, entry)
    recipe_words(view, entry)
    fill_strategy(view, keys, options)
    fill_precision(view, keys, options)
    take_task_words(view, entry)
    fill_defaults(view, entry, options, spot)
    share_batch(view, entry, options)
    share_samples(view, first(options, *keys.get("samples_in_all", ())))
    if entry.get("tuning"):
        name_tuning(view, options, keys.get("stage", ["stage", "rl", "rlhf_type"]))
    view.keep("task", entry.get("task") if not is_multimodal(view) else "multimodal", view.command_spot)
    view.keep("task_fine", entry.get("task_fine"), view.command_spot)


def as_number(value: Value) -> Value:
    """Read a number that stands as a text, as one that came from the environment does."""
    if isinstance(value.data, str) and NUMBER.fullmatch(value.data):
        return Value(float(value.data), value.src)
    return value


def share_samples(view: View, samples: Value | None) -> None:
    """Share out the samples that such a program is told to train on in all, where it is told no steps."""
    whole = view.values.get("global_batch_size")
    if samples is None or whole is None or any(map(view.knows, LENGTH)):
        return
    count, batch = int(str(samples.data)) if str(samples.data).isdigit() else 0, whole.value
    if type(batch) is int and 0 < batch < count:
        spots = (*samples.src[:1], *whole.spots[:1])
        view.keep("total_steps", count // batch, spots, f"{how_many(count, 'sample')} in steps of {batch}")


def with_answers(prompts: Value, entry: ProgramRow, options: Value) -> Value:
    """Count the answers to so many prompts, where the program's batch is one of prompts."""
    return product(prompts, first(options, entry["answers"]) if "answers" in entry else None) or prompts


def take_task_words(view: View, entry: ProgramRow) -> None:
    """Take the task that a word of the command says: `yolo segment train`, `task=pose`."""
    for word in view.launch.words[1:]:
        fine = entry.get("task_words", {}).get(word_text(word).removeprefix("task="))
        view.keep("task_fine", fine, word.src or view.command_spot)


def fill_defaults(view: View, entry: ProgramRow, options: Value, spot: SourceLocation) -> None:
    """Take the program's own defaults for what nothing sets; without its configuration they say nothing."""
    if view.run.about(ToolFacts).without_configuration:
        return
    keys = entry.get("keys", {})
    for name, value in entry.get("defaults", {}).items():
        told = first(options, *keys.get(name, ())) or view.option(name)
        is_set = told is not None and not isinstance(told.data, dict)
        if is_set or name == "accumulation":
            continue
        note = f"default of {entry['id']}: {name} = {value}"
        view.keep(name, value, (spot.as_default(note),), note)


def fill_names(view: View, entry: ProgramRow, options: Value) -> None:
    """Take model, optimizer and data by their keys."""
    keys = entry.get("keys", {})
    model = first(options, *keys.get("model_name", ()))
    if model is not None and isinstance(model.data, str):
        text = model.data.rpartition(".")[2] if "._component_" in str(keys.get("model_name")) else tidy(model.data)
        view.keep("model_name", text, model.src)
    view.keep("model_name", entry.get("model"), view.command_spot)
    optimizer = first(options, *keys.get("optimizer", ()), "optimizer", "optim")
    if optimizer is not None and isinstance(optimizer.data, str):
        text = VERSION.sub("", optimizer.data).rpartition(".")[2]
        view.keep("optimizer", canonical(text) or text, optimizer.src)
    data = first(options, *keys.get("dataset_name", ()))
    if data is not None and isinstance(data.data, list) and data.data:
        from_list(view, data.data[0])
    elif data is not None and isinstance(data.data, dict):
        from_list(view, data)
    elif data is not None and isinstance(data.data, str):
        is_component = "_component_" in str(keys.get("dataset_name")) and "/" not in data.data
        text = data.data.rpartition(".")[2] if is_component else data.data
        is_path = text.startswith(("/", ".", "~", "$")) or text.endswith(CONFIG_ENDINGS) or text.count("/") > 1
        among = text if lies_among_data(text) else ""
        known = known_dataset(text) if is_path or among else (text, "")
        below_host = text.partition("://")[2].partition("/")[2]
        view.keep(
            "dataset_name", known[0] if known is not None else telling_part(below_host or among) or None, data.src
        )


def name_tuning(view: View, options: Value, stages: list[str]) -> None:
    """Say what kind of tuning is asked for: by the stage or the kind of data, and whether with adapters."""
    stage = first(options, *stages)
    text = text_of(stage).lower()
    if first(options, "pretraining_dataset") is not None or text == "pt":
        label = "pre-training"
    elif text in ("dpo", "orpo", "kto", "simpo", "ipo", "cpo", "rm", "ppo", "grpo"):
        label = f"preference tuning ({text})"
    else:
        label = "supervised fine-tuning"
    adapter = first(options, "adapter", "finetuning_type", "tuner_type", "train_type")
    if adapter is not None and isinstance(adapter.data, str) and adapter.data in ("lora", "qlora"):
        label += f" ({adapter.data})"
    spots = stage.src if stage is not None else adapter.src if adapter is not None else view.command_spot
    view.keep("task_fine", f"vision-language {label}" if is_multimodal(view) else label, spots or view.command_spot)


def recipe_words(view: View, entry: ProgramRow) -> None:
    """Take what the name of a recipe or script tells."""
    text = " ".join(word_text(word) for word in view.launch.words)
    named = [strategy for word, strategy in entry.get("recipes", {}).items() if word in text]
    for strategy in named[:1]:
        view.keep("distributed", strategy, view.command_spot)
        if strategy == "none":
            view.keep("num_gpus", 1, view.command_spot, "a recipe for one device")
    if "strategy" in entry and not named and (started_in_ranks(view.launch) or entry.get("starts_ranks")):
        label = view.get("distributed") if view.get("distributed") != "DDP" else ""
        view.correct("distributed", "+".join(part for part in (entry["strategy"], label) if part), view.command_spot)
    stem = posixpath.basename(view.launch.name).rpartition(".")[0]
    view.keep("model_name", entry.get("name_from_script", {}).get(stem), view.command_spot)


def is_multimodal(view: View) -> bool:
    """Tell a model that sees or hears by its name."""
    family = family_of(str(view.get("model_name") or ""))
    return family is not None and family.task == "multimodal"
