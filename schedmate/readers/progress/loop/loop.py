"""Follow a training loop: take its lines one by one, keep its steps as rows, and say how it is getting on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from schedmate.readers.progress.kinds.assign_roles import is_per_device
from schedmate.readers.progress.kinds.kinds import Quote, Read, stream_key
from schedmate.readers.progress.kinds.losses import is_numbered_after, is_of_run, is_sum, loss_rank
from schedmate.readers.progress.lines.clocks import is_received
from schedmate.readers.progress.lines.cut_line import CUT
from schedmate.readers.progress.lines.fields import NO_STREAM, Field, Stream
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.stamp_lines import tells_time
from schedmate.readers.progress.lines.tokens import is_measurable, value_of
from schedmate.readers.progress.rows.pass_count import PassCount, is_over
from schedmate.readers.progress.rows.rows import PLACE, Rows

OF_THE_RUN = frozenset({"num_updates", "num_update", "global_step", "global_steps", "global step", "gstep"})
MAX_METRICS = 32

REPORTS = 3
"""So many more lines in each pass tell of its steps, although they do not count them."""
BESIDE_ROLES = set(PLACE) - {"line", "step"}
MAX_PARTS = 8


@dataclass(slots=True)
class TrainingLoop:
    """What is known of one training loop, in bounded memory."""

    primary: Stream
    kin: frozenset[Stream]
    counter_role: str = "step"
    rank: str = ""
    """The process whose lines are followed, where lines tell it."""
    one_each: bool = False
    """Whether each line tells of one step, without its number."""
    rows: Rows = field(default_factory=Rows)
    metrics: dict[str, float] = field(default_factory=dict)
    quotes: dict[str, Quote] = field(default_factory=dict)
    half_units: dict[str, float] = field(default_factory=dict)
    scales_read: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """In what unit a role was read last: with another its printed digits leave more or less open."""
    units: dict[str, str] = field(default_factory=dict)
    total: float | None = None
    total_epochs: float | None = None
    epoch: float | None = None
    framework: str = ""
    is_bar: bool = False
    time_in_ms: bool = False
    units_said: dict[str, bool] = field(default_factory=dict)
    """Whether the newest value of a role has a unit."""
    has_part_time: bool = False
    clock_is_named: bool = False
    """The time since the start is called so."""
    part_lines: dict[str, float] = field(default_factory=dict)
    """The parts of the newest step that have a line each."""
    averaged: bool = False
    per_report: bool = False
    per_device: bool = False
    received: bool = False
    eta_in_bar: bool = False
    flops: tuple[float, str] | None = None
    loss_name: str = ""
    newest_loss: float | None = None
    own_loss: bool = False
    """Whether the lines that count print a loss themselves: what is called so elsewhere is another."""
    tells_loss: frozenset[Stream] = frozenset()
    """Lines of which the loss alone is the loop's."""
    clock_names: dict[str, str] = field(default_factory=dict)
    """What a clock was called first: another name is another clock."""
    part_losses: dict[str, tuple[float, Quote]] = field(default_factory=dict)
    """The first losses of parts: one that stands alone is the loss of the whole."""
    restarts: int = 0
    repeats: int = 0
    """Lines that only told once more what was counted before."""
    counts_run: bool = False
    """Whether the counter's very name says that it goes on from pass to pass."""
    names_pass: bool = False
    """Whether the lines that count steps name their pass too: a heading after them is that of the next one."""
    passes: PassCount = field(default_factory=PassCount)
    odd_loss: str = ""
    after: dict[str, float] = field(default_factory=dict)
    """What an epoch's own line said after the last step."""
    last_stream: Stream = NO_STREAM
    is_proven: bool = True
    """Whether the log speaks of training, and does not only count and time."""

    def take(self, line: Read) -> None:
        """Add a line of the loop's own streams."""
        shape = line.shape
        if self.tells_loss and stream_key(line) in self.tells_loss:
            self.hear_loss(line)
            return
        values = self.values(line)
        counter, loss = shape.find("epoch" if self.counter_role == "epoch" else "step"), shape.find("loss")
        ends_pass = counter is None and shape.find("epoch") is not None
        if ends_pass and loss and is_sum(loss.name, values.get("loss"), self.rows.last("loss")):
            self.note_metric(loss.name, values.pop("loss"))
        self.newest_loss = values.get("loss", self.newest_loss)
        if not self.counter_role and stream_key(line) == self.primary:
            self.note_stamp(line, values)
            self.rows.begin({"line": line.number, "step": self.rows.seen + 1, **values})
        elif counter is not None and stream_key(line) in self.kin:
            self.count(line, counter, values)
        else:
            if tells_time(shape.stream):
                self.note_stamp(line, values)
            if "time" in values and (shape.find("epoch") is not None or is_over(self.rows, self.total)):
                values.setdefault("epoch_time", values.pop("time"))  # `[Epoch 449] time cost 52.31s` sums up a pass
            if shape.find("epoch") is not None and any(one.role == "elapsed" and not one.name for one in shape.fields):
                values.pop("elapsed", None)  # of this pass, or of all of them: it does not say
            told = {name: value for name, value in values.items() if name in BESIDE_ROLES and name != "epoch"}
            if not self.counter_role:
                told.pop("step_time", None)  # no counter says to which step it belongs
            self.passes.times += "epoch_time" in told
            if shape.find("epoch") is None:
                self.passes.note_end(self.rows.last("step"), told.get("epoch_time"))
            self.rows.add(told)
            if shape.find("epoch") is not None:
                self.passes.finish(values.get("epoch"), values.get("epoch_time"))
                is_heading = self.names_pass and "loss" not in values  # of the next pass, as steps name their own
                self.after = {name: values[name] for name in ("loss", "epoch") if name in values and not is_heading}
        self.framework = self.framework or shape.framework

    def hear_loss(self, line: Read) -> None:
        """Take no more than the loss from a line."""
        values: dict[str, float] = {}
        for one in line.shape.fields:
            if one.role == "loss":
                self.remember("loss", one.value(line.numbers), one, line, values)
        self.newest_loss = values.get("loss", self.newest_loss)
        self.rows.add(values)

    def count(self, line: Read, counter: Field, values: dict[str, float]) -> None:
        """Move the counter on."""
        step = counter.value(line.numbers)
        if not is_measurable(step):
            return
        key = stream_key(line)
        own = key == self.primary
        if own:
            self.counts_run = counter.name.lower() in OF_THE_RUN
            self.is_bar = line.shape.is_bar
            self.names_pass = line.shape.find("epoch") is not None
            self.quotes["step"] = line.said
        if counter.total_at >= 0 and (own or self.total is None):
            self.total = end if is_measurable(end := value_of(line.numbers[counter.total_at])) else None
            if self.counter_role == "epoch":
                self.total_epochs = self.total
        last = self.rows.last("step")
        if last and step < last[0]:
            self.restarts += 1
        if "epoch" not in values and self.epoch is not None:
            values["epoch"] = self.epoch
        epoch = self.rows.last("epoch")
        self.passes.note(step, last and last[0], values.get("epoch"), epoch and epoch[0])
        if last and step == last[0] and key == self.last_stream:
            self.repeats += 1
        again = own and self.last_stream == self.primary and bool(last) and step == self.total
        self.note_stamp(line, values)
        self.part_lines.clear()
        self.rows.begin({"line": line.number, "step": step, **values}, again)
        self.after = {}
        self.last_stream = key

    def note_stamp(self, line: Read, values: dict[str, float]) -> None:
        """Read the line's time stamp."""
        stamp = line.shape.stamp_s(line.numbers)
        if stamp is None:
            return
        values["stamp"] = stamp
        self.half_units["stamp"] = 0.5 if stamp == int(stamp) else 0.01
        self.quotes["stamp"] = line.said
        if not self.rows.seen:
            self.received = is_received([line.numbers[at] for at in line.shape.stamp_at])

    def values(self, line: Read) -> dict[str, float]:
        """Read a line's values by role, and remember names, widths and quotes."""
        values: dict[str, float] = {}
        parts, counted = 0.0, 0
        for one in line.shape.fields:
            value = one.value(line.numbers)
            if one.total_at >= 0:
                self.note_total(one.role, value_of(line.numbers[one.total_at]))
            if one.role == "part_time":
                parts, counted = parts + value, counted + 1
            elif one.role == "flops":
                self.flops = (value, one.unit or one.name)
                self.note_metric(one.name or "flops", value)
            elif one.role == "interval_time":
                self.remember_interval(value, one, line, values)
            elif one.role in PLACE and one.role not in {"line", "step"} and not (one.role == "percent" and one.name):
                role = one.until_end if one.until_end and line.is_before_end else one.role
                self.remember(role, value, one, line, values)
            elif one.role == "total_epochs":
                self.note_total("epoch", value)
            elif one.role in {"metric", "eval", "loss_part", "count", "percent"} and one.name:
                self.note_metric(one.name, value)
                if one.role == "loss_part" and (one.name in self.part_losses or len(self.part_losses) < MAX_PARTS):
                    self.part_losses[one.name] = (value, line.said)
        if line.shape.is_bar and "steps_rate" in values and "step_time" not in values:
            rate = values["steps_rate"]  # bars change from it/s to s/it when steps grow slow: one column for both
            values["step_time"] = 1 / rate
            self.half_units["step_time"] = self.half_units["steps_rate"] / rate**2
        parts, counted = self.with_other_lines(line, parts, counted)
        if counted > 1 and 0 < parts < math.inf:
            values["part_time"] = parts
        self.has_part_time = self.has_part_time or counted > 0
        return values

    def with_other_lines(self, line: Read, part: float, count: int) -> tuple[float, int]:
        """Add up the parts of a step that are told line by line behind its counter."""
        name = line.text.strip().partition(":")[0][:60]
        is_one = count == 1 and not line.shape.stream.counter
        if not is_one or name in self.part_lines or len(self.part_lines) >= MAX_PARTS:
            return part, count
        self.part_lines[name] = part
        return sum(self.part_lines.values()), len(self.part_lines)

    def note_total(self, role: str, total: float) -> None:
        """Keep what a value is said to be out of."""
        if role == "epoch" and is_measurable(total):
            self.total_epochs = total
        if role == "throughput":
            self.metrics["throughput_target"] = total

    def remember_interval(self, value: float, one: Field, line: Read, values: dict[str, float]) -> None:
        """Keep the time of so many steps as that of one; where their number is not said, it is that of a report."""
        if one.total_at >= 0:
            each = 1 / max(1.0, value_of(line.numbers[one.total_at]))
            one = replace(one, scale=tuple(scale * each for scale in one.scale))
            self.remember("step_time", value * each, one, line, values)
        else:
            self.per_report = True
            self.remember("time", value, one, line, values)

    def remember(self, role: str, value: float, one: Field, line: Read, values: dict[str, float]) -> None:
        """Keep the first value of a role that a line has; a later one with another name is a metric."""
        brought = role == "things" and has(pieces_of((one.name,))[-1:], "brought")  # a reward is counted by nobody
        if brought or self.is_another(role, one, line, values):
            if one.name and (brought or role in {"loss", "throughput"}):
                self.note_metric(one.name, value)
            return
        if not (math.isfinite(value) or not line.text.endswith(CUT) if role == "loss" else is_measurable(value)):
            return
        if role == "loss":
            self.hold_loss(one, line)
            self.odd_loss = "" if math.isfinite(value) else f"loss is {value} at line {line.number}"
        if value <= 0 and (role in {"steps_rate", "throughput", "epoch_time"} or (role == "step_time" and value)):
            return  # a step's time that was rounded to nothing outdates the one before
        if role in {"elapsed", "eta"} and self.is_other_clock(role, one, line.shape.is_bar):
            return
        values[role] = value
        # digits seldom change but with the unit, and counting them takes time
        if self.scales_read.get(role) != one.scale or self.rows.seen % 8 == 0:
            self.half_units[role], self.scales_read[role] = one.half_unit(line.numbers), one.scale
        self.units[role] = one.unit or (one.name if role in {"throughput", "things"} else "")
        self.quotes[role] = line.said
        if role == "throughput":
            self.per_device = is_per_device(one)
        self.eta_in_bar = line.shape.is_bar if role == "eta" else self.eta_in_bar
        self.units_said[role] = one.unit_known
        self.clock_is_named = bool(one.name) if role == "elapsed" else self.clock_is_named
        if role == "time":
            self.time_in_ms = one.unit_known and one.scale[-1] < 1
            self.averaged = one.averaged
        if role == "epoch":
            self.epoch = value

    def is_another(self, role: str, one: Field, line: Read, values: Mapping[str, float]) -> bool:
        """Tell a value of a role that the line has already, and a loss that is not the loop's, or less plain."""
        if role != "loss":
            return role in values
        own = stream_key(line) == self.primary
        if self.own_loss and not (own or line.shape.stream.counter):
            return True
        if self.newest_loss is not None and is_of_run(line.shape.fields):
            return True
        if not own and is_numbered_after(one.name, self.loss_name) and not math.isnan(self.rows.newest("loss")):
            return True
        name, held = one.name.lower(), "" if own and not self.own_loss else self.loss_name
        if held and name != held and loss_rank(name) > loss_rank(held):
            return True
        return "loss" in values and loss_rank(name) >= loss_rank(held)

    def hold_loss(self, one: Field, line: Read) -> None:
        """Hold on to one name of the loss, the plainest there is, of the lines that count where they print one."""
        name, own = one.name.lower(), stream_key(line) == self.primary
        first = (own and not self.own_loss) or not self.loss_name
        if first or ((own or not self.own_loss) and loss_rank(name) < loss_rank(self.loss_name)):
            self.loss_name = name
        self.own_loss = self.own_loss or own

    def is_other_clock(self, role: str, one: Field, in_bar: bool) -> bool:
        """Tell a clock of another name than the first; a time left on a line of its own outranks a nameless bar's."""
        if role == "eta" and one.name and not (in_bar or self.clock_names.get(role, one.name)):
            self.clock_names[role] = one.name
        return self.clock_names.setdefault(role, one.name) != one.name

    def printed_step_time(self) -> float | None:
        """Give the newest step time that was printed as such or as a rate."""
        step_time, rate = self.rows.newest("step_time"), self.rows.newest("steps_rate")
        if step_time > 0:
            return step_time
        return 1 / rate if 0 < rate < math.inf else None

    def note_metric(self, name: str, value: float) -> None:
        """Keep the last value of a metric, as long as there are not too many."""
        if name in self.metrics or len(self.metrics) < MAX_METRICS:
            self.metrics[name[:60]] = value

    def passes_left(self) -> float:
        """Count the passes after this one; nought where they are not counted, or the counter counts them."""
        if not (self.total and self.total_epochs and self.epoch is not None) or self.counter_role != "step":
            return 0.0
        return max(0.0, self.total_epochs - self.epoch - (self.passes.first_epoch == 0))
