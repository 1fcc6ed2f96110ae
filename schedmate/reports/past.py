"""The jobs of a report as columns, so that a million take some hundred megabytes."""

import math
from array import array
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
NO_NUMBER = math.nan

FAILED = ("failed", "node_fail", "timeout")
"""How a job ended that its owner did not want to end so; who cancels may have had what he wanted."""
FAULTS = frozenset({"infrastructure", "framework", "script", "other"})

OWN_FAULTS = {"completed": frozenset[str](), "cancelled": FAULTS - {"other"}}
"""Which classes make a failure of a job that ended so: a log may tell what was wrong before somebody cancelled it."""


class Told(NamedTuple):
    """One job as its source tells it; what it does not tell is NaN, 0 or empty."""

    job_id: str
    user: str = ""
    name: str = ""
    vc: str = ""
    status: str = "unknown"
    state: str = ""
    """The scheduler's own word, where it says more."""
    gpus: float = 0.0
    nodes: str = ""
    """A list of nodes as it was written: gpu[1-3]."""
    thing: int = 0
    """The same number for runs of the same thing; 0 where that is not known."""
    submit_s: float = NO_NUMBER
    start_s: float = NO_NUMBER
    end_s: float = NO_NUMBER
    ran_s: float = NO_NUMBER
    limit_s: float = NO_NUMBER
    memory_asked_gib: float = NO_NUMBER
    memory_used_gib: float = NO_NUMBER
    gpu_util: float = NO_NUMBER
    gpu_s: float = NO_NUMBER
    """GPU seconds that it had, where its size has changed."""


class Found(NamedTuple):
    """What a log told of a job's end."""

    category: str
    subcategory: str
    failure_id: str
    root: str
    """The line that failed first, without what differs from run to run."""
    quote: str
    faulty: tuple[str, ...]
    """Nodes that the log blames; words of a log, not a check's."""
    restart: str


WORDS = ("user", "name", "vc", "status", "state", "nodes")
NUMBERS = (
    "gpus", "submit_s", "start_s", "end_s", "ran_s", "limit_s", "memory_asked_gib", "memory_used_gib", "gpu_util",
    "gpu_s",
)  # fmt: skip


class Words:
    """Numbers words by first appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, word: str) -> int:
        """Give a word's number."""
        return self.numbers.setdefault(word, len(self.numbers))


class Gathering:
    """Takes jobs one by one; one that is told of again by the same source is told anew."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.places: dict[str, int] = {}
        self.words = {name: Words() for name in WORDS}
        self.codes = {name: array("i") for name in WORDS}
        self.numbers = {name: array("d") for name in NUMBERS}
        self.things = array("q")
        self.found: dict[int, Found] = {}
        self.lost_s: dict[int, float] = {}

    def new_source(self) -> None:
        """Begin a source, whose ids are its own."""
        self.places = {}

    def add(self, told: Told, key: str = "") -> int:
        """Keep a job, and give its place; `key` is what it is known by, where its id alone is not enough."""
        place = self.places.setdefault(key or told.job_id, len(self.ids))
        fields: dict[str, Any] = told._asdict()
        if place == len(self.ids):
            self.ids.append(told.job_id)
            for name in WORDS:
                self.codes[name].append(self.words[name].number(fields[name]))
            for name in NUMBERS:
                self.numbers[name].append(fields[name])
            self.things.append(told.thing)
        else:
            for name in WORDS:
                self.codes[name][place] = self.words[name].number(fields[name])
            for name in NUMBERS:
                self.numbers[name][place] = fields[name]
            self.things[place] = told.thing
        return place

    def past(self) -> "Past":
        """Give what was gathered."""
        return Past(
            ids=self.ids,
            words={name: tuple(words.numbers) for name, words in self.words.items()},
            codes={name: np.array(codes, np.int32) for name, codes in self.codes.items()},
            numbers={name: np.array(values, np.float64) for name, values in self.numbers.items()},
            thing=np.array(self.things, np.int64),
            found=self.found,
            lost_s=self.lost_s,
        )


@dataclass(frozen=True)
class Past:
    """The columns; a job is known by its place."""

    ids: list[str]
    words: dict[str, tuple[str, ...]]
    codes: dict[str, npt.NDArray[np.int32]]
    numbers: dict[str, Floats]
    thing: Ints
    found: dict[int, Found] = field(default_factory=dict)
    lost_s: dict[int, float] = field(default_factory=dict)
    """How long a log went on after the job last said that it had saved."""

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, name: str) -> Floats:
        return self.numbers[name]

    def word(self, name: str, place: int) -> str:
        """Give a word of a job."""
        return self.words[name][int(self.codes[name][place])]

    def having(self, name: str, *words: str) -> Mask:
        """Tell which jobs have one of some words."""
        wanted = [number for number, word in enumerate(self.words[name]) if word in words]
        return np.isin(self.codes[name], wanted)

    def over_within(self, since_s: float | None, until_s: float | None) -> "Past":
        """Keep the jobs that were over in a span of time; who is not over yet counts by the last that is known."""
        if since_s is None and until_s is None:
            return self
        over_s = self.over_s
        late_enough = over_s >= (-math.inf if since_s is None else since_s)
        return self.only(late_enough & (over_s <= (math.inf if until_s is None else until_s)))

    def having_gpus(self) -> "Past":
        """Keep the jobs that have GPUs."""
        return self.only(self["gpus"] > 0)

    def only(self, kept: Mask) -> "Past":
        """Keep some jobs."""
        places = np.flatnonzero(kept)
        fresh = {place: number for number, place in enumerate(places.tolist())}
        return Past(
            ids=[self.ids[place] for place in places.tolist()],
            words=self.words,
            codes={name: codes[places] for name, codes in self.codes.items()},
            numbers={name: values[places] for name, values in self.numbers.items()},
            thing=self.thing[places],
            found={fresh[place]: found for place, found in self.found.items() if place in fresh},
            lost_s={fresh[place]: lost for place, lost in self.lost_s.items() if place in fresh},
        )

    @property
    def failed(self) -> Mask:
        """Tell which jobs failed: by the scheduler's word, or by their own log."""
        failed = self.having("status", *FAILED)
        for place, found in self.found.items():
            if found.category in OWN_FAULTS.get(self.word("status", place), FAULTS):
                failed[place] = True
        return failed

    @property
    def gpu_hours(self) -> Floats:
        """Give what each job took; nothing where that is not known."""
        asked_s = self["gpus"] * self["ran_s"]
        return np.nan_to_num(np.where(np.isnan(self["gpu_s"]), asked_s, self["gpu_s"])) / 3600

    @property
    def held(self) -> Floats:
        """Give how many GPUs each had on average: what it asked for, unless its size has changed."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self["gpu_s"] / self["ran_s"]
        return np.where(np.isfinite(mean), mean, self["gpus"])

    @property
    def came_s(self) -> Floats:
        """Give the first moment that is known of each job, as the history has it."""
        submit_s, start_s, end_s = self["submit_s"], self["start_s"], self["end_s"]
        return np.where(np.isnan(submit_s), np.where(np.isnan(start_s), end_s, start_s), submit_s)

    @property
    def over_s(self) -> Floats:
        """Give the last moment that is known of each job: its end, where it has one."""
        submit_s, start_s, end_s = self["submit_s"], self["start_s"], self["end_s"]
        begun_s = np.where(np.isnan(start_s), submit_s, start_s)
        return np.where(np.isnan(end_s), begun_s + np.nan_to_num(self["ran_s"]), end_s)
