"""Coqui: a trainer that makes loop, loader and optimizer of one configuration."""

from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Unknown, Value

COQUI = (("epochs", "epochs"), ("batch_size", "batch_size"), ("learning_rate", "lr"), ("learning_rate", "lr_gen"))


def read_coqui(view: View) -> None:
    """Take the configuration that Coqui's trainer is given: it makes the loop, the loader and the optimizer of it."""
    for event in view.of("trainer.Trainer", "Trainer"):
        told = agreed_attributes(event.arg(1, "config")) or agreed_attributes(made_beside(view, event))
        for field_name, name in COQUI:
            view.number(field_name, told.get(name))
        keep_optimizer(view, told.get("optimizer"))
        keep_switch(view, told.get("mixed_precision"), event.spot)


def made_beside(view: View, event: Event) -> Value | None:
    """Give the one training configuration that is made in the file where its trainer is."""
    made = [
        value
        for value in view.run.instances
        if value.data.spot.path == event.spot.path and {"batch_size", "epochs"} <= set(value.data.attrs)
    ]
    return made[0] if len(made) == 1 else None


def agreed_attributes(record: Value | None) -> dict[str, Value]:
    """Give a record's values; of several that it may be only those in which they agree."""
    parts = record.data.parts if record is not None and isinstance(record.data, Unknown) else [record] if record else []
    records = [part.data.attrs for part in parts if isinstance(part.data, Instance)]
    if not records or len(records) < len(parts):
        return {}
    first, *others = records
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name].data == value.data for other in others)
    }


RULES = (Rule(Subject.TRAINER, "Coqui", read_coqui),)
