"""`schedmate logs`: what a job has written."""

import os
import sys
import time
from collections.abc import Callable

import typer

from schedmate.cli.asking import JOB, live_store
from schedmate.counts import how_many
from schedmate.tools.plain_text import plain_log

CHUNK = 1 << 16
LONGEST_LINE = 1 << 20


def logs(
    job: str = typer.Argument(..., metavar="JOB", help=JOB),
    run: int = typer.Option(0, "--run", help="Which of its runs; else the last."),
    follow: bool = typer.Option(False, "--follow", "-f", help="Keep printing until the job ends."),
    raw: bool = typer.Option(False, "--raw", help="Every byte as the job wrote it, control codes too."),
) -> None:
    """Print a job's log, without terminal control codes.

    Examples: schedmate logs 12; schedmate logs 12 --follow; schedmate logs 12 --run 1 | schedmate diagnose -;
    schedmate logs 12 --raw > job.log
    """
    from schedmate.errors import InputError

    with live_store(only_look=True) as store:
        asked = store.number_of(job)
        runs = store.runs(asked)
        if not runs:
            raise InputError(f"job {job} has not run yet", f"schedmate why {job} says what it waits for")
        number = run or runs[-1].run
        if number not in {one.run for one in runs}:
            raise InputError(
                f"job {job} has {how_many(len(runs), 'run')}, and no run {number}", f"give --run from 1 to {len(runs)}"
            )
        offset, write = 0, sys.stdout.buffer.write if raw else Readable().write
        handle = -1
        while True:
            over = store.run(asked, number).ended_s is not None
            if handle < 0:
                try:
                    handle = store.open_log(asked, number)
                except FileNotFoundError as error:
                    if over:
                        where = f"the log of run {number} of job {job} is not there"
                        raise InputError(where, "[keep] says how long logs stay") from error
            try:
                offset = copy(handle, offset, write)
            except OSError as error:
                raise InputError(f"the log of run {number} of job {job} cannot be read: {error.strerror}") from error
            if not follow or over:
                break
            time.sleep(0.3)
        write(b"")


class Readable:
    """Writes whole lines, made readable; a line that has not ended waits for its end."""

    def __init__(self) -> None:
        self.rest = b""

    def write(self, data: bytes) -> None:
        """Take in what has come, nothing at the end; a line of many megabytes is not waited for."""
        whole, feed, self.rest = (self.rest + data).rpartition(b"\n")
        if not data or len(self.rest) > LONGEST_LINE:
            whole, feed, self.rest = whole + feed + self.rest, b"", b""
        text = plain_log((whole + feed).decode("utf-8", "replace"))
        sys.stdout.write(text)


def copy(handle: int, offset: int, write: Callable[[bytes], object]) -> int:
    """Write what has come since; give the new offset."""
    while handle >= 0 and (data := os.pread(handle, CHUNK, offset)):
        write(data)
        offset += len(data)
    sys.stdout.flush()
    return offset
