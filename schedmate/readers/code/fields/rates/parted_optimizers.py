"""optax's optimizer that is made of several, each of which moves its own part of the parameters."""

from schedmate.knowledge.optimizers import canonical
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import Value, held, mapping_of

FREEZE = frozenset({"set_to_zero", "identity", "masked"})
"""What moves no parameter."""


def from_parts(view: View) -> None:
    """Name all optimizers whose parts make up one; where one of them is not known, the first says nothing of all."""
    for event in view.of("optax.", "multi_transform", "partition"):
        parts = mapping_of(event.arg(0, "transforms"))
        moving = {str(name): value for name, value in parts.items() if short_of(value) not in FREEZE}
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


def optimizer_of(name: str, value: Value) -> str | None:
    """Name a part's optimizer: by the call that made it, within a chain too, else by what the part is called."""
    made = held(value, ExternalResult)
    inner = [*made.args, *made.kwargs.values()] if made is not None and made.short == "chain" else []
    shorts = [short_of(value), *(short_of(one) for one in inner)]
    known = (canonical(short.removeprefix("scale_by_")) for short in shorts if short)
    return next((one for one in known if one is not None), None) or canonical(name)


RULES = (Rule(Subject.OPTIMIZER, "optimizers of parts", from_parts),)
