"""Rates that an optimizer is made with and does not keep: a schedule of the program's own writes others into it."""

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import SourceLocation, Value

LOWEST = re2.compile(
    r"(?i)(?:min|end|final|floor)_?(?:lr|learning_?rate)(?:\b|_)|(?:\b|_)(?:lr|learning_?rate)_?(?:min|end|final|floor)\b"
    r"|warm_?up_?(?:init|initial|start|begin|min)_?(?:lr|learning_?rate)(?:\b|_)"
    r"|(?:init|initial|start)_?warm_?up_?(?:lr|learning_?rate)(?:\b|_)"
)
"""How settings call the lowest rate of a schedule, or the one from which its warm-up starts."""
ANY = re2.compile(r"(?i)(?:\b|_)(?:lr|learning_?rate)(?:\b|_)")


def comes_later(view: View, rate: Value, event: Event) -> bool:
    """Tell a rate that only stands there until a schedule sets the real one: one, or the bottom of a warm-up."""
    if not isinstance(rate.data, (int, float)):
        return False
    signs = view.run.about(TrainingSigns)
    if rate.data == 1 and (event.short.lower().startswith("adam") or signs.written_rate is not None or signs.sets_rate):
        return True
    return signs.sets_rate and (is_lowest(view, rate) or warms_up_from(view, rate))


def told_rate(view: View) -> Value | None:
    """Give the option of the rate, but no lowest one where there is another: a schedule starts there."""
    found = [value for _, value in view.options("learning_rate") if value.data is not None]
    return next((one for one in found if not is_lowest(view, one)), found[0] if found else None)


def warms_up_from(view: View, rate: Value) -> bool:
    """Tell the bottom of a warm-up: a part of the option, worked out with how long that takes."""
    option = told_rate(view)
    if option is None or not isinstance(option.data, (int, float)) or set(rate.src).isdisjoint(option.src):
        return False
    return rate.data < option.data and any("warm" in line_at(view, spot).lower() for spot in rate.src)


def is_lowest(view: View, rate: Value) -> bool:
    """Tell a rate that is kept under the name of a lowest one, and under no other."""
    lines = [line_at(view, spot) for spot in rate.src[:1]]
    return any(LOWEST.search(line) and not ANY.search(LOWEST.sub("", line)) for line in lines)


def line_at(view: View, spot: SourceLocation) -> str:
    """Give a line of code without its comment."""
    lines = view.run.repository.glimpse(spot.path).split("\n")
    return lines[spot.line - 1].partition("#")[0] if 0 < spot.line <= len(lines) else ""
