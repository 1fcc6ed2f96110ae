"""Follow one log: feed it bytes as they come, ask for the metrics any time."""

import time
from collections.abc import Sequence

from schedmate.readers.progress.answer.answer import TrackAnswer, answer_of
from schedmate.readers.progress.answer.own_clock import timed, usual_gap_s
from schedmate.readers.progress.answer.pace import Pace
from schedmate.readers.progress.answer.slowdown import Slowdown
from schedmate.readers.progress.kinds.kinds import Read, stream_key
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.lines.fields import Stream
from schedmate.readers.progress.lines.formats import Format
from schedmate.readers.progress.loop.choosing import HURRIED_BYTES, PASSED_OVER, is_settled, is_sure
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends
from schedmate.readers.progress.loop.loop import TrainingLoop
from schedmate.readers.progress.reading import ProgressReading, shared_shapes
from schedmate.readers.progress.streams.related_streams import best_told
from schedmate.readers.progress.text.intake import Intake
from schedmate.readers.progress.text.numbered_lines import NumberedLines
from schedmate.schemas import Metrics, Phase

BULK_BYTES = 1 << 12
"""More than this at once is not read line by line: its last training lines are found by their words."""
RIVAL_LINES = 24
MAX_KIN = 40
PHASES: dict[str, Phase] = {"train": "train", "unsaid": "train", "eval": "eval", "checkpoint": "checkpoint"}


class Tracker:
    """What is known of one log, in bounded memory.

    `feed` takes bytes in pieces of any size, cut anywhere. `metrics` answers from what was fed so far.
    """

    def __init__(
        self,
        path: str = "",
        formats: Sequence[Format] | None = None,
        shapes: Shapes | None = None,
        ends: Ends = NO_ENDS,
    ) -> None:
        self.path = path
        self.ends = ends
        self.shapes = shapes or shared_shapes(formats)
        self.reading: ProgressReading | None = ProgressReading(self.shapes)
        self.settings, self.dress = self.reading.settings, self.reading.dress
        self.intake, self.lines, self.pace = Intake(self.dress), NumberedLines(), Pace()
        self.loop: TrainingLoop | None = None
        self.phase: Phase = "init"
        self.rivals = 0.0
        self.passed_over: frozenset[Stream] = frozenset()
        self.anchor = b""
        self.follower: ProgressReading | None = None
        self.former: TrainingLoop | None = None
        """The loop that was followed before the log went on in another way; it stands until there is a new one."""
        self.asked: tuple[int, TrackAnswer] | None = None
        self.version = 0
        self.chosen_at = 0
        """How many lines there were when the loop was chosen."""

    def feed(self, data: bytes, now_s: float | None = None) -> None:
        """Take the next bytes of the log; `now_s` is when they were seen."""
        self.intake.add(data, time.time() if now_s is None else now_s, joins=self.follows)
        if not self.follows or self.intake.is_full:
            self.catch_up()

    def learn(self, ends: Ends) -> None:
        """Hear where the run ends, by its command or its code."""
        if ends != self.ends:
            self.ends, self.asked = ends, None

    def catch_up(self) -> None:
        """Read what waits."""
        for data, now_s in self.intake.taken():
            if whole := self.intake.whole(data, learns=not self.follows):
                self.read(whole)
                self.pace.notice(self.settle(), now_s)

    def finish(self) -> None:
        """Read the last line although nothing ends it: no more will come."""
        self.catch_up()
        if rest := self.intake.last():
            self.read(rest)
        if self.reading is not None:
            self.loop = self.asked = None  # of all lines together, now that no more come

    def restart(self) -> None:
        """Count lines from one again: the file was cut, or another took its place; the loop goes on."""
        self.catch_up()
        self.intake.begin()
        self.lines.begin()

    def skip(self, offset: int, line: int | None) -> None:
        """Go on further down; where the lines between were not counted, evidence names bytes."""
        self.catch_up()
        self.intake.skip(offset)
        self.lines.skip(offset, line)
        if self.reading is not None:
            self.reading.streams.known.clear()
        else:
            self.look_again()
        self.loop = None

    def read(self, data: bytes) -> None:
        """Read whole lines; of a large piece only those that matter, as long as it is known which those are."""
        self.version += 1
        if len(data) > HURRIED_BYTES and self.reading is not None and self.follows:
            self.let_go(self.reading)
        in_bulk = len(data) > BULK_BYTES and self.reading is None and self.anchor
        for number, text in self.lines.last_of(data, self.anchor) if in_bulk else self.lines.all_of(data):
            self.take(number, text)

    def take(self, number: int, text: str) -> None:
        """Read one line, either on the way to a loop or following it."""
        if self.reading is not None:
            line = self.reading.take(number, text)
            if line is not None:
                self.phase = PHASES.get(line.shape.work, self.phase) if line.shape.stream.counter else self.phase
            if self.loop is not None and not is_settled(self.loop):
                self.loop = None
        else:
            line = self.follower.shape(number, text) if self.follower is not None else None
        if self.loop is None or line is None or not line.shape.stream.kind:
            return
        if line.rank == self.loop.rank or not (self.loop.rank and line.rank):
            self.follow(line, self.loop)

    def follow(self, line: Read, loop: TrainingLoop) -> None:
        """Take a line of the loop; when another loop goes on in its stead, look anew."""
        key = stream_key(line)
        if loop.newest_loss is None and self.follower is not None and not key.counter and line.shape.find("loss"):
            self.follower.streams.take(line)  # a first pass may end, and its loss be told, long after its steps
            loop.tells_loss = best_told(self.follower.streams.known.values())
        if key == loop.primary or key in loop.kin or key in loop.tells_loss:
            loop.take(line)
            self.rivals = 0.0
            self.phase = "train"
        elif key.counter == "epoch" and key.work in {"train", "unsaid"} and len(loop.kin) < MAX_KIN:
            loop.kin |= {key}
            loop.take(line)
        elif key.counter:
            self.phase = PHASES.get(line.shape.work, self.phase)
            if line.shape.work in {"train", "unsaid"}:
                self.rivals += PASSED_OVER if key in self.passed_over else 1.0
            if self.rivals > RIVAL_LINES:
                self.look_again()

    def look_again(self) -> None:
        """Forget which stream was followed: the log goes on in another way."""
        self.rivals = 0.0
        if self.reading is not None:
            self.loop = None
            return
        self.reading = ProgressReading(self.shapes, dress=self.dress)
        self.reading.headers = self.follower.headers if self.follower else ()
        self.reading.settings = self.settings
        self.follower = None
        self.former, self.loop = self.loop, None

    def settle(self) -> TrainingLoop | None:
        """Choose the loop from what was read; once it is sure, keep it and let the lines go."""
        if self.reading is None:
            return self.loop
        lines = self.reading.order
        if self.loop is None or lines >= 2 * self.chosen_at:
            self.loop, self.chosen_at = self.reading.loop(), lines
        if self.loop is not None and is_settled(self.loop):
            self.former = None
            if is_sure(self.loop, lines):
                self.let_go(self.reading)
        return self.loop

    @property
    def follows(self) -> bool:
        """Tell whether there is a loop to follow, so that what comes can wait until somebody asks."""
        return self.reading is None or (self.loop is not None and is_settled(self.loop))

    def let_go(self, reading: ProgressReading) -> None:
        """Choose the loop for good, and let the lines go that were kept."""
        loop = (reading.loop() if reading.order > self.chosen_at else None) or self.loop
        if loop is None:
            return
        self.loop, self.anchor = loop, reading.anchor(loop.primary)
        self.passed_over = frozenset(reading.streams.known)
        self.dress.sample.clear()
        self.follower, self.reading = reading.without_lines(), None

    def answer(self) -> TrackAnswer:
        """Give the metrics with the evidence for the step time; computed once for what was fed."""
        self.catch_up()
        if self.asked is None or self.asked[0] != self.version:
            loop = (self.settle() or self.former) if self.lines.is_text else None
            phase = None if loop is None or self.phase in {"init", "train"} else self.phase
            self.asked = (
                self.version,
                answer_of(loop, self.settings.values, self.path, phase, self.lines.skipped_to, self.ends),
            )
        return self.asked[1]

    def metrics(self, now_s: float | None = None, changed_s: float | None = None) -> Metrics:
        """Give the metrics; with a time, say `stalled` when nothing has moved for many times the usual.

        What the log prints no times for is timed by when it was seen to move. `changed_s` is when the file last did.
        """
        metrics = self.answer().metrics
        if now_s is None or metrics.phase not in {"train", "eval", "checkpoint"}:
            return metrics
        metrics = timed(metrics, self.pace.clock)
        usual_s = usual_gap_s(self.loop, self.answer().each_s or metrics.step_time_s)
        if self.pace.clock.is_stalled(now_s, changed_s, usual_s):
            return metrics.model_copy(update={"phase": "stalled"})
        return metrics

    def slowdown(self, moment_s: float) -> Slowdown | None:
        """Compare the speed before and after a moment, with a confidence interval; None while too little is known."""
        self.catch_up()
        return self.pace.speed.around(moment_s)
