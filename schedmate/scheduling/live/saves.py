"""The checkpoints that a run leaves on disk: looked for now and then, so that it is known what a stop would cost."""

import time
from pathlib import Path

from schedmate.scheduling.live.messages import Save
from schedmate.scheduling.recovery.checkpoints import last_checkpoint, written_s

EVERY_S, AGE = 60.0, 0.1
"""A look comes after this part of the run's age, and at least so often."""
PART = 0.01
"""A look into a large directory is dear: this part of the time goes into looking."""
SETTLED_S = 3.0
"""What was written later than so long ago may still be being written."""


class Saves:
    """The newest checkpoint of one run."""

    def __init__(self, log: str, workdir: str, since_s: float, is_alone: bool) -> None:
        self.log = log
        self.workdir = Path(workdir)
        self.since_s = since_s
        """Only what this run wrote counts: what it wrote, it has shown that it can go on from or begin again."""
        self.is_alone = is_alone
        self.next_s = 0.0
        self.saved: Save | None = None

    def look(self, now_s: float) -> bool:
        """Look for a newer one if it is time; tell whether that was done."""
        if now_s < self.next_s:
            return False
        began_s = time.process_time()
        path = last_checkpoint(self.log, self.workdir, self.since_s, self.is_alone)
        made_s = written_s(Path(path)) if path else 0.0
        if self.since_s <= made_s <= now_s - SETTLED_S:
            self.saved = {"path": path, "at_s": made_s}
        pause_s = max(1.0, min(EVERY_S, AGE * (now_s - self.since_s)))
        self.next_s = now_s + max(pause_s, (time.process_time() - began_s) / PART)
        return True
