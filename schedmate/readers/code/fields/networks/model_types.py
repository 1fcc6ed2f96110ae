"""What a model is built as: by its family, else by the layers that its own code builds with."""

from schedmate.knowledge.models import ModelFamily, family_of, is_rival, layer_type, stands_beside
from schedmate.knowledge.reinforcement import algorithm_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.named_layers import layers_of, unmade_layers
from schedmate.readers.code.fields.networks.nested_calls import nested_calls, whose_output
from schedmate.readers.code.fields.networks.networks_beside import JUDGING, MAKING, is_held_as, short_name
from schedmate.readers.code.fields.networks.taped_networks import opponents, spots_of
from schedmate.readers.code.fields.networks.trained_network import HOUSES, inner_network, is_model_class, parts_of
from schedmate.readers.code.fields.words.algorithms import learns_to_act
from schedmate.readers.code.sizes.called_parts import called_parts
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import SourceLocation, Value, ways_of

PLAIN_TYPES = ("transformer", "cnn", "rnn", "gnn", "ssm")
"""Types that say what a network is built of."""
PARADIGMS = ("diffusion", "gan", "vae", "autoencoder", "normalizing flow", "rl")
"""Types that say how a model learns, to be completed by what it is built of."""


def describe(view: View, value: Value) -> None:
    """Tell the type: the paradigm and the family, completed by the layers of the model's own code."""
    rival = is_adversarial(view)
    family = family_of_object(view, value)
    kind, spots = layers_kind(view, value)
    by_algorithm = kind in ("mlp", "cnn", "rnn", "linear", "transformer", None) and learns_by_reinforcement(view)
    if by_algorithm or (kind in ("mlp", "cnn", "rnn") and learns_to_act(view)):
        named = view.values["model_name"].spots[:1] if "model_name" in view.values else ()
        view.keep("model_type", joined("rl", kind), (*named, *spots))
    if rival is not None and not (family is not None and family.kind.startswith(PARADIGMS)):
        view.keep("model_type", joined("gan", kind), spots_of(rival))
    if rival is None and family is None and is_rival(short_name(value)) and not learns_to_act(view):
        view.keep("model_type", "gan", value.src or spots[:1])  # what makes something for it was not seen
    sign = sign_of_diffusion(view, value)
    if sign is not None and (family is None or family.kind in ("cnn", "transformer")):
        view.keep("model_type", joined("diffusion", kind or (family.kind if family is not None else None)), (sign,))
    plain = family is not None and family.kind == "mlp" and not family.task and kind in PLAIN_TYPES
    named_alike = family is not None and family.kind == "cnn" and kind == "gnn"  # `GINConvNet`
    named_alike |= family is not None and family.kind == "cnn" and not family.task and kind == "rnn"  # `CNNBiGRU`
    if family is not None and not (plain or named_alike):
        name = view.values.get("model_name")
        view.keep("model_type", joined(family.kind, kind), name.spots if name is not None else value.src or spots)
    if kind is not None:
        view.keep("model_type", kind, spots)


def learns_by_reinforcement(view: View) -> bool:
    """Tell a model that is named after an algorithm of reinforcement learning, in a program that makes environments."""
    return algorithm_of(str(view.get("model_name") or "")) is not None and learns_to_act(view)


def joined(kind: str, layers: str | None) -> str:
    """Write a paradigm with what it is built of: `gan (cnn)`."""
    return f"{kind} ({layers})" if kind in PARADIGMS and layers and layers not in PARADIGMS else kind


HOLDING_ANY = ("mxnet.model.", "mxnet.mod.", "mxnet.module.")
"""Estimators that train any network that they are given, whatever they are called: `FeedForward(symbol=resnet)`."""


def family_of_object(view: View, value: Value) -> ModelFamily | None:
    """Give the family that the model's name, its class or what it is loaded by tells."""
    data = value.data
    known = family_of(str(view.get("model_name") or ""))
    if isinstance(data, ExternalResult) and data.owner is not None and isinstance(data.owner.data, Class):
        own = family_of(data.owner.data.name)
        known = own if own is not None and own.task == "multimodal" else known
    if known is None and isinstance(data, ExternalResult) and not data.callee.startswith(HOLDING_ANY):
        known = family_of(data.callee)
    if known is None and isinstance(data, Instance):
        known = family_of(class_of(data).name) or family_of_ancestors(class_of(data))
    return known


def family_of_ancestors(cls: Class) -> ModelFamily | None:
    """Give the family that a class of the repository's tells which a network's class is built on."""
    return next((found for one in cls.lineage()[1:] if (found := family_of(one.name)) is not None), None)


def class_of(data: Instance) -> Class:
    """Give the class of a model, or of the network inside it where it only holds one."""
    inner = inner_network(data)
    return inner.data.cls if inner is not None and isinstance(inner.data, Instance) else data.cls


def layers_kind(view: View, value: Value) -> tuple[str | None, tuple[SourceLocation, ...]]:
    """Tell the type from layers: those that the classes name, or that a sequential model is made of."""
    data = value.data
    if isinstance(data, Instance):
        found = layers_of(view, class_of(data), unmade_layers(view, data))
        if layer_type(set(found)) in ("mlp", None):
            for part in parts_of(value):
                found |= layers_of(view, part.cls) if isinstance(part, Instance) else {}
                found |= passes_messages(part) if isinstance(part, Instance) else {}
        if layer_type(set(found)) == "mlp" and (inner := named_within(data)) is not None:
            return inner
        kind = layer_type(set(found))
        if kind is None:
            found = held_within(data)
            kind = layer_type(set(found))
        ready = ready_inside(data) if kind in ("mlp", "cnn", None) else None
        if ready is not None and (kind != "cnn" or ready[0] == "transformer"):
            return ready
        return kind, tuple(found[name] for name in found if layer_type({name}) in (kind, "cnn"))[:2]
    if isinstance(data, ExternalResult):
        if data.short in ("Linear", "Dense"):
            return "linear", (data.spot,)
        nested = nested_calls(data)
        names = {inner.data.short: inner.data.spot for inner in nested}
        kind = layer_type(set(names))
        below = ready_among(nested) if kind == "mlp" else None
        if below is not None:
            return below
        return kind, tuple(names[name] for name in names if layer_type({name}) == kind)[:2]
    return None, ()


def passes_messages(part: Instance) -> dict[str, SourceLocation]:
    """Give the layers of graphs that a part is given, by what their classes extend: `class Conv(MessagePassing)`."""
    given = [one for one in parts_of(Value(part)) if isinstance(one, Instance)]
    extended = {name.rpartition(".")[2]: one.spot for one in given for name in one.cls.outside()}
    return {name: spot for name, spot in extended.items() if layer_type({name}) == "gnn"}


MOST_WITHIN = 60


def named_within(data: Instance) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Tell the type of the networks deep within that are named after a family, where all those are of one."""
    waiting = [data]
    found: dict[str, tuple[SourceLocation, ...]] = {}
    for one in waiting:
        inner = [part for part in parts_of(Value(one)) if isinstance(part, Instance)]
        waiting += [part for part in inner if len(waiting) < MOST_WITHIN and all(part is not seen for seen in waiting)]
        family = family_of(one.cls.name) if one is not data and not stands_beside(one.cls.name) else None
        if family is not None and family.kind in PLAIN_TYPES:
            found.setdefault(family.kind, (one.spot, one.cls.spot))
    return found.popitem() if len(found) == 1 else None


def held_within(data: Instance) -> dict[str, SourceLocation]:
    """Give the library's layers that a network and what it is handed hold, where no code names them by a plain word."""
    waiting = [data]
    found: dict[str, SourceLocation] = {}
    for one in waiting:
        for part in parts_of(Value(one)):
            if isinstance(part, Instance) and len(waiting) < MOST_WITHIN and all(part is not seen for seen in waiting):
                waiting.append(part)
            if isinstance(part, ExternalResult) and layer_type({part.short}) is not None:
                found.setdefault(part.short, part.spot)
    return found


def ready_inside(data: Instance) -> tuple[str, tuple[SourceLocation, ...]] | None:
    """Tell the type of a library's network that a network is built around, with layers of its own before and behind."""
    asked = called_parts(data.cls)
    for held, part in data.attrs.items():
        ways = (whose_output(way).data for way in ways_of(part))
        made = next((way for way in ways if isinstance(way, ExternalResult)), None)
        if held not in asked or made is None:
            continue
        family = family_of_maker(made)
        if family is not None and family.kind in PLAIN_TYPES:
            return family.kind, (made.spot,)
    return None


FETCHING = frozenset({"from_pretrained", "KerasLayer", "load_model"})
"""Calls that give networks of which no layer is seen."""


def ready_among(calls: list[Value]) -> tuple[str | None, tuple[SourceLocation, ...]] | None:
    """Tell the type of a library's network on which dense layers were put: not known, where no family tells it."""
    for call in calls:
        family = family_of_maker(call.data)
        if family is not None and family.kind in PLAIN_TYPES:
            return family.kind, (call.data.spot,)
    fetched = any(call.data.short in FETCHING for call in calls)
    return (None, ()) if fetched else None


def family_of_maker(made: ExternalResult) -> ModelFamily | None:
    """Give the family that a library's class or its function for a ready network is named after."""
    if made.callee.startswith((*HOUSES, "timm.")):
        named = made.args[0].data if made.short == "create_model" and made.args else made.short
        return family_of(named) if isinstance(named, str) else None
    maker = made.callee.removesuffix(f".{made.short}") if made.short.islower() else made.callee
    name = maker.rpartition(".")[2]
    return family_of(name) if name[:1].isupper() and not stands_beside(name) else None


NOISERS = (
    "GaussianDiffusion",
    "SpacedDiffusion",
    "DDPMScheduler",
    "DDIMScheduler",
    "EDMLoss",
    "VPLoss",
    "VELoss",
    "VPSDE",
    "VP_SDE",
    "VESDE",
    "VE_SDE",
    "subVPSDE",
)

NOISING = (
    "q_sample",
    "p_losses",
    "create_diffusion",
    "create_gaussian_diffusion",
    "create_model_and_diffusion",
    "add_noise",
    "ddpm_schedules",
)
"""Objects and calls that put noise on samples for a network to take off."""


def sign_of_diffusion(view: View, network: Value) -> SourceLocation | None:
    """Give the place that shows that noise is learned to be taken off: a diffusion's object, schedule or step.

    A part of the network that takes noise off by itself is its head, and says nothing of what carries it.
    """
    noisers: list[tuple[SourceLocation, object]] = [
        (value.data.spot, value.data)
        for value in view.run.instances
        if any(one.name in NOISERS or one.name.endswith("Diffusion") for one in value.data.cls.lineage())
    ] + [
        (event.spot, event.result.data)
        for event in view.events
        if event.sure and (event.short in NOISERS or event.short in NOISING)
    ]
    parts = parts_of(network) if isinstance(network.data, Instance) else []
    inside = [one.data for part in parts if isinstance(part, Instance) for one in part.attrs.values()]
    is_head = any(noiser is one for _, noiser in noisers for one in inside)
    return noisers[0][0] if noisers and not is_head else None


def is_adversarial(view: View) -> Value | None:
    """Give the discriminator where a generator is trained against one."""
    names = {value.data.cls.name.lower(): value for value in view.run.instances}
    generator = next((name for name in names if "generator" in name or name in ("netg", "gen")), None)
    judge = next((name for name in names if "discriminator" in name or name in ("netd", "critic")), None)
    if generator and judge:
        return names[judge]
    taped = opponents(view)
    return taped[1] if taped is not None else held_rival(view)


def held_rival(view: View) -> Value | None:
    """Give the network that a program holds as its judge, `netD`, beside one that it holds as what makes, `netG`."""
    networks = [value for value in view.run.instances if is_model_class(value.data.cls)]
    makes = any(is_held_as(value, MAKING) for value in networks)
    return next((value for value in networks if makes and is_held_as(value, JUDGING)), None)
