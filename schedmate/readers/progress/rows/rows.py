"""Put what several lines say of one step into one row, and keep a bounded number of rows as plain numbers."""

import math
from array import array
from collections.abc import Mapping, Sequence

COLUMNS = (
    "line", "step", "epoch", "stamp", "step_time", "steps_rate", "time", "elapsed", "eta", "throughput", "loss",
    "epoch_time", "part_time", "things", "percent",
)  # fmt: skip
PLACE = {name: place for place, name in enumerate(COLUMNS)}
WIDTH = len(COLUMNS)
STEP_TIME, RATE = PLACE["step_time"], PLACE["steps_rate"]
NOTHING = array("d", [math.nan] * WIDTH)


class Rows:
    """The last steps of a run: one row a step, in the order they were printed."""

    __slots__ = ("began", "cells", "limit", "seen", "waiting")

    def __init__(self, limit: int = 40) -> None:
        self.limit = limit
        self.cells = array("d")
        self.waiting: dict[str, float] = {}
        """Values that stand before the counter of their own step."""
        self.seen = 0
        self.began = math.nan
        """The first time stamp."""

    def __len__(self) -> int:
        return len(self.cells) // WIDTH

    def begin(self, values: Mapping[str, float], again: bool = False) -> None:
        """Start a row, or add to the last one when the counter stands still and does not start `again`."""
        same = not again and bool(self.cells) and self.continues(values)
        if not same:
            self.cells.extend(NOTHING)
            self.seen += 1
            if "stamp" in values and math.isnan(self.began):
                self.began = values["stamp"]
            for name, value in self.waiting.items():
                self.cells[PLACE[name] - WIDTH] = value
            self.waiting.clear()
            if len(self.cells) > self.limit * WIDTH:
                self.drop_one()
        for name, value in values.items():
            if not (same and (name == "line" or (name == "stamp" and not math.isnan(self.cells[PLACE[name] - WIDTH])))):
                self.cells[PLACE[name] - WIDTH] = value

    def drop_one(self) -> None:
        """Forget the first row; the only one that tells a step's time outlasts the others, as a pass's end does."""
        cells = self.cells
        second = cells[WIDTH + STEP_TIME] > 0 or cells[WIDTH + RATE] > 0
        at = WIDTH if not second and (cells[STEP_TIME] > 0 or cells[RATE] > 0) else 0
        del self.cells[at : at + WIDTH]

    def continues(self, values: Mapping[str, float]) -> bool:
        """Tell whether values are of the last row's step."""
        epoch = self.cells[PLACE["epoch"] - WIDTH]
        same_epoch = "epoch" not in values or math.isnan(epoch) or epoch == values["epoch"]
        return self.cells[PLACE["step"] - WIDTH] == values["step"] and same_epoch

    def add(self, values: Mapping[str, float]) -> None:
        """Add what stands beside the counter: to the last row, or to the next when the last has such a value."""
        for name, value in values.items():
            if self.cells and math.isnan(self.cells[PLACE[name] - WIDTH]):
                self.cells[PLACE[name] - WIDTH] = value
            else:
                self.waiting[name] = value

    def only(self, places: Sequence[int]) -> "Rows":
        """Give some of the rows, as if no other had been printed."""
        some = Rows(self.limit)
        for place in places:
            some.cells.extend(self.cells[place * WIDTH : (place + 1) * WIDTH])
        some.waiting, some.seen, some.began = self.waiting, self.seen, self.began
        return some

    def newest(self, name: str) -> float:
        """Give the last row's value, NaN where it has none."""
        return self.cells[PLACE[name] - WIDTH] if self.cells else math.nan

    def column(self, name: str) -> list[float]:
        """Give one column, NaN where a row has no such value."""
        return list(self.cells[PLACE[name] :: WIDTH])

    def last(self, name: str) -> tuple[float, int] | None:
        """Give the last value of a column and the line of its row."""
        if name in self.waiting and not len(self):
            return self.waiting[name], 0
        for place in range(len(self.cells) - WIDTH, -1, -WIDTH):
            value = self.cells[place + PLACE[name]]
            if not math.isnan(value):
                return value, int(self.cells[place])
        return None

    def pairs(self, name: str, other: str) -> list[tuple[float, float]]:
        """Give the rows that have both of these columns; NaN is what does not equal itself."""
        columns = zip(self.column(name), self.column(other), strict=True)
        return [(one, two) for one, two in columns if one == one and two == two]
