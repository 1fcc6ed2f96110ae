"""When a followed log's counter was seen to move, and how fast the job was each time."""

from schedmate.readers.progress.answer.own_clock import OwnClock
from schedmate.readers.progress.answer.slowdown import Speed
from schedmate.readers.progress.loop.loop import TrainingLoop


class Pace:
    """What is noted at each look at the loop, for stalls and slowdowns."""

    __slots__ = ("clock", "loop", "seen_step", "speed")

    def __init__(self) -> None:
        self.clock = OwnClock()
        self.speed = Speed()
        self.seen_step: tuple[int, float] = (0, 0.0)
        """How many rows there were, and where the counter stood."""
        self.loop: TrainingLoop | None = None

    def notice(self, loop: TrainingLoop | None, now_s: float) -> None:
        """Note whether the counter has moved."""
        if loop is None or not len(loop.rows):
            return
        seen, step = loop.rows.seen, loop.rows.newest("step")
        if step != self.seen_step[1] or (seen != self.seen_step[0] and self.loop is loop):
            printed, measured = loop.printed_step_time(), self.clock.moved(now_s, step)
            told = measured if printed is None and self.seen_step[0] else printed
            if told is not None:
                self.speed.add(now_s, told)
        self.seen_step, self.loop = (seen, step), loop
