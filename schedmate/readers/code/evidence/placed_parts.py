"""Networks, or parts of one, that a single process puts on several devices, each of which is named by its number.

The parts of one network on two GPUs are model parallelism: a batch goes from one to the next, and is not shared out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Value, mapping_of

LABEL = "model parallel"
NUMBERED = re2.compile(r"^(?:cuda|gpu):?([0-9]{1,2})$")

BINDS = ("bind", "simple_bind", "_simple_bind")
"""MXNet's ways to make a graph ready, which may be told the device of each group of its nodes."""
MOST_PARTS = 2_000


@dataclass(frozen=True)
class PlacedParts:
    """The numbers of the devices, the calls that name them, and whether one network lies on several of them."""

    devices: frozenset[int]
    events: tuple[Event, ...]
    in_one: bool


def placed_parts(view: View) -> PlacedParts | None:
    """Find what one process puts on several devices; None where all lies on one, or others do the same elsewhere."""
    signs = view.run.about(ProcessSigns)
    if started_in_ranks(view.launch) or signs.starts is not None or signs.ray is not None:
        return None
    return grouped(view) or layered(view)


def grouped(view: View) -> PlacedParts | None:
    """Find a graph of MXNet's whose groups are told devices of their own."""
    for event in view.of("mxnet.", *BINDS):
        told = [number_of(value) for value in mapping_of(event.kwargs.get("group2ctx")).values()]
        devices = frozenset(number for number in told if number is not None)
        if event.sure and len(devices) > 1 and None not in told:
            return PlacedParts(devices, (event,), in_one=True)
    return None


def layered(view: View) -> PlacedParts | None:
    """Find layers and networks of PyTorch's that are put on devices by number."""
    placed = [(event, number) for event in view.named("to", "cuda") if (number := placed_on(event)) is not None]
    if len({number for _, number in placed}) < 2:
        return None
    first = {number: event for event, number in reversed(placed)}
    in_one = any(len({number for event, number in placed if holds(parts, event)}) > 1 for parts in view_parts(view))
    return PlacedParts(frozenset(first), tuple(first[number] for number in sorted(first)), in_one)


def placed_on(event: Event) -> int | None:
    """Give the number of the device on which a layer or network is put for certain."""
    owner = event.owner.data if event.owner is not None else None
    if not event.sure or not is_network(owner):
        return None
    if event.short == "cuda" and event.args and type(event.args[0].data) is int:
        return int(event.args[0].data)
    return number_of(event.arg(0, "device"))


def is_network(data: object) -> bool:
    """Tell a layer of PyTorch's, or an object of a class that is one."""
    if isinstance(data, ExternalResult):
        return data.callee.startswith("torch.nn.") and data.is_object and "Loss" not in data.short
    return isinstance(data, Instance) and any(name.startswith("torch.nn.") for name in data.cls.outside())


def number_of(value: Value | None) -> int | None:
    """Give the number in a device's name: `cuda:1`, `torch.device("cuda:1")`, `mx.gpu(1)`."""
    data = value.data if value is not None else None
    if isinstance(data, ExternalResult):
        if data.callee == "mxnet.gpu":
            given = data.args[0].data if data.args else 0
            return given if type(given) is int else None
        text = data.kwargs.get("text") if data.short == "device" else None
        text = text or (data.args[0] if data.short == "device" and data.args else None)
        data = text.data if text is not None else None
    match = NUMBERED.match(data.lower()) if isinstance(data, str) else None
    return int(match.group(1)) if match is not None else None


def view_parts(view: View) -> Iterator[set[int]]:
    """Give, for each network of the repository's own, what it keeps, by the identities of the objects."""
    for value in view.run.instances[:MOST_PARTS]:
        if is_network(value.data):
            yield {id(part.data) for part in [*value.data.attrs.values()][:MOST_PARTS]}


def holds(parts: set[int], event: Event) -> bool:
    """Tell whether what is put somewhere is one of these parts."""
    return id(event.result.data) in parts or (event.owner is not None and id(event.owner.data) in parts)
