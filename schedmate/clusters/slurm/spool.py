"""The folder through which hooks in Slurm and the loop leave notes for each other; all of it may be missing."""

import os
import time
from contextlib import suppress
from pathlib import Path

ENDED, CHECKPOINTS, ALIVE = "ended", "checkpoints", "alive"
BEAT_S = 5.0

MOST_BYTES = 256 << 10
"""The file of ends is emptied when it has grown so large; what stands in it is only ever a sign to look."""


class Spool:
    """Hears of ends, leaves checkpoints, and says that the loop is there."""

    def __init__(self, folder: str, beats: bool) -> None:
        self.folder = Path(folder) if folder else None
        self.beats = beats
        self.size = -1
        self.beat_s = 0.0

    def has_news(self, now_s: float) -> bool:
        """Tell whether a job has ended since this was asked last."""
        if self.folder is None:
            return False
        if self.beats and now_s - self.beat_s >= BEAT_S:
            self.beat_s = now_s
            self.write(self.folder / ALIVE, f"{time.time():.0f}\n")
        path = self.folder / ENDED
        try:
            size = path.stat().st_size
        except OSError:
            return False
        before, self.size = self.size, size
        if size > MOST_BYTES:
            with suppress(OSError):
                os.truncate(path, 0)
                self.size = 0
        return before not in (-1, size)

    def leave_checkpoint(self, job: str, checkpoint: str) -> None:
        """Leave a path for a job's next run, which the task prolog tells it; none takes an old one away."""
        if self.folder is None or not job.isdigit():
            return
        path = self.folder / CHECKPOINTS / job
        if checkpoint and checkpoint.isprintable():
            self.write(path, f"{checkpoint}\n")
        else:
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def write(self, path: Path, text: str) -> None:
        """Write a note whole; a folder that is missing, or full, is nobody's trouble."""
        fresh = path.with_name(f".{path.name}")
        with suppress(OSError):
            fresh.write_text(text)
            fresh.chmod(0o644)
            os.replace(fresh, path)
