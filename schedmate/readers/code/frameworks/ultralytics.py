"""Ultralytics: YOLO models whose train() is told epochs, batch and device."""

from schedmate.readers.code.evidence.device_counts import count_devices
from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.value import Value, is_constant

ENDINGS_OF_WEIGHTS = {
    "-seg": "instance segmentation",
    "-cls": "image classification",
    "-pose": "pose estimation",
    "-obb": "oriented object detection",
}


def read_ultralytics(view: View) -> None:
    """Take what `YOLO(...).train(...)` is told; without a device it takes one."""
    for event in view.events:
        if event.short != "train" or "YOLO" not in event.name.split("."):
            continue
        given = event.kwargs
        view.number("epochs", given.get("epochs"))
        view.number("learning_rate", given.get("lr0"))
        device = given.get("device")
        count = named_devices(device)
        if device is not None and count == 0:
            view.keep("num_gpus", 0, device.src)
            share_batch(view, given.get("batch"), 1)
        elif count is not None and (device is None or is_constant(device) or isinstance(device.data, (list, tuple))):
            places = device.src if device is not None and device.src else (event.spot,)
            view.keep("num_gpus", count, places)
            view.keep("distributed", "DDP" if count > 1 else "none", places)
            share_batch(view, given.get("batch"), count)
        half = given.get("amp")
        keep_switch(view, half)
        if half is None:
            keep_default(view, "precision", event, "fp16", "ultralytics: amp = True")
        if "epochs" not in given:
            keep_default(view, "epochs", event, 100, "ultralytics: epochs = 100")
        if "batch" not in given:
            keep_default(view, "batch_size", event, 16, "ultralytics: batch = 16")
            keep_default(view, "global_batch_size", event, 16, "ultralytics: batch = 16")


def named_devices(device: Value | None) -> int | None:
    """Count the devices that are named: a number is one card's, and a text may name one or several."""
    if device is None or isinstance(device.data, int):
        return 1
    if not isinstance(device.data, str):
        return count_devices(device)
    names = [name.strip() for name in device.data.lower().replace("cuda:", "").split(",") if name.strip()]
    return 0 if names in (["cpu"], ["mps"]) else max(1, len(names))


def share_batch(view: View, whole: Value | None, devices: int) -> None:
    """Share the batch of a step out among the devices."""
    if whole is None or type(whole.data) is not int or whole.data < 1:
        return
    view.number("global_batch_size", whole)
    if whole.data % devices == 0:
        view.number("batch_size", Value(whole.data // devices, whole.src), "a step's batch shared out")


def read_ending(view: View) -> None:
    """Tell what a model learns by the ending of its weights' name: `yolov8n-seg`."""
    model = view.values.get("model_name")
    name = str(model.value).lower() if model is not None else ""
    fine = next((fine for end, fine in ENDINGS_OF_WEIGHTS.items() if name.endswith(end)), None)
    if model is not None and fine is not None and "ultralytics" in view.imports:
        view.keep("task", "CV", model.spots)
        view.keep("task_fine", fine, model.spots)


RULES = (
    Rule(Subject.TRAINER, "Ultralytics", read_ultralytics),
    Rule(Subject.TASK, "the ending of the weights' name", read_ending),
)
