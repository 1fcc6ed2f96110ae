"""Modules that hold nothing which could learn: they only work on what others give them."""

from schedmate.knowledge.layer_sizes import layer_size
from schedmate.knowledge.models import family_of
from schedmate.readers.code.sizes.parts_of_networks import CONTAINERS, is_layer
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Value, is_constant

NUMBERS, HOLDING = ("numpy.", "torch.distributions."), ("torch.load", "torch.compile")
"""Libraries whose objects hold numbers, as those of the functions of `torch` itself do but for some."""


def is_empty(network: Instance) -> bool:
    """Tell a module of PyTorch's that holds no layer and is no known model: it only works on what others give it."""
    bases = network.cls.outside()
    is_torch = any(base.startswith("torch.") for base in bases)
    is_layers = any(base.endswith(CONTAINERS) or layer_size(base) is not None for base in bases)
    unknown = is_torch and not is_layers and family_of(network.cls.name) is None
    return unknown and not any(may_learn(part) for part in network.attrs.values())


def may_learn(part: Value, depth: int = 0) -> bool:
    """Tell a part that is or holds a layer, or that is not known: no number, tensor or distribution."""
    data = part.data
    if isinstance(data, (list, tuple, dict)):
        inner = data.values() if isinstance(data, dict) else data
        return depth > 3 or any(may_learn(one, depth + 1) for one in inner if isinstance(one, Value))
    made = data.callee if isinstance(data, ExternalResult) else ""
    of_numbers = made.startswith(NUMBERS) or (made.rpartition(".")[0] == "torch" and made not in HOLDING)
    return not is_constant(part) and (is_layer(data) or not of_numbers)
