"""Rates of one that a schedule multiplies: the schedule's own peak is the rate."""

import math

from schedmate.readers.code.evidence.optimizer_calls import optimizer_events
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Function, Instance
from schedmate.readers.code.values.value import Value, held

STEPS = (0, 1, 10, 100, 1_000, 10_000, 100_000)
"""Places at which a schedule is asked."""
MOST_PLACES = 8


def scaled_rate(view: View) -> None:
    """Take the peak of what multiplies an optimizer's rate of one, as `LambdaLR` does."""
    made = {id(event.result.data): event for event in optimizer_events(view)}
    for event in view.named("LambdaLR"):
        scaled, schedule = event.arg(0, "optimizer"), event.arg(1, "lr_lambda")
        optimizer = made.get(id(scaled.data)) if scaled is not None else None
        if optimizer is not None and schedule is not None and is_one(optimizer):
            view.number("learning_rate", peak_of_schedule(view, schedule))


def is_one(optimizer: Event) -> bool:
    """Tell an optimizer that is told a rate of one."""
    rate = optimizer.arg(1, "lr", "learning_rate")
    return rate is not None and isinstance(rate.data, (int, float)) and rate.data == 1


def peak_of_schedule(view: View, schedule: Value) -> Value | None:
    """Give the most that a schedule gives where it says so: a number that it keeps, or what it begins with."""
    kept = held(schedule, Instance)
    if kept is None and not isinstance(schedule.data, Function):
        return None
    numbers = [one for one in kept.attrs.values() if type(one.data) in (int, float)] if kept is not None else []
    places = [*STEPS, *(one.data for one in numbers[:MOST_PLACES] if type(one.data) is int and one.data > 0)]
    rates = [view.run.call(schedule, [Value(place)]).data for place in places]
    if not all(isinstance(rate, (int, float)) for rate in rates):
        return None
    most = max(rates)
    said = next((one for one in numbers if 0 < one.data < 1 and math.isclose(one.data, most)), None)
    return said or (Value(most, schedule.src) if 0 < most == rates[0] else None)
