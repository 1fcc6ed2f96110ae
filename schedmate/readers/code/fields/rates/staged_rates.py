"""Rates of stages, written into one option as a list: `--learning_rate 0.001,0.0001` beside `--steps 15000,3000`."""

import re2

from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

RATES = re2.compile(r"^\s*[0-9]*\.?[0-9]+(?:e-?[0-9]+)?(?:\s*,\s*[0-9]*\.?[0-9]+(?:e-?[0-9]+)?)+\s*$")
COUNTS = re2.compile(r"^\s*[0-9]+(?:\s*,\s*[0-9]+)+\s*$")

LENGTHS = ("step", "iter", "epoch")
"""Parts of names of options that say how long each stage lasts."""


def staged_rate(view: View) -> None:
    """Take the highest rate of a list where another option says of as many stages how long they last."""
    lasting = [
        str(value.data).count(",")
        for mapping in view.namespaces
        for name, value in flattened(mapping)
        if isinstance(value.data, str) and COUNTS.match(value.data) and any(part in name.lower() for part in LENGTHS)
    ]
    for _, value in view.options("learning_rate"):
        text = value.data if isinstance(value.data, str) and RATES.match(value.data) else ""
        if text and text.count(",") in lasting and view.get("is_training"):
            view.number(
                "learning_rate", Value(max(map(float, text.split(","))), value.src), "the highest of its stages"
            )
            return


RULES = (Rule(Subject.OPTIMIZER, "rates of stages", staged_rate),)
