"""Layers that a loop makes: where its rounds were not followed each, there are more of them than were seen."""

from schedmate.readers.code.values.events import FollowedLoop
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Value

Loops = tuple[FollowedLoop, ...]


def loops_around(network: Value) -> Loops:
    """Give the loops that a whole network is made in, as for each fold of the data: they make no more layers of it."""
    return network.data.loops if isinstance(network.data, (Instance, ExternalResult)) else ()


def is_repeated(layer: Instance | ExternalResult, around: Loops) -> bool:
    """Tell a layer that was made in a loop of the network's own making of which two rounds stand for all."""
    return any(all(loop is not one for one in around) for loop in layer.loops)
