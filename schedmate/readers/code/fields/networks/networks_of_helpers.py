"""Networks that only help, which callbacks hold or all weights of which are frozen, and the words that make them."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.held_parts import all_within
from schedmate.readers.code.fields.networks.networks_beside import is_held_in
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import Value

CALLBACK = "Callback"


def without_helpers(view: View, networks: list[Value]) -> list[Value]:
    """Leave out what callbacks hold; of the others what is frozen as a whole, where one that is not is left."""
    callbacks = [value.data for value in view.run.instances if is_callback(value.data.cls)]
    aside = all_within(callbacks, parts_in)
    left = [one for one in networks if id(one.data) not in aside]
    frozen = {id(event.owner.data) for event in view.ending(".requires_grad_") if event.owner and freezes(event.args)}
    learning = [one for one in left if id(one.data) not in frozen]
    return learning or left


def parts_in(data: object) -> list[object]:
    """Give the objects that an object, a call's result or a list holds."""
    if isinstance(data, Instance):
        held = list(data.attrs.values())
    elif isinstance(data, ExternalResult):
        held = [*data.args, *data.kwargs.values(), *data.attrs.values()]
    else:
        held = [item for item in data if isinstance(item, Value)] if isinstance(data, (list, tuple)) else []
    return [one.data for one in held if isinstance(one.data, (Instance, ExternalResult, list, tuple))]


def freezes(args: list[Value]) -> bool:
    """Tell `requires_grad_(False)`."""
    return bool(args) and args[0].data is False


def is_callback(cls: Class) -> bool:
    """Tell a class of what a trainer calls now and then."""
    return cls.name.endswith(CALLBACK) or any(name.endswith(CALLBACK) for name in cls.outside())


def names_helper(view: View, option: Value, network: Value | None, networks: list[Value]) -> bool:
    """Tell a word that code alone hands to who makes another network, in the file that makes it.

    A network that is made in the same file, or holds the other one, may go by that word itself.
    """
    path = option.src[0].path if option.src else ""
    if not path.endswith(".py") or view.is_told(option) or len({spot.path for spot in option.src}) > 1:
        return False
    made = [one.data for one in networks if isinstance(one.data, Instance) and one.data.spot.path == path]
    own = network.data if network is not None and isinstance(network.data, (Instance, ExternalResult)) else None
    if not made or (own is None and network is not None) or (own is not None and own.spot.path == path):
        return False
    return not isinstance(own, Instance) or not any(is_held_in(one, own) for one in made)
