"""What was told and to whom, in a file that only grows: a watch that is killed forgets nothing and tells nothing twice.

Each line is one JSON object: an event, that a channel took it, or that what was wrong with a job is over. A channel
gets an event after the event is written here, and before it is written that it took it: killed in between, it hears
of it once more, under the same id. Where the disk is full, what is to be written waits in memory, and is told all the
same: twice is better than never.
"""

import fcntl
import json
import math
import os
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from schedmate.errors import InputError
from schedmate.watching.events import Kind, WatchEvent

KEPT_S = 30 * 86400.0
"""After so long an event is dropped when the watch starts."""
MOST_BYTES = 256 << 20


class Journal:
    """The file, and what it says: events, who took them, and what is still wrong with which job."""

    def __init__(self, path: Path, now_s: float, since_s: float = 600.0, is_asked: bool = False) -> None:
        """Go on where the watch before this one was; back to `since_s` ago at first, or where that was asked for."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.last_look_s = path.stat().st_mtime if path.is_file() else now_s
        """When the watch before this one last looked; now, where there was none."""
        self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self.handle)
            raise InputError(f"another watch keeps {path.name}", "give this one a --name of its own") from None
        self.asked_s = now_s - since_s if is_asked else math.inf
        """Back to then this watch is to look, whatever the ones before it passed by."""
        self.events: dict[str, WatchEvent] = {}
        self.taken: dict[str, set[str]] = {}
        self.open: dict[str, dict[Kind, float]] = {}
        self.unwritten: list[bytes] = []
        self.wrong = ""
        """Why nothing can be written now."""
        self.begun_s: float | None = None
        """What was written before that is passed by, by this watch and by all that come after it."""
        for line in self.lines():
            self.take_in(line)
        self.is_new = self.begun_s is None
        """Whether no watch of this name was there before."""
        self.begin(now_s - since_s)
        self.forget(now_s - KEPT_S)

    def begin(self, back_to_s: float) -> None:
        """Write down from when on logs are looked at, at first and where somebody asks to look further back."""
        if self.begun_s is None or self.asked_s < self.begun_s:
            self.write({"begun_s": back_to_s})
            self.begun_s = back_to_s

    def lines(self) -> list[bytes]:
        """Read the whole lines; what a kill left half written is cut off."""
        size = os.fstat(self.handle).st_size
        data = os.pread(self.handle, min(size, MOST_BYTES), max(0, size - MOST_BYTES))
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self.handle, size - (len(data) - whole))
        return data[:whole].splitlines()

    def take_in(self, line: bytes) -> None:
        """Understand one line; one that is no longer understood is passed by."""
        with suppress(ValueError, KeyError, TypeError, ValidationError):
            said = json.loads(line)
            if "event" in said:
                event = WatchEvent.model_validate(said["event"])
                self.events[event.id] = event
                self.open.setdefault(event.job, {})[event.kind] = float(event.step or 0)
            elif "begun_s" in said:
                self.begun_s = float(said["begun_s"])
            elif "over" in said:
                self.open.get(said["job"], {}).pop(said["over"], None)
            else:
                self.taken.setdefault(said["took"], set()).add(said["channel"])

    def forget(self, before_s: float) -> None:
        """Write the file anew without what is old and over, where that saves much."""
        old = [one.id for one in self.events.values() if one.at_s < before_s]
        if len(old) * 2 <= len(self.events):
            return
        for name in old:
            del self.events[name]
            self.taken.pop(name, None)
        lines = [json.dumps({"begun_s": self.begun_s})]
        lines += [json.dumps({"event": one.model_dump(mode="json")}) for one in self.events.values()]
        past = {(one.job, one.kind) for one in self.events.values() if one.kind not in self.open.get(one.job, {})}
        lines += [json.dumps({"over": kind, "job": job}) for job, kind in sorted(past)]
        lines += [json.dumps({"took": name, "channel": each}) for name, them in self.taken.items() for each in them]
        part = self.path.with_suffix(".part")
        handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            write_whole(handle, "".join(f"{line}\n" for line in lines).encode())
            os.fsync(handle)
            os.rename(part, self.path)
        except OSError:  # the old file serves as well
            os.close(handle)
            part.unlink(missing_ok=True)
            return
        os.close(self.handle)
        self.handle = handle

    def add(self, event: WatchEvent) -> None:
        """Write an event down before anybody hears of it."""
        self.events[event.id] = event
        self.open.setdefault(event.job, {})[event.kind] = float(event.step or 0)
        self.write({"event": event.model_dump(mode="json")})

    def took(self, event: WatchEvent, channel: str) -> None:
        """Write down that a channel has it."""
        self.taken.setdefault(event.id, set()).add(channel)
        self.write({"took": event.id, "channel": channel})

    def over(self, job: str, kind: Kind) -> None:
        """Write down that something is no longer wrong."""
        if self.open.get(job, {}).pop(kind, None) is not None:
            self.write({"over": kind, "job": job})

    def write(self, said: dict[str, object]) -> None:
        """Append one line, whole."""
        self.unwritten.append(json.dumps(said).encode() + b"\n")
        self.flush()

    def flush(self) -> None:
        """Append what waits; what finds no room goes on waiting."""
        done = 0
        try:
            for line in self.unwritten:
                write_whole(self.handle, line)
                done += 1
            self.wrong = ""
        except OSError as error:
            self.wrong = f"{self.path.name} cannot be written ({error.strerror}): a new start may tell all this again"
        del self.unwritten[:done]

    def untaken(self, channel: str, since_s: float) -> list[WatchEvent]:
        """Give what a channel has not taken yet."""
        late = [one for one in self.events.values() if one.at_s >= since_s]
        return [one for one in late if channel not in self.taken.get(one.id, ())]

    def looked(self) -> None:
        """Leave word of when the last look was: what ends while nobody watches is told afterwards."""
        self.flush()
        with suppress(OSError):
            os.utime(self.handle)

    def close(self) -> None:
        """Let go of the file."""
        self.flush()
        os.close(self.handle)


def write_whole(handle: int, data: bytes) -> None:
    """Append all of it, or nothing: half a line would spoil the next one, too."""
    size = os.fstat(handle).st_size
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
    except OSError:
        os.ftruncate(handle, size)
        raise
