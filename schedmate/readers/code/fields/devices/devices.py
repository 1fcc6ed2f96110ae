"""On what one process computes: a CPU, one device, or whatever is there."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.evidence.labels import computes_with
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.environment import HIDDEN
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value, sequence_of

PLACES_BY_ITSELF = frozenset(words("frameworks.place_models"))
"""Libraries that put the model on the GPU without being told."""
AGENTS = ("stable_baselines3", "sb3_contrib")


def device_of(view: View) -> str | None:
    """Tell on what a single process computes: `cpu`, `one` device, or None where that is not clear."""
    hidden = hidden_devices(view)
    if hidden is not None:
        view.keep("device", "cpu", hidden.src)
        return "cpu"
    return device_in_code(view)


def device_in_code(view: View) -> str | None:
    """Tell on what the code puts models and data."""
    spots: dict[str, tuple[SourceLocation, ...]] = {}
    unclear = False
    loading = [event.kwargs["map_location"].data for event in view.named("load") if "map_location" in event.kwargs]
    for event in view.events:
        if event.short == "device" and any(place is event.result.data for place in loading):
            continue  # where a checkpoint is unpacked says nothing of where the model computes
        if is_unread_option(view, event):
            continue
        for place, places in places_named(event):
            spots.setdefault(place, places)
        unclear = unclear or any(is_unclear(value) for value in told_of_places(event))
    libraries = view.imports
    chosen = "one" if "one" in spots else "cpu" if "cpu" in spots and not unclear else None
    if chosen is not None:
        view.keep("device", chosen, spots[chosen])
        return chosen
    if view.run.about(ProcessSigns).wraps is not None or libraries.intersection(PLACES_BY_ITSELF):
        return "one"
    if unclear or view.trains_out_of_sight:
        return None
    computes_itself = "torch" in libraries and computes_with(view, "PyTorch")
    beside = () if computes_itself else ("jax", "flax", "tensorflow", "keras", "paddle")
    if libraries.intersection((*beside, *AGENTS)):
        return "one"
    return "cpu" if "torch" in libraries and not view.is_partial and view.training else None


def is_unread_option(view: View, event: Event) -> bool:
    """Tell the device that a parser makes of a word, by `type=torch.device`, where nothing reads such an option."""
    told = event.short == "device" and view.is_whole and any(map(view.is_told, event.args))
    return told and not any("dev" in name.lower() or name in ("gpu", "cuda", "args") for name in view.run.reads)


PLACES = {"CUDAPlace": "one", "XPUPlace": "one", "CustomPlace": "one", "CPUPlace": "cpu"}
"""Paddle's names for what a program is carried out on."""
PLACING = ("to", "to_device", "device", "place_on_device", "set_device")


def places_named(event: Event) -> list[tuple[str, tuple[SourceLocation, ...]]]:
    """Give the devices that a call names, `cpu` or `one`, and where they are named."""
    chosen = event.sure and event.name == "torch.cuda.set_device"
    if chosen or (event.short == "cuda" and event.owner is not None):
        return [("one", (event.spot,))]
    if event.short == "split_and_load" and on_cpu(event.arg(1, "ctx_list")):
        return [("cpu", (event.spot,))]
    if event.short in PLACES and event.name.startswith("paddle."):
        return [(PLACES[event.short], (event.spot,))]
    named = [(device_name(value), value) for value in told_of_places(event)]
    if event.short not in (*PLACING, "jit"):  # where one tensor is made on the CPU, others need not be
        named = [(name, value) for name, value in named if name and (is_setting(event) or not name.startswith("cpu"))]
    return [
        ("cpu" if name.startswith("cpu") else "one", tuple(spot for spot in value.src if spot.path) or (event.spot,))
        for name, value in named
        if name is not None
    ]


def told_of_places(event: Event) -> list[Value]:
    """Give what a call is told that may be a device: where it puts things, or makes them."""
    if is_setting(event):
        return [event.kwargs["device_target"]] if "device_target" in event.kwargs else []
    if event.short in PLACING:
        return [*event.args, *event.kwargs.values()]
    told = event.kwargs.get("device")
    return [told] if told is not None and not isinstance(told.data, (int, type(None))) else []


def is_setting(event: Event) -> bool:
    """Tell MindSpore's call that sets on what all is carried out."""
    return event.name.startswith("mindspore.") and event.short == "set_context"


def hidden_devices(view: View) -> Value | None:
    """Give the word of the command, or of the program, that no GPU is to be seen."""
    told = view.launch.environment.get("CUDA_VISIBLE_DEVICES")
    is_none = told is not None and isinstance(told.data, str) and told.data.strip() in HIDDEN
    return told if is_none else view.run.facts.get("hidden")


def on_cpu(contexts: Value | None) -> bool:
    """Tell a list of MXNet's contexts that are all the CPU."""
    items = sequence_of(contexts)
    return bool(items) and all(isinstance(one.data, ExternalResult) and one.data.callee == "mxnet.cpu" for one in items)


def is_unclear(value: Value) -> bool:
    """Tell an argument that may be a device from dtypes and known names."""
    data = value.data
    if isinstance(data, External):
        own = data.name.startswith(AGENTS)  # where a network or an agent is says nothing new
        return "device" in data.name and ".parameters." not in data.name and not own
    return isinstance(data, Unknown) and not any(isinstance(part.data, External) for part in data.parts)


DEVICES = ("cuda", "cpu", "gpu", "npu", "xpu", "hpu", "mps", "ascend")


def device_name(value: Value) -> str | None:
    """Give the device that a value names."""
    data = value.data
    if isinstance(data, ExternalResult):
        text = data.attrs.get("platform") if data.callee == "jax.Device" else data.kwargs.get("text")
        data = text.data if text is not None else data.args[0].data if data.short == "device" and data.args else None
    if isinstance(data, int) and not isinstance(data, bool):
        return "cuda"
    if isinstance(data, Unknown):
        known = [part.data for part in data.parts if isinstance(part.data, str)]
        return next(("cuda" for text in known if text.startswith(("cuda", "gpu"))), None)
    if isinstance(data, str) and data.partition(":")[0].lower() in DEVICES:
        return data.lower()
    return None
