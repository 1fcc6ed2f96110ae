"""Rates that a schedule writes over those that an optimizer is made with."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value, sequence_of


def one_cycle(view: View) -> None:
    """Take the peak that `OneCycleLR` is told: it writes a part of it into its optimizer at once."""
    for event in view.of("torch.", "OneCycleLR"):
        peak = event.arg(1, "max_lr")
        rates = list(sequence_of(peak)) or [peak] if peak is not None else []
        if event.sure and rates and all(type(rate.data) in (int, float) for rate in rates if rate is not None):
            view.number("learning_rate", highest([rate for rate in rates if rate is not None]))


def highest(rates: list[Value]) -> Value:
    """Give the highest of several rates, one for each group of parameters."""
    return max(rates, key=lambda rate: rate.data)


RULES = (Rule(Subject.OPTIMIZER, "a schedule that sets the rate", one_cycle),)
