"""Trainers that a program hands all it wants as arguments: Composer's, Ultralytics', RLlib's, Coqui's."""

import re2

from schedmate.knowledge.optimizers import canonical
from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.fields.batches import training_loaders
from schedmate.readers.code.fields.precision_words import precision_of
from schedmate.readers.code.fields.processes import count_devices
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Spot, Unknown, Val, is_constant

DURATION = re2.compile(r"^([0-9]+)(ep|ba)$")


def read_told_trainers(view: View) -> None:
    """Take what the first such trainer on the path is told, and what it does by itself."""
    for event in view.events:
        if event.short == "Trainer" and event.name.startswith("composer."):
            read_composer(view, event)
        elif event.short == "train" and "YOLO" in event.name:
            read_ultralytics(view, event)
        elif event.name.startswith("ray.rllib."):
            read_rllib(view, event)
        elif event.name == "trainer.Trainer":
            read_coqui(view, event)
        elif event.short == "fit" and ("train_objectives" in event.kwargs or "sentence_transformers." in event.name):
            read_sentence_transformers(view, event)


def keep_default(view: View, field_name: str, event: Event, value: object, note: str) -> None:
    """Keep what the library does where it is told nothing."""
    if "**" not in event.kwargs:
        view.keep(field_name, value, (Spot(event.spot.path, event.spot.line, "", f"default of {note}"),))


COQUI = (("epochs", "epochs"), ("batch_size", "batch_size"), ("learning_rate", "lr"), ("learning_rate", "lr_gen"))


def read_coqui(view: View, event: Event) -> None:
    """Take the configuration that Coqui's trainer is given: it makes the loop, the loader and the optimizer of it."""
    told = agreed_attributes(event.arg(1, "config")) or agreed_attributes(made_beside(view, event))
    for field_name, name in COQUI:
        view.number(field_name, told.get(name))
    kind = told.get("optimizer")
    if kind is not None and isinstance(kind.data, str):
        view.keep("optimizer", canonical(kind.data) or kind.data, kind.src)
    mixed = told.get("mixed_precision")
    if mixed is not None and isinstance(mixed.data, bool):
        view.keep("precision", "fp16" if mixed.data else "fp32", mixed.src or (event.spot,))


def made_beside(view: View, event: Event) -> Val | None:
    """Give the one training configuration that is made in the file where its trainer is."""
    made = [
        value
        for value in view.run.instances
        if value.data.spot.path == event.spot.path and {"batch_size", "epochs"} <= set(value.data.attrs)
    ]
    return made[0] if len(made) == 1 else None


def agreed_attributes(record: Val | None) -> dict[str, Val]:
    """Give a record's values; of several that it may be only those in which they agree."""
    parts = record.data.parts if record is not None and isinstance(record.data, Unknown) else [record] if record else []
    records = [part.data.attrs for part in parts if isinstance(part.data, Instance)]
    if not records or len(records) < len(parts):
        return {}
    first, *others = records
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name].data == value.data for other in others)
    }


def read_composer(view: View, event: Event) -> None:
    """Take Composer's duration, precision and micro-batch; its loaders give what one process sees in a step."""
    duration = event.kwargs.get("max_duration")
    if duration is not None and isinstance(duration.data, int):
        view.number("epochs", duration)
    if duration is not None and isinstance(duration.data, str) and (match := DURATION.match(duration.data)):
        in_epochs = match.group(2) == "ep"
        view.number("epochs" if in_epochs else "total_steps", Val(int(match.group(1)), duration.src))
        if not in_epochs:
            view.rule_out("epochs")
    precision = event.kwargs.get("precision")
    if precision is None:
        keep_default(view, "precision", event, "fp16", "composer.Trainer: precision = amp_fp16 on GPUs")
    elif (name := precision_of(precision)) is not None:
        view.keep("precision", name, precision.src or (event.spot,))
    else:
        view.rule_out("precision")
    for key in ("fsdp_config", "parallelism_config"):
        sharded = event.kwargs.get(key)
        if sharded is not None and isinstance(sharded.data, dict) and sharded.data:
            view.keep("distributed", "FSDP", sharded.src or (event.spot,))
    micro = event.kwargs.get("device_train_microbatch_size")
    loaders = training_loaders(view)
    whole = loaders[0].arg(1, "batch_size") if loaders else None
    gpus = view.values.get("num_gpus")
    if whole is not None and isinstance(whole.data, int) and gpus is not None and gpus.value:
        spots = (*whole.src[:1], *gpus.spots[:1])
        view.keep("global_batch_size", whole.data * gpus.value, spots, "batch of a process x processes")
    if micro is not None and isinstance(micro.data, int):
        view.number("batch_size", micro)


def read_ultralytics(view: View, event: Event) -> None:
    """Take what `YOLO(...).train(...)` is told; without a device it takes one."""
    given = event.kwargs
    view.number("epochs", given.get("epochs"))
    view.number("learning_rate", given.get("lr0"))
    device = given.get("device")
    count = count_devices(device) if device is not None and not isinstance(device.data, int) else 1
    if device is not None and device.data == "cpu":
        view.keep("num_gpus", 0, device.src)
    elif count is not None and (device is None or is_constant(device) or isinstance(device.data, (list, tuple))):
        places = device.src if device is not None and device.src else (event.spot,)
        view.keep("num_gpus", count, places)
        view.keep("distributed", "DDP" if count > 1 else "none", places)
        share_batch(view, given.get("batch"), count)
    half = given.get("amp")
    if half is not None and isinstance(half.data, bool):
        view.keep("precision", "fp16" if half.data else "fp32", half.src)
    elif half is None:
        keep_default(view, "precision", event, "fp16", "ultralytics: amp = True")
    if "epochs" not in given:
        keep_default(view, "epochs", event, 100, "ultralytics: epochs = 100")
    if "batch" not in given:
        keep_default(view, "batch_size", event, 16, "ultralytics: batch = 16")


def share_batch(view: View, whole: Val | None, devices: int) -> None:
    """Share the batch of a step out among the devices."""
    if whole is None or type(whole.data) is not int or whole.data < 1:
        return
    view.number("global_batch_size", whole)
    if whole.data % devices == 0:
        view.number("batch_size", Val(whole.data // devices, whole.src), "a step's batch shared out")


def read_sentence_transformers(view: View, event: Event) -> None:
    """Take what the older `fit` of sentence encoders is told, which makes its optimizer itself."""
    given, defaults = event.kwargs, library_config("sentence_transformers.fit")
    told = given.get("optimizer_params")
    half, kind = given.get("use_amp"), given.get("optimizer_class")
    view.number("epochs", given.get("epochs"))
    if told is not None and isinstance(told.data, dict):
        view.number("learning_rate", told.data.get("lr"))
    elif told is not None:
        view.rule_out("learning_rate")
    if half is not None and isinstance(half.data, bool):
        view.keep("precision", "fp16" if half.data else "fp32", half.src or (event.spot,))
    for name, value in defaults.items():
        if (name == "optimizer" and kind is not None) or (name == "precision" and half is not None):
            continue
        keep_default(view, name, event, value, f"sentence_transformers' fit: {name} = {value}")


def read_rllib(view: View, event: Event) -> None:
    """Take the options of RLlib's chained configurations."""
    if event.short == "training":
        view.number("learning_rate", event.kwargs.get("lr"))
        view.number("batch_size", event.kwargs.get("minibatch_size") or event.kwargs.get("sgd_minibatch_size"))
        view.number("batch_size", event.kwargs.get("train_batch_size"))
    view.rule_out("total_steps")
    if event.short == "resources":
        gpus = event.kwargs.get("num_gpus")
        if gpus is not None and type(gpus.data) is int:
            view.keep("num_gpus", gpus.data, gpus.src or (event.spot,))
