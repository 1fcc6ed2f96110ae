"""What speaks for a step's time: a value with its width and its trust, and what the rows do not say themselves."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class StepTimeEvidence:
    """One way to know the step time: how it was found, its value, and how wide it is (half, relative)."""

    source: str
    value: float
    width: float
    trust: float
    column: str = ""
    usual: float | None = None
    """What most of the printed values say, where the value is the newest of them: a unit is known by it."""
    usual_trust: float = 1.0
    """What is believed of that."""

    @property
    def low(self) -> float:
        """Give the lower end."""
        return self.value * (1 - min(self.width, 0.99))

    @property
    def high(self) -> float:
        """Give the upper end."""
        return self.value * (1 + self.width)


def mostly(one: StepTimeEvidence) -> StepTimeEvidence:
    """Give what most of the printed values say, where a newest one stands for them."""
    return one if one.usual is None else replace(one, value=one.usual, trust=one.usual_trust, usual=None)


@dataclass(frozen=True, slots=True)
class Scales:
    """What the rows do not say themselves: widths of printed values, the counter's end, samples per step."""

    half_units: dict[str, float]
    total: float | None = None
    batch: float | None = None
    time_has_unit: bool = True
    time_in_ms: bool = False
    """A bare time is printed in milliseconds, as one of a step is and one of a report hardly."""
    is_meter: bool = False
    """A bare time is one of a step's meters: its average or its parts are printed beside it."""
    per_report: bool = False
    """A bare time is known to be that since the last report."""
    counted: bool = True
    """Without a counter only what is printed as a step's time can be one."""
    passes_left: float = 0.0
    """Passes over the data that are still to come, where the counter is one within a pass."""
    step_time_has_unit: bool = True
    """What is printed as a step's time has a unit; without one it may be seconds, milliseconds or minutes."""
    per_device: bool = False
    """The throughput is that of one device, and says nothing of a step of all."""
    frames: bool = False
    """The throughput counts the frames, or steps, of an environment."""
    received: bool = False
    """The time stamps are those of who received the log, and not of who wrote it."""
    counts_frames: bool = False
    """The counter is called that of an environment's steps."""
    counts_passes: bool = False
    """The counter counts passes over the data."""
    acts: bool = False
    """What learns acts in an environment: its steps are those of the environment, unless they are called updates."""
    plain_batch: float | None = None
    """A batch size of which is not said whether it is one device's or that of all."""
    learns: bool = False
    """Lines tell losses, if only of parts."""
    within_passes: bool = False
    """Passes are what is counted, but lines tell of steps within them: no clock says how long such a step takes."""
    eta_of_pass: bool = False
    """The remaining time is that until the end of what is counted: it stands in its bar, or the format is known."""
    means_of_pass: bool = False
    """What is printed as a step's time, and as left, rests on the mean over the pass so far."""
    things_fit: bool = True
    """What is counted beside the steps may be what the throughput counts: tokens are no samples."""
    eta_of_run: bool = False
    """The remaining time is that of all passes: the format is known."""
    counts_samples: bool = False
    """The counter is one of samples, as it stands in `[640/60000 (1%)]`."""
    fed: float | None = None
    """How many samples a step takes, by the settings."""
    eta_in_bar: bool = False
    """The remaining time stands in a bar, beside the time since its start."""
    one_each: bool = False
    """No counter, but lines that tell of one step each."""
    elapsed_has_unit: bool = True
    """What is printed as the time since the start has a unit, or is a clock's."""
    clock_is_named: bool = False
    """What is printed as the time since the start is called so, and not known by its looks alone."""
    pass_each_s: float | None = None
    """A step's time by what whole passes took, over a counter that goes on through them; nought if those differ."""
    counts_batches: bool = False
    """The counter is called that of batches or iterations: examples are called otherwise."""
