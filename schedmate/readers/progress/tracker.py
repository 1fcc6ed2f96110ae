"""Follow one log: feed it bytes as they come, ask for the metrics any time."""

import time
from collections.abc import Sequence

from schedmate.readers.progress.answer.answer import TrackAnswer, answer_of
from schedmate.readers.progress.answer.own_clock import OwnClock, timed, usual_gap_s
from schedmate.readers.progress.answer.slowdown import Slowdown, Speed
from schedmate.readers.progress.kinds.kinds import Read, stream_key
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.lines.cut_line import without_cut
from schedmate.readers.progress.lines.fields import Stream
from schedmate.readers.progress.lines.formats import Format
from schedmate.readers.progress.loop.choosing import HURRIED_BYTES, PASSED_OVER, is_settled, is_sure
from schedmate.readers.progress.loop.ends import NO_ENDS, Ends
from schedmate.readers.progress.loop.loop import TrainingLoop
from schedmate.readers.progress.reading import ProgressReading, shared_shapes
from schedmate.readers.progress.streams.related_streams import best_told
from schedmate.readers.progress.text.chunks import both_ends, has_controls, is_binary, last_lines, lines_with
from schedmate.readers.progress.text.colours import uncoloured
from schedmate.readers.progress.text.encoding import Encoding
from schedmate.readers.progress.text.segments import parts_of, segments
from schedmate.schemas import Metrics, Phase

MAX_PARTIAL = 1 << 16

BULK_BYTES = 1 << 12
"""More than this at once is not read line by line: its last training lines are found by their words."""
BULK_RECORDS = 8

BULK_LINES = 64
"""Lines of all kinds that are read of a large piece, where its last training lines lie so close together."""
TAIL_BYTES = 2 << 10
"""What is kept of the lines before the last, some thirty of them, to know how such a line goes on."""
WAITING_BYTES = 1 << 17
"""A followed log is read when someone asks, or when so much waits: most of what was printed meanwhile is old news."""
GRAIN_S = 0.5
"""What comes within so short a time is read as one piece."""
RIVAL_LINES = 24
MAX_KIN = 40
BINARY_SHARE = 0.3
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
        self.loop: TrainingLoop | None = None
        self.partial = self.tail = b""
        self.waiting = bytearray()
        self.moments: list[tuple[int, float]] = []
        """Up to which byte of what waits had come at which moment."""
        self.line = 1
        self.seen_lines = self.binary_lines = 0
        self.phase: Phase = "init"
        self.speed = Speed()
        self.rivals = 0.0
        self.passed_over: frozenset[Stream] = frozenset()
        self.anchor = b""
        self.encoding = Encoding()
        self.follower: ProgressReading | None = None
        self.former: TrainingLoop | None = None
        """The loop that was followed before the log went on in another way; it stands until there is a new one."""
        self.skipped_to = 0
        self.asked: tuple[int, TrackAnswer] | None = None
        self.version = 0
        self.chosen_at = 0
        """How many lines there were when the loop was chosen."""
        self.clock = OwnClock()
        self.seen_step: tuple[int, float] = (0, 0.0)
        self.noticed: TrainingLoop | None = None

    def feed(self, data: bytes, now_s: float | None = None) -> None:
        """Take the next bytes of the log; `now_s` is when they were seen."""
        now_s = time.time() if now_s is None else now_s
        self.waiting += self.encoding.plain(data)
        if self.moments and 0 <= now_s - self.moments[-1][1] < GRAIN_S and self.follows:
            self.moments[-1] = (len(self.waiting), self.moments[-1][1])
        else:
            self.moments.append((len(self.waiting), now_s))
        if not self.follows or len(self.waiting) >= WAITING_BYTES:
            self.catch_up()

    def learn(self, ends: Ends) -> None:
        """Hear where the run ends, by its command or its code."""
        if ends != self.ends:
            self.ends, self.asked = ends, None

    def catch_up(self) -> None:
        """Read what waits."""
        if not self.moments:
            return
        data, moments = bytes(self.waiting), self.moments
        self.waiting, self.moments = bytearray(), []
        start = 0
        for end, now_s in moments:
            self.digest(data[start:end], now_s)
            start = end

    def digest(self, data: bytes, now_s: float) -> None:
        """Read a piece up to its last line's end, and note when that was."""
        data = self.partial + data if self.partial else data
        cut = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        self.partial = both_ends(data[cut:], MAX_PARTIAL)
        if not self.follows:
            self.dress.learn(data[:cut])
        whole = data[:cut]
        if self.dress.width:
            whole, rest = self.dress.joined(whole)
            self.partial = rest + self.partial
        if whole:
            self.tail = whole[-TAIL_BYTES:] if len(whole) >= TAIL_BYTES else (self.tail + whole)[-TAIL_BYTES:]
            self.read(whole)
            self.notice(now_s)

    def finish(self) -> None:
        """Read the last line although nothing ends it: no more will come."""
        self.catch_up()
        rest, self.partial = self.partial, b""
        if rest.endswith(b"\n"):
            self.read(rest.replace(b"\n", b""))  # of several lines only where they are one that was cut
        elif rest:
            self.read(without_cut(rest.replace(b"\n", b""), self.tail))
        if self.reading is not None:
            self.loop = self.asked = None  # of all lines together, now that no more come

    def restart(self) -> None:
        """Count lines from one again: the file was cut, or another took its place; the loop goes on."""
        self.catch_up()
        self.encoding, self.partial = Encoding(), b""
        self.line = 1
        self.skipped_to = 0

    def skip(self, offset: int, line: int | None) -> None:
        """Go on further down; where the lines between were not counted, evidence names bytes."""
        self.catch_up()
        self.encoding.skip(offset)
        self.partial = b""
        self.line = 1 if line is None else line
        self.skipped_to = offset if line is None else 0
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
        if len(data) > BULK_BYTES and self.reading is None and self.anchor:
            self.read_bulk(data)
            return
        self.read_lines(data)

    def read_lines(self, data: bytes) -> None:
        """Read every line of a piece."""
        is_clean = not has_controls(data)
        for row in data.split(b"\n"):
            for part in parts_of(row):
                if not part or part.isspace():
                    continue
                self.seen_lines += 1
                if not is_clean and is_binary(part := part.lstrip(b"\0")):
                    self.binary_lines += 1
                    continue
                for text in segments(uncoloured(part)):
                    self.take(self.line, text)
            self.line += 1
        self.line -= 1

    def read_bulk(self, data: bytes) -> None:
        """Read the last training lines of a large piece, found by the words that all of them have, and what is near."""
        starts = lines_with(data, self.anchor, BULK_RECORDS)
        near = last_lines(data, BULK_LINES)
        if len(starts) > 1:
            near = starts[0] if starts[0] >= near else len(data)
        counted = 0
        for start in (start for start in starts if start < near):
            stops = [stop for mark in (b"\n", b"\r") if (stop := data.find(mark, start)) >= 0]
            self.line, counted = self.line + data.count(b"\n", counted, start), start
            self.take(self.line, uncoloured(data[start : min(stops, default=len(data))]))
        self.line += data.count(b"\n", counted, near)
        self.read_lines(data[near:])

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
            loop = (self.settle() or self.former) if self.is_text else None
            phase = None if loop is None or self.phase in {"init", "train"} else self.phase
            self.asked = (self.version, answer_of(loop, self.settings, self.path, phase, self.skipped_to, self.ends))
        return self.asked[1]

    @property
    def is_text(self) -> bool:
        """Tell whether what was read is a log at all: in random bytes any number can be found."""
        return self.binary_lines <= BINARY_SHARE * self.seen_lines

    def metrics(self, now_s: float | None = None, changed_s: float | None = None) -> Metrics:
        """Give the metrics; with a time, say `stalled` when nothing has moved for many times the usual.

        What the log prints no times for is timed by when it was seen to move. `changed_s` is when the file last did.
        """
        metrics = self.answer().metrics
        if now_s is None or metrics.phase not in {"train", "eval", "checkpoint"}:
            return metrics
        metrics = timed(metrics, self.clock)
        if self.clock.is_stalled(now_s, changed_s, usual_gap_s(self.loop, self.answer().each_s or metrics.step_time_s)):
            return metrics.model_copy(update={"phase": "stalled"})
        return metrics

    def notice(self, now_s: float) -> None:
        """Note when the counter moved, for stalls and slowdowns."""
        loop = self.settle()
        if loop is None or not len(loop.rows):
            return
        seen, step = loop.rows.seen, loop.rows.newest("step")
        if step != self.seen_step[1] or (seen != self.seen_step[0] and self.noticed is loop):
            printed, measured = loop.printed_step_time(), self.clock.moved(now_s, step)
            told = measured if printed is None and self.seen_step[0] else printed
            if told is not None:
                self.speed.add(now_s, told)
        self.seen_step, self.noticed = (seen, step), loop

    def slowdown(self, moment_s: float) -> Slowdown | None:
        """Compare the speed before and after a moment, with a confidence interval; None while too little is known."""
        self.catch_up()
        return self.speed.around(moment_s)
