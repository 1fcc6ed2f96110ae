"""Networks that a tape of TensorFlow trains: those by whose variables it derives the loss, and which of them judges."""

from collections.abc import Callable

from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.held_parts import all_within
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value

VARIABLES = ("trainable_variables", "trainable_weights", "variables")
JUDGES = ("discriminator", "critic", "disc", "judge")
MAKERS = ("generator", "gen")


def taped_networks(view: View) -> list[Value]:
    """Give the networks whose variables a tape gives gradients for, each once, in order."""
    given = [event.arg(1, "sources") for event in view.named("gradient") if event.owner is not None]
    given += [event.arg(0, "grads_and_vars") for event in view.named("apply_gradients")]
    found = {id(owner.data): owner for value in given for owner in owners(value)}
    return list(found.values())


def owners(value: Value | None) -> list[Value]:
    """Give the objects whose variables stand in a value: alone, added up, zipped; what is shared is seen once."""
    within = all_within([[value]], parts_of).values()
    variables = (one for one in within if isinstance(one, External) and one.name.endswith(VARIABLES))
    return [one.owner for one in variables if one.owner is not None]


def parts_of(data: object) -> list[object]:
    """Give what a value is made of: a row's items, the ways that are open, what a call was given."""
    parts = data.parts if isinstance(data, Unknown) else data.args if isinstance(data, ExternalResult) else data
    return [part.data for part in parts if isinstance(part, Value)] if isinstance(parts, (list, tuple)) else []


def maker_of(view: View, value: Value) -> str:
    """Name the class of a network, or else the function in which a library made it."""
    if isinstance(value.data, Instance):
        return value.data.cls.name
    made = next((event for event in view.events if event.result.data is value.data), None)
    return made.functions[-1] if made is not None and made.functions else ""


def named_like(names: tuple[str, ...]) -> Callable[[str], bool]:
    """Tell names that hold a word of some, or end with the first: `build_generator`, `disc_net`."""
    return lambda name: not set(names).isdisjoint(words_of(name)) or name.lower().endswith(names[0])


judges, generates = named_like(JUDGES), named_like(MAKERS)


def opponents(view: View) -> tuple[Value, Value] | None:
    """Give the network that makes and the one that judges, where a tape trains both."""
    networks = [(maker_of(view, value), value) for value in taped_networks(view)]
    judge = next((value for name, value in networks if judges(name)), None)
    maker = next((value for name, value in networks if generates(name)), None)
    return (maker, judge) if maker is not None and judge is not None else None


def spots_of(network: Value) -> tuple[SourceLocation, ...]:
    """Give the places where a network was made, and of its class."""
    data = network.data
    return (data.spot, data.cls.spot) if isinstance(data, Instance) else (data.spot,)
