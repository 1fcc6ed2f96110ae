"""Tell an evaluation that is printed as training is: a heading says so, and its counter runs to another end."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from schedmate.readers.progress.lines.fields import Field, Shape, Work
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.tokens import value_of

MAX_CHARS, MAX_WORDS = 60, 6
MAX_COUNTERS = 64

NEARLY, MUCH_NEARER = 0.9, 2
"""How much of a pass is counted when it is over, and how many times less its evaluation counts at least."""
FASTER = 2
"""How many times as fast as training an evaluation goes at least, which learns nothing."""
CODE = re.compile(r"\w[_=/\\(]|(?<!\S)--\w|['\"`]")
"""What a heading is free of: a variable, a setting, a path, a call, an option, a quotation."""
UNNAMED = -1.0
NOWHERE = ("", -2.0, 0.0, 0.0)
NONE_YET = (0, 0.0)


def is_over(end: float, step: float) -> bool:
    """Tell a pass that has come near its end: its last report may stand before that."""
    return step + 1 >= NEARLY * end


def pace_of(shape: Shape, numbers: Sequence[str]) -> float:
    """Give how long a step takes by what its line tells, 0 where it tells nothing."""
    time, rate = shape.find("step_time"), shape.find("steps_rate")
    told = time.value(numbers) if time else rate.value(numbers) if rate else 0.0
    return told if time or told <= 0 else 1 / told


@dataclass(slots=True)
class Sections:
    """Follow headings: an evaluation lasts until a counter runs to training's own end again."""

    evaluating: bool = False
    trains: bool = False
    """Whether a line without numbers spoke of training."""
    since: int = 0
    """The order of the heading under which an evaluation began."""
    ends: dict[tuple[str, Work], float] = field(default_factory=dict)
    """To which end each counter of training runs, where it says that it trains and where it says nothing."""
    passed: str = ""
    """The counter that is printed with the pass over the data that it is of; an evaluation's is of none."""
    pass_ends: dict[str, float] = field(default_factory=dict)
    """To which end each counter runs that tells a loss and is the first under a pass's heading."""
    over: set[str] = field(default_factory=set)
    """The counters that came to their end since the last pass's heading."""
    is_last: bool = False
    """Whether that heading was of the last pass."""
    behind: dict[str, tuple[int, float]] = field(default_factory=dict)
    """How often each counter began anew behind it, and how far it has come."""
    told: set[str] = field(default_factory=set)
    """What lines without a counter told of a pass before its evaluation was headed."""
    passes: dict[str, float] = field(default_factory=dict)
    """Of which pass each kind of lines that counts passes told last, outside of any evaluation."""
    headed: bool = False
    """Whether passes have headings of their own."""
    at: tuple[str, float, float, float] = NOWHERE
    """Which counter has come how far, in which pass that its lines name and to which end."""
    nearer: tuple[float, float] = (0.0, 0.0)
    """To which end the evaluation of that pass counts, and how far it has come."""
    pace: float = 0.0
    """How long a step of that pass took, where its lines tell."""
    again: bool = False
    """Whether the lines of a pass that was over count anew, to a much nearer end."""

    def begin_pass(self, is_last: bool) -> None:
        """Take a heading such as `Epoch 3/20`: what counts next is that pass; behind the last one nothing trains."""
        self.over.clear()
        self.behind.clear()
        self.is_last = is_last
        self.headed, self.evaluating, self.again = True, False, False
        self.at = NOWHERE

    def follows_pass(self, shape: Shape, counter: Field, step: float, end: float) -> bool:
        """Tell what counts to another end when the pass under a heading is over, or anew when the last one is: it
        evaluates, as Keras does then.
        """
        name, tells_loss = counter.name, shape.find("loss") is not None
        if name in self.over and self.is_last:
            self.count_behind(name, step, end)
        if self.behind.get(name, NONE_YET)[0] == 1 or (name in self.over and self.pass_ends.get(name) != end):
            return not any(has(pieces_of((text,)), "training") for text in (name, shape.stream.about))
        if tells_loss and name not in self.over and len(self.pass_ends) < MAX_COUNTERS:
            self.pass_ends[name] = end
        if tells_loss and step >= end:
            self.over.add(name)
        return False

    def count_behind(self, name: str, step: float, end: float) -> None:
        """Count how often a counter began anew behind the last pass: once it evaluates, again it trains once more."""
        times, last = self.behind.get(name, NONE_YET)
        if step < last or (step < end and not times):
            times += 1
        if times:
            self.behind[name] = times, step

    def heading(self, text: str, order: int) -> None:
        """Take a line without numbers, that may head what follows."""
        if len(text) > MAX_CHARS or CODE.search(text):
            return
        words = text.replace("…", " ").split(maxsplit=MAX_WORDS)
        pieces = pieces_of(tuple(words)) if len(words) <= MAX_WORDS else ()
        if has(pieces, "training") or has(pieces, "epoch"):
            self.trains, self.evaluating = True, False
        elif has(pieces, "evaluation"):
            self.begin_evaluation(order)

    def begin_evaluation(self, order: int) -> None:
        """Take a heading such as `Epoch 3 validation`: what counts next, to another end, is that."""
        self.since = self.since if self.evaluating else order
        self.evaluating = True

    def work_anew(self, shape: Shape, counter: Field, at: tuple[float, float, float], pace: float) -> Work:
        """Give the work of what counts anew in a pass that is over: much faster and to a much nearer end, it evaluates.

        A second loader that is shorter may be trained on as well, and its steps take as long as those of the first:
        before its first step nothing tells.
        A pass that is not named is over as its bar is, and evaluated by one bar: a second one is of a run of its own.
        """
        epoch, step, end = at
        name, passed, to, far = self.at
        is_same = counter.name == name and epoch == passed
        if self.again and is_same and end != to:
            is_anew = end == self.nearer[0] and step < self.nearer[1] and is_over(*self.nearer)
            is_nearer = goes_on = epoch != UNNAMED or not is_anew
        else:
            spoken = any(has(pieces_of((text,)), "training") for text in (counter.name, shape.stream.about))
            is_nearer = is_same and not spoken and end != to and is_over(to, far) and MUCH_NEARER * end <= to
            goes_on = is_nearer and 0 < FASTER * pace <= self.pace
        self.again = goes_on
        if self.again:
            self.nearer = end, step
        elif not is_nearer:
            self.at = counter.name, epoch, end, step
            self.pace = pace or (self.pace if is_same else 0.0)
        elif step <= 0:
            return "other"
        return "eval" if self.again else shape.work

    def aside(self, shape: Shape) -> Shape:
        """Give what is told under an evaluation's heading as that of one, where the same was told of a pass before."""
        if self.again and shape.work in {"train", "unsaid"}:
            return replace(shape, work="eval", stream=shape.stream._replace(work="eval"))
        if shape.work not in {"train", "unsaid"} or not self.headed:
            return shape
        if self.evaluating and shape.stream.name in self.told:
            return replace(shape, work="eval", stream=shape.stream._replace(work="eval"))
        if not self.evaluating and len(self.told) < MAX_COUNTERS:
            self.told.add(shape.stream.name)
        return shape

    def told_again(self, shape: Shape, numbers: Sequence[str]) -> Shape:
        """Give what is told of a pass under an evaluation's heading as that of one, where it was told before."""
        epoch = shape.find("epoch")
        if epoch is None or shape.work not in {"train", "unsaid"}:
            return shape
        name, number = f"{shape.stream.name} {shape.stream.about}", epoch.value(numbers)
        if self.evaluating and self.passes.get(name) == number:
            return replace(shape, work="eval", stream=shape.stream._replace(work="eval"))
        if not self.evaluating and (name in self.passes or len(self.passes) < MAX_COUNTERS):
            self.passes[name] = number
        return shape

    def began_before(self, order: int) -> bool:
        """Tell whether all since a line, given by its order, stands under an evaluation's heading."""
        return self.evaluating and self.since < order

    def train_to(self, name: str, work: Work, end: float, with_pass: bool) -> None:
        """Take it that what trains counts to an end, whatever was headed before."""
        self.evaluating = self.again = False
        self.passed = name if with_pass else self.passed
        if (name, work) in self.ends or len(self.ends) < MAX_COUNTERS:
            self.ends[name, work] = end

    def place(self, shape: Shape, numbers: Sequence[str], tagged: bool = False) -> Shape:
        """Give a line's shape as that of an evaluation where it is one; none that is tagged as training is."""
        counter = shape.find("step")
        if counter is None or counter.total_at < 0 or shape.work not in {"train", "unsaid"}:
            return shape
        end = value_of(numbers[counter.total_at])
        epoch = shape.find("epoch")
        if tagged:
            self.train_to(counter.name, shape.work, end, with_pass=epoch is not None)
            return shape
        named = UNNAMED if epoch is None else epoch.value(numbers)
        learns = shape.is_bar and shape.find("loss") is not None
        at = named, counter.value(numbers), end
        work = self.work_anew(shape, counter, at, pace_of(shape, numbers)) if epoch or learns else shape.work
        if work != shape.work:
            return replace(shape, work=work, stream=shape.stream._replace(work=work))
        key = (counter.name, shape.work)
        known = self.ends.get((counter.name, "train"))
        if known is None and shape.work == "unsaid":  # a download may count so: it is no measure of what trains
            known = self.ends.get(key)
        passes = epoch is not None
        unpassed = not passes and counter.name == self.passed != ""
        if passes and shape.work == "train":
            self.passed = counter.name
        is_apart = (self.evaluating or unpassed) and known is not None and known != end
        if is_apart or (self.headed and not passes and self.follows_pass(shape, counter, counter.value(numbers), end)):
            return replace(shape, work="eval", stream=shape.stream._replace(work="eval"))
        trained = any(work == "train" for _, work in self.ends)
        if shape.work == "train" or (known is not None and not trained):
            self.evaluating = False  # what else counts beside, as a build does, ends nothing
        if key in self.ends or len(self.ends) < MAX_COUNTERS:
            self.ends[key] = end
        return shape
