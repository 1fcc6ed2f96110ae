"""`schedmate logs`: what a job has written."""

import os
import sys
import time

import typer

from schedmate.cli.asking import live_store

CHUNK = 1 << 16


def logs(
    job: int = typer.Argument(..., metavar="JOB", help="The job's number."),
    run: int = typer.Option(0, "--run", help="Which of its runs; else the last."),
    follow: bool = typer.Option(False, "--follow", "-f", help="Go on until the job is over."),
) -> None:
    """Print a job's log.

    Examples: schedmate logs 12; schedmate logs 12 --follow; schedmate logs 12 --run 1 | schedmate diagnose -
    """
    from schedmate.errors import InputError

    with live_store() as store:
        store.job(job)
        runs = store.runs(job)
        if not runs:
            raise InputError(f"job {job} has not run yet", f"schedmate why {job} tells what it waits for")
        number = run or runs[-1].run
        if number not in {one.run for one in runs}:
            raise InputError(
                f"job {job} has {len(runs)} runs, and no run {number}", f"give --run from 1 to {len(runs)}"
            )
        path = store.data_dir / "jobs" / str(job) / str(number) / "log"
        offset = 0
        while True:
            over = next(one for one in store.runs(job) if one.run == number).ended_s is not None
            offset = copy(str(path), offset)
            if not follow or over:
                return
            time.sleep(0.3)


def copy(path: str, offset: int) -> int:
    """Write what has come since; give the new offset."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return offset
    try:
        while data := os.pread(handle, CHUNK, offset):
            sys.stdout.buffer.write(data)
            offset += len(data)
        sys.stdout.buffer.flush()
    finally:
        os.close(handle)
    return offset
