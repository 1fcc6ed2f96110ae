"""Which of the objects that a program makes is the model: not the loss, the searcher, the wrapper or the copy."""

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.layer_sizes import layer_size
from schedmate.knowledge.models import family_of, holds_a_model, is_generic, layer_type, stands_beside
from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.defaults_of_classes import is_default
from schedmate.readers.code.fields.networks.empty_modules import is_empty
from schedmate.readers.code.fields.networks.encoder_frames import framed_encoder
from schedmate.readers.code.fields.networks.graph_steps import DRIVERS, holding_object
from schedmate.readers.code.fields.networks.networks_beside import (
    ends_behind,
    is_judge,
    judges_beside,
    looks_for_loss,
    measures,
    short_name,
    without_judges,
    without_readers,
)
from schedmate.readers.code.fields.networks.networks_of_helpers import without_helpers
from schedmate.readers.code.fields.networks.taped_networks import judges, maker_of, taped_networks
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance, Partial
from schedmate.readers.code.values.value import Unknown, Value, each_of

PASSING = frozenset(words("networks.passing"))
WRAPPERS = frozenset(words("networks.wrappers"))


def origin(value: Value | None, depth: int = 0) -> Value | None:
    """Go back from a wrapper, a method's result or a list to the object that it was made from: a model, mostly."""
    if value is None or depth > 12:
        return None
    data = value.data
    if isinstance(data, (Instance, Partial)):
        return value
    if isinstance(data, ExternalResult):
        if data.short in PASSING:
            inner = data.owner or (data.args[0] if data.args else next(iter(data.kwargs.values()), None))
            return origin(inner, depth + 1)
        if data.short in WRAPPERS:
            inner = data.kwargs.get("model") or data.kwargs.get("module") or (data.args[0] if data.args else None)
            return origin(inner, depth + 1) or value
        return first_network(data.args) or value if data.short == "ModuleList" else value
    if isinstance(data, (list, tuple)):
        return next((found for item in data if isinstance(item, Value) and (found := origin(item, depth + 1))), None)
    if isinstance(data, dict):
        inner = data.get("params")
        return origin(inner, depth + 1) if inner is not None else None
    if isinstance(data, Unknown):
        return next((found for part in data.parts if (found := origin(part, depth + 1))), None)
    owner = getattr(data, "owner", None)
    return origin(owner, depth + 1) if isinstance(owner, Value) else None  # a function's is its class


def first_network(parts: list[Value]) -> Value | None:
    """Give the first whole network of the repository's own among what a list of modules was made with and was added."""
    items = (item for part in parts for item in each_of(part))
    networks = (item for item in items if isinstance(item, Value) and isinstance(item.data, Instance))
    return next((one for one in networks if is_model_class(one.data.cls)), None)


LOADED = words("networks.loaded")
NO_MODELS = words("networks.no_models")
MODEL_BASES = words("networks.bases")
LOSSES = ("loss", "losses", "criterion")

WORLDS = ("Env", "Environment")
"""How what agents act in is called, which JAX's programs write as modules without weights."""

NO_NETWORK_BASES = ("pydantic", "sqlmodel", "django", "mxnet.mod.", "mxnet.module.")
"""Where a `BaseModel` is a record, and a `BaseModule` drives the training of a network that it is given."""
INSIDE = words("networks.inside")
"""Names under which training modules hold the network that they train."""
NEAR = words("networks.near")
"""How names of a model's parts and products end."""
TAKING = words("networks.taking")
"""Calls that are given the network, to wrap or to train it."""
FITTING = ("fit", "fit_generator", "train_on_batch")
"""Methods by which a model trains itself."""
KERAS = ("keras.applications.", "tensorflow.keras.applications.")
HOUSES = (*KERAS, "torchvision.models.", "timm.models.", "paddle.vision.models.")


def find_network(view: View) -> Value | None:
    """Give the model: what the optimizer's parameters belong to, what a trainer gets, what is loaded by name."""
    value = trained_network(view)
    if value is not None:
        return outermost(view, value)
    return wrapped_object(view) or loaded_object(view) or holding_object(view) or named_object(view)


def trained_network(view: View) -> Value | None:
    """Give the network whose parameters an optimizer gets; of a generator and its rival, the generator.

    What is optimized and alone so is the network, though its class be named like what stands beside one: `Predictor`.
    """
    owners = []
    for event in [*optimizer_events(view), *own_optimizers(view)]:
        found = (origin(value) for value in [*event.args, *event.kwargs.values()])
        owner = next((one for one in found if one is not None), None)
        owners += [owner] if owner is not None else []
    networks = [one for one in owners if looks_like_model(one)] or taped_makers(view)
    networks = networks or [one for one in owners if isinstance(one.data, Instance) and is_named_aside(one.data.cls)]
    return next((one for one in networks if not is_judge(one)), networks[0] if networks else None)


def taped_makers(view: View) -> list[Value]:
    """Give the networks that a tape trains and that do not judge what another one makes."""
    taped = [value for value in taped_networks(view) if looks_like_model(value)]
    return [value for value in taped if not judges(maker_of(view, value))] or taped


def is_named_aside(cls: Class) -> bool:
    """Tell a class of networks whose name is that of a network's neighbour, but no loss's."""
    return is_model_class(cls) and not cls.name.lower().endswith(LOSSES)


def own_optimizers(view: View) -> list[Event]:
    """Give the calls that make optimizers of the repository's own classes."""
    made = [event for event in view.events if event.sure and isinstance(event.result.data, Instance)]
    return [event for event in made if any(name.endswith("Optimizer") for name in event.result.data.cls.outside())]


def wrapped_object(view: View) -> Value | None:
    """Give what is wrapped for several devices, handed to a trainer or fitted."""
    for event in view.named(*TAKING):
        fitted = event.owner if event.short in FITTING else None
        for candidate in (event.kwargs.get("model"), event.kwargs.get("module"), fitted, *event.args[:1]):
            found = origin(candidate)
            if found is not None and looks_like_model(found):
                return found
            if candidate is not None and isinstance(candidate.data, str) and event.short.endswith("Trainer"):
                return candidate
    for event in view.ending("deepspeed.initialize"):
        found = origin(event.kwargs.get("model"))
        if found is not None:
            return found
    return None


def looks_like_model(value: Value) -> bool:
    """Tell a network from loaders, losses, optimizers, trainers and the like."""
    data = value.data
    if isinstance(data, (Instance, ExternalResult)) and stands_beside(short_name(value)):
        return False
    if isinstance(data, Instance):
        acted_in = any(one.name.endswith(WORLDS) for one in data.cls.lineage())
        return is_model_class(data.cls) and not measures(data.cls) and not acted_in
    if isinstance(data, ExternalResult) and data.short not in NO_MODELS:
        if data.short == "Sequential" and data.args and all(isinstance(arg.data, Unknown) for arg in data.args):
            return False
        layer = layer_type({data.short}) is not None
        loaded = data.short in LOADED or data.callee == "torch.hub.load"
        named = any("model" in part and part != "model_selection" for part in data.callee.lower().split("."))
        return loaded or named or layer or data.short == "Sequential" or framed_encoder(data) is not None
    return False


def is_model_class(cls: Class) -> bool:
    """Tell a class of networks by the libraries' classes that it extends."""
    bases = [name for name in cls.outside() if not name.startswith(NO_NETWORK_BASES)]
    return any(name.rpartition(".")[2].endswith(MODEL_BASES) or name.endswith("nn.Cell") for name in bases)


def loaded_object(view: View) -> Value | None:
    """Give the repository's own network, the outermost of them, else a model that is loaded or made by name."""
    networks = [value for value in view.run.instances if looks_like_model(value) and not is_empty(value.data)]
    networks = without_helpers(view, without_readers(view, networks))
    networks = [value for value in networks if not (looks_for_loss(view, value) or is_default(view, value.data))]
    if networks:
        return outermost(view, next((one for one in networks if not is_judge(one)), networks[0]))
    for event in view.events:
        named = "Model" in event.name or event.name == "vllm.LLM" or event.short.startswith(("create", "get_model"))
        if event.short in LOADED and named:
            return event.result
        beside = judges_beside(view, event) or looks_for_loss(view, event.result)
        if event.name.startswith(HOUSES) and not beside:
            return event.result
    return None


def named_object(view: View) -> Value | None:
    """Give an object whose class has a family's name, as networks of functions have; last what drives one."""
    instances = without_helpers(view, without_judges(view, without_readers(view, view.run.instances)))
    for value in sorted(instances, key=lambda one: one.data.cls.name.endswith(DRIVERS)):
        if is_named_network(value.data.cls.name) and not measures(value.data.cls):
            return maker_in(instances, value)
    for event in view.events:
        made = isinstance(event.result.data, ExternalResult) and "optim" not in event.name
        if event.sure and made and is_named_network(event.short):
            return event.result
    return None


WHOLE = ("Model", "Net", "Network")


def maker_in(instances: list[Value], part: Value) -> Value:
    """Give the network in whose class's body a network is made, if it is one by its name; else the inner one."""
    for one in instances:
        name = one.data.cls.name
        makes = one.data.cls.spot.path == part.data.spot.path and ends_behind(one.data.cls, part.data.spot.line)
        if makes and one is not part and name.endswith(WHOLE) and not is_generic(name) and not stands_beside(name):
            return one
    return part


def is_named_network(name: str) -> bool:
    """Tell a class that is named after a family of models from those around one, and from data: `CNNDailyMail`."""
    fits = name[:1].isupper() and not stands_beside(name) and not name.endswith(NEAR) and layer_type({name}) is None
    return fits and family_of(name) is not None and known_dataset(name) is None


def outermost(view: View, value: Value) -> Value:
    """Give the network that holds a network, and so on outwards, but not what only holds it to train it.

    On the way there may be networks that are called like a neighbour of one: a `Sampler` between block and whole.
    """
    ready = [event.result for event in view.events if event.name.startswith(HOUSES) or event.short in LOADED]
    holders = [one for one in view.run.instances if looks_like_model(one) or is_named_aside(one.data.cls)]
    holders += [one for one in ready if isinstance(one.data, ExternalResult) and one.data.attrs]
    whole = value
    for _ in range(6):
        outer = next((one for one in holders if any(part is value.data for part in parts_of(one))), None)
        if outer is None or outer.data is value.data or holds_a_model(short_name(outer)):
            break
        value = outer
        whole = value if looks_like_model(value) else whole
    return whole


def parts_of(value: Value) -> list[object]:
    """Give the networks and layers that a network holds."""
    found: list[object] = []
    for part in value.data.attrs.values():
        found += [part.data] if isinstance(part.data, ExternalResult) else []
        listed = part.data.args if isinstance(part.data, ExternalResult) else part.data
        for item in listed if isinstance(listed, (list, tuple)) else [part]:
            inner = item.data if isinstance(item, Value) else None
            found += [inner] if isinstance(inner, Instance) else inner_items(inner)
    return found


def inner_items(data: object) -> list[object]:
    """Give the networks in a list, as in `nn.Sequential(*layers)`."""
    items = data if isinstance(data, (list, tuple)) else ()
    return [item.data for item in items if isinstance(item, Value) and isinstance(item.data, Instance)]


ENCODER_FRAMES = frozenset(words("networks.encoder_frames"))


def only_loaded(data: Instance) -> Value | None:
    """Give the loaded network that a class without a family's name wraps, and holds no other beside."""
    held = (
        [value for value in data.attrs.values() if looks_like_model(value)] if family_of(data.cls.name) is None else []
    )
    if data.cls.name in ENCODER_FRAMES:  # with layers of its own behind the encoder
        made = [value for value in data.attrs.values() if isinstance(value.data, ExternalResult)]
        held = [value for value in made if value.data.short == "from_pretrained" and looks_like_model(value)]
    loads = len(held) == 1 and isinstance(held[0].data, ExternalResult) and held[0].data.short == "from_pretrained"
    return held[0] if loads else None


def trained_by_itself(data: Instance) -> Value | None:
    """Give the only network of its own family that an object holds which keeps the optimizer, too: it is a trainer."""
    made = [value.data for value in data.attrs.values() if isinstance(value.data, ExternalResult)]
    family = family_of(data.cls.name)
    if family is None or not any(".optim." in one.callee and one.short[:1].isupper() for one in made):
        return None
    held = [value for value in data.attrs.values() if isinstance(value.data, Instance) and looks_like_model(value)]
    alike = [value for value in held if family_of(value.data.cls.name) == family]
    return alike[0] if len(alike) == 1 else None


def inner_network(data: Instance) -> Value | None:
    """Give the network inside a training module: `self.net`, `self.model`, `self.backbone`."""
    outside = " ".join(data.cls.outside())
    name = data.cls.name
    if (own := trained_by_itself(data)) is not None:
        return own
    if "Lightning" not in outside and not is_generic(name) and not holds_a_model(name):
        return only_loaded(data)
    parts = sum(isinstance(value.data, Instance) and looks_like_model(value) for value in data.attrs.values())
    if parts > 1 and family_of(name) is not None:
        return None
    for key in INSIDE:
        value = data.attrs.get(key)
        if value is not None and value.data is not data and isinstance(value.data, (Instance, ExternalResult)):
            found = origin(value) if short_name(value) != "ModuleList" else None  # a row of layers is no network
            whole = found is not None and not short_name(found).endswith(("Block", "Blk"))  # one of a row of its own
            if found is None or not whole or found.data is data or not looks_like_model(found):
                continue
            if family_of(short_name(found)) is not None or not is_part_of(data, found):
                return found
    return None


def is_part_of(whole: Instance, inner: Value) -> bool:
    """Tell an encoder or a backbone of the repository's own beside other layers and networks: all of them learn."""
    held = any(part.data is inner.data for key, part in whole.attrs.items() if key in ("encoder", "backbone"))
    others = [part for part in parts_of(Value(whole)) if part is not inner.data]
    learn = any(isinstance(one, Instance) and is_model_class(one.cls) for one in others)
    learn |= any(isinstance(one, ExternalResult) and layer_size(one.callee) is not None for one in others)
    return held and learn and isinstance(inner.data, Instance)
