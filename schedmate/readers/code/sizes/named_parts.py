"""Parts of ready networks that a program takes by their names: `body.layer1` to `body.layer4`, `vgg.features`."""

from dataclasses import dataclass, field

from schedmate.knowledge.models import ready_network, squash
from schedmate.knowledge.tables import table
from schedmate.readers.code.sizes.layer_arithmetic import NotCounted
from schedmate.readers.code.sizes.ready_networks import HEADS, USUAL, name_of
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import External, Value

ROWS = {"resnet": ("layer1", "layer2", "layer3", "layer4"), "resnext": ("layer1", "layer2", "layer3", "layer4")}
"""Under which names networks of torchvision keep their rows of layers, where they are several."""
SMALL = ("conv1", "bn1", "relu", "maxpool", "avgpool")
"""First layers, which are small, and what has no parameters."""


@dataclass
class NamedParts:
    """The parts that were met in a network, by the ready network that they were taken from."""

    met: dict[int, tuple[ExternalResult, set[str]]] = field(default_factory=dict)

    def note(self, data: External) -> bool:
        """Keep a part of a ready network of torchvision; tell whether it is one."""
        made = data.owner.data if data.owner is not None else None
        part = data.name.rpartition(".")[2]
        if not isinstance(made, ExternalResult) or data.name != f"{made.callee}.{part}" or made.attrs:
            return False
        if not made.callee.startswith("torchvision.models.") or ready_network(name_of(made)) is None:
            return False
        if part not in (*rows_of(made), *SMALL, *HEADS):
            return False
        self.met.setdefault(id(made), (made, set()))[1].add(part)
        return True

    def total(self) -> int:
        """Add up what the parts hold; open where some rows of a network are used without the others."""
        return sum(size_of_parts(made, parts) for made, parts in self.met.values())


def rows_of(made: ExternalResult) -> tuple[str, ...]:
    """Name the parts of a network that hold nearly all of it without its last layer."""
    several = next((rows for word, rows in ROWS.items() if word in made.short), None)
    return several or ("features",)


def size_of_parts(made: ExternalResult, parts: set[str]) -> int:
    """Give the parameters of some parts of a ready network."""
    ready, rows = ready_network(name_of(made)), set(rows_of(made))
    if ready is None or (parts & rows and not rows <= parts) or not ready.width:
        raise NotCounted(f"some parts of {made.short}")
    head = (ready.width + 1) * USUAL
    body = table("ready_networks")["bodies"].get(squash(made.short), ready.millions - head / 1e6)
    last = ready.millions - body if parts & set(HEADS) else 0
    return int((last + body * bool(parts & rows)) * 1e6)


def is_weight_of_another(weight: Value | None) -> bool:
    """Tell `head.weight = embedding.weight`: the weights are counted where they were made."""
    data = weight.data if weight is not None else None
    return isinstance(data, External) and data.owner is not None and isinstance(data.owner.data, ExternalResult)
