"""Write figures as Prometheus reads them: names, kinds, help, labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from schedmate.tools.plain_text import plain

Kind = Literal["gauge", "counter", "histogram"]
TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_LABEL = 1000


@dataclass(frozen=True)
class Family:
    """One figure: its values by labels. Of a histogram, each value is a count of a bucket, `sum` or `count`."""

    name: str
    kind: Kind
    about: str
    values: Sequence[tuple[Mapping[str, str], float]]


def page_of(families: Iterable[Family]) -> str:
    """Write all; a figure of which nothing is known has no line."""
    return "".join(text_of(one) for one in families if one.values)


def text_of(family: Family) -> str:
    """Write one figure."""
    lines = [f"# HELP {family.name} {family.about}", f"# TYPE {family.name} {family.kind}"]
    for labels, value in family.values:
        name = family.name + labels.get("", "")
        shown = ",".join(f'{key}="{escaped(text)}"' for key, text in labels.items() if key)
        lines.append(f"{name}{{{shown}}} {float(value)!r}" if shown else f"{name} {float(value)!r}")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Write a label's value."""
    return plain(text[:MOST_LABEL]).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


@dataclass
class Histogram:
    """Counts what takes how long, in buckets."""

    bounds: tuple[float, ...]
    counts: list[int]
    total: float = 0.0

    @classmethod
    def of(cls, *bounds: float) -> "Histogram":
        """Make an empty one; what is beyond the last bound has a bucket too."""
        return cls(bounds, [0] * (len(bounds) + 1))

    def add(self, value: float) -> None:
        """Count one."""
        place = next((place for place, bound in enumerate(self.bounds) if value <= bound), len(self.bounds))
        self.counts[place] += 1
        self.total += value

    def values(self, **labels: str) -> list[tuple[dict[str, str], float]]:
        """Give the values of its family."""
        found: list[tuple[dict[str, str], float]] = []
        so_far = 0
        for bound, count in zip((*map(repr, self.bounds), "+Inf"), self.counts, strict=True):
            so_far += count
            found.append(({"": "_bucket", **labels, "le": bound}, so_far))
        return [*found, ({"": "_sum", **labels}, self.total), ({"": "_count", **labels}, so_far)]
