"""Where the size that is known of a model's name is not that of the network at hand: copies, other classes."""

import ast

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import BACKBONES_LEARN, ModelFamily, ready_network
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.network_names import network_of
from schedmate.readers.code.sizes.ready_networks import USUAL
from schedmate.readers.code.values.objects import Instance

PUBLISHED_ON = "ImageNet"

SMALL = frozenset({"CIFAR-10", "CIFAR-100", "MNIST", "Fashion-MNIST", "SVHN"})
"""Sets of small images, for which networks of known names are built anew, with other first and last layers."""


def is_made_small(view: View, name: str) -> bool:
    """Tell a network that learns from small images or sorts other classes: its size is not the known one.

    Of a library's network that is seen, the last layer is counted.
    """
    network, data = view.once(network_of).value, view.option("dataset_name")
    if network is not None and not isinstance(network.data, Instance):
        return False
    known = known_dataset(str(data.data)) if data is not None else None
    if known is not None and known.name in SMALL and (network is not None or ready_network(name) is not None):
        return True
    ready = ready_network(name)
    if network is None or ready is None or ready.width == 0 or (known is not None and known.name == PUBLISHED_ON):
        return False
    return not sorts_usual(network.data)


def sorts_usual(network: Instance) -> bool:
    """Tell a network of the repository's own that is made for as many classes as the published ones sort."""
    args, kwargs = network.given or ([], {})
    told = [value.data for key, value in kwargs.items() if "class" in key]
    if told or any(value.data == USUAL for value in args):
        return told in ([], [USUAL])
    nodes = (node for one in network.cls.lineage() for node in ast.walk(one.node))
    return any(isinstance(node, ast.Constant) and node.value == USUAL for node in nodes)


def is_named_by_maker(view: View, name: str) -> bool:
    """Tell a network of the repository's own that is only named after the function which makes it."""
    known = view.once(network_of)
    data = known.value.data if known.value is not None else None
    return isinstance(data, Instance) and known.own == known.name == name != data.cls.name


def stands_on(view: View, family: ModelFamily | None) -> bool:
    """Tell a backbone of pictures of which only the weights are named: what is built on it was not seen."""
    return family is not None and family.usual == BACKBONES_LEARN and view.once(network_of).value is None
