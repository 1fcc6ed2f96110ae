"""Networks that a program trains or uses side by side, so that the size of one is not the size of all."""

from schedmate.knowledge.models import stands_beside
from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.held_parts import all_within
from schedmate.readers.code.fields.networks.network_names import network_of
from schedmate.readers.code.fields.networks.networks_beside import short_name
from schedmate.readers.code.fields.networks.trained_network import looks_like_model, origin, parts_of
from schedmate.readers.code.sizes.counting import count_parameters
from schedmate.readers.code.sizes.ready_networks import loads_a_network
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import Unknown, Value

SMALL = 0.02
"""The share of the network that others beside it may have without mattering to its size."""
DEEPEST = 8


def is_one_of_several(view: View) -> bool:
    """Tell a network beside which others are trained, or that stands on a loaded one which its holder keeps apart."""
    return trains_apart(view) or stands_on_another(view)


def trains_apart(view: View) -> bool:
    """Tell optimizers that get several networks of which none holds the others."""
    if not view.get("is_training"):
        return False
    given = [event.arg(0, "params") for event in optimizer_events(view) if event.sure]
    together = [owners_of(one) for one in given if one is not None]
    each = {(short_name(one), one.data.spot, told_widths(one)): one for owners in together for one in owners}
    return any(are_apart(view, owners) for owners in (*together, list(each.values())))


def told_widths(network: Value) -> tuple[int, ...]:
    """Give the whole numbers that a network of the repository's own is made with."""
    args, _ = (network.data.given if isinstance(network.data, Instance) else None) or ([], {})
    return tuple(value.data for value in args if type(value.data) is int)


def are_apart(view: View, owners: list[Value]) -> bool:
    """Tell networks of which none holds the others, and none all but all of the parameters.

    What is made at one place again and again, as for each part of the data, is one network.
    """
    found = {id(one.data): one for one in owners}
    inner = {key for one in found.values() for key in all_within([one.data], networks_in)}
    apart = [one for key, one in found.items() if key not in inner]
    if len(apart) < 2:
        return False
    counts = [count_parameters(view.run, one) for one in apart]
    known = sorted(count for count in counts if count is not None)
    return len(known) < len(counts) or sum(known[:-1]) > SMALL * known[-1]


def owners_of(given: Value, depth: int = 0) -> list[Value]:
    """Give all networks whose parameters are put together for one optimizer."""
    data = given.data
    if depth > DEEPEST:
        return []
    parts: list[Value] = []
    if isinstance(data, (list, tuple)):
        parts = [item for item in data if isinstance(item, Value)]
    elif isinstance(data, dict):
        parts = [data["params"]] if "params" in data else []
    elif isinstance(data, Unknown) and data.reason is not Reason.ALTERNATIVES:
        parts = list(data.parts)
    elif isinstance(data, ExternalResult) and not data.is_object and data.owner is None:
        parts = [*data.args, *data.kwargs.values()]
    if parts:
        return [one for part in parts for one in owners_of(part, depth + 1)]
    owner = origin(given)
    return [owner] if owner is not None and looks_like_model(owner) else []


def networks_in(data: object) -> list[object]:
    """Give the networks and layers that an object or a call's result holds."""
    return parts_of(Value(data)) if isinstance(data, (Instance, ExternalResult)) else []


def stands_on_another(view: View) -> bool:
    """Tell a network of the repository's own whose holder, no network itself, keeps a loaded one beside it.

    A head and the encoder that it is put on are one model, however they are held.
    """
    network = view.once(network_of).value
    if network is None or not isinstance(network.data, Instance) or optimizer_events(view):
        return False
    for holder in view.run.instances:
        held = [part for part in holder.data.attrs.values() if part.data is not network.data]
        if len(held) < len(holder.data.attrs) and not looks_like_model(holder):
            return any(is_loaded(part) for part in held)
    return False


def is_loaded(part: Value) -> bool:
    """Tell a loaded network from a tokenizer and the like; of several ways one of which is, too."""
    ways = part.data.parts if isinstance(part.data, Unknown) else (part,)
    made = [one.data for one in ways if isinstance(one.data, ExternalResult)]
    return any(loads_a_network(one) and not stands_beside(short_name(Value(one))) for one in made)
