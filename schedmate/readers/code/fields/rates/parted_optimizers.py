"""optax's optimizer that is made of several, each of which moves its own part of the parameters."""

from schedmate.knowledge.optimizers import canonical
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, held, mapping_of

FREEZE = "set_to_zero"
"""What moves no parameter."""
HANDS_ON = "identity"
"""What moves parameters by the gradient as it is, as no optimizer with a name does."""


def from_parts(view: View) -> None:
    """Name all optimizers whose parts make up one; where one of them is not known, the first says nothing of all."""
    for event in view.of("optax.", "multi_transform", "partition"):
        parts = mapping_of(event.arg(0, "transforms"))
        moving = {str(name): value for name, value in parts.items() if not is_frozen(value)}
        names = {optimizer_of(name, value) for name, value in moving.items()}
        if not event.sure or len(names) < 2:
            continue
        if None in names:
            view.rule_out("optimizer")
        else:
            spots = tuple(value.src[0] for value in moving.values() if value.src)
            view.keep("optimizer", " + ".join(sorted(str(name) for name in names)), (event.spot, *spots))


def short_of(value: Value) -> str:
    """Give the last name of the call that made a part."""
    made = held(value, ExternalResult)
    return made.short if made is not None else ""


def inner_parts(value: Value) -> list[Value]:
    """Give what a chain is made of, or what `masked` applies to some of the parameters; else the part itself."""
    made = held(value, ExternalResult)
    if made is not None and made.short == "chain":
        return [*made.args, *made.kwargs.values()]
    inner = made.kwargs.get("inner", next(iter(made.args), None)) if made is not None else None
    return [inner] if made is not None and made.short == "masked" and inner is not None else [value]


def is_frozen(value: Value) -> bool:
    """Tell a part that leaves its parameters as they are, whole or within a chain or mask."""
    inner = inner_parts(value)
    return short_of(value) == FREEZE or any(one is not value and is_frozen(one) for one in inner)


def optimizer_of(name: str, value: Value) -> str | None:
    """Name a part's optimizer: by the call that made it, within a chain or mask too, else by what it is called."""
    inner = [part for one in inner_parts(value) for part in inner_parts(one)]
    shorts = [short_of(value), *(short_of(one) for one in inner)]
    if shorts[-1] == HANDS_ON and set(shorts) <= {HANDS_ON, "chain", "masked"}:
        return None
    known = (canonical(short.removeprefix("scale_by_")) for short in shorts if short)
    return next((one for one in known if one is not None), None) or canonical(name)


RULES = (Rule(Subject.OPTIMIZER, "optimizers of parts", from_parts),)
