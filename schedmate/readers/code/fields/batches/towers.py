"""TensorFlow's towers: one graph that works out gradients on several GPUs, each in a part that is placed there."""

import ast
from dataclasses import dataclass

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.value import Value

LABEL = "TensorFlow data parallel"
GPU = re2.compile(r"(?i)(?:^|/)gpu:(\d+)$|/device:gpu:(\d+)$")
MOST = 64
GRADIENTS = ("compute_gradients", "gradients")


def placed_gpu(event: Event) -> int | None:
    """Give the number of the GPU on which a part of the graph is placed."""
    place = event.arg(0, "device_name_or_function", "device_name")
    match = GPU.search(place.data) if place is not None and isinstance(place.data, str) else None
    return int(match.group(1) or match.group(2)) if match is not None else None


@dataclass(frozen=True)
class Towers:
    """How many GPUs work out gradients, and where the graph is placed on the first of them."""

    count: Value
    event: Event


def find_towers(view: View) -> Towers | None:
    """Find a loop that places a part on a GPU of its own in each round, and works out gradients there."""
    for event in view.of("tensorflow", "device"):
        loop = event.loops[-1] if event.loops else None
        if loop is None or not event.sure or placed_gpu(event) is None or not names_counter(view, event, loop):
            continue
        worked_out = any(loop.spot == at.spot for one in view.of("tensorflow", *GRADIENTS) for at in one.loops)
        count = loop.count.data if loop.count is not None else None
        if worked_out and type(count) is int and 1 < count <= MOST:
            return Towers(Value(count, loop.count.src if loop.count is not None else ()), event)
    return None


def names_counter(view: View, event: Event, loop: FollowedLoop) -> bool:
    """Tell a placing that is written with the loop's variable: `tf.device("/gpu:%d" % i)`."""
    tree = view.run.trees.get(event.spot.path)
    calls = (one for one in ast.walk(tree) if isinstance(one, ast.Call)) if tree is not None else ()
    told = [part for call in calls if call.lineno == event.spot.line for part in call.args]
    return any(isinstance(one, ast.Name) and one.id in loop.names for part in told for one in ast.walk(part))


def tower_devices(view: View) -> Value | None:
    """Give the GPUs of the towers."""
    found = view.once(find_towers)
    return Value([Value(place) for place in range(found.count.data)], (found.event.spot,)) if found else None


def splits_among_towers(view: View) -> bool:
    """Tell a batch that is cut into as many pieces as there are towers, or whose number is divided by theirs."""
    found = view.once(find_towers)
    if found is None:
        return False
    pieces = (event.arg(1, "num_or_size_splits") for event in view.of("tensorflow", "split") if event.sure)
    batch = view.values.get("batch_size")
    dealt = view.run.about(TrainingSigns).dealt_out
    divided = batch is not None and any(one.data == batch.value and set(one.src) & set(batch.spots) for one in dealt)
    return divided or any(piece is not None and piece.data == found.count.data for piece in pieces)
