"""Trouble that is met and handled, on any rank: none of it ends a run."""

import logging
import random
import socket
import warnings
from pathlib import Path

log = logging.getLogger("data")


def refused(rank: int, step: int) -> None:
    """Ask a port where nobody listens, and do without."""
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
    except OSError as error:
        log.warning("rank %d: metrics server not reached (%s), trying again later", rank, error)


def unreadable(rank: int, step: int) -> None:
    try:
        Path(f"/nonexistent/part_{step}.bin").read_bytes()
    except FileNotFoundError:
        log.exception("rank %d: could not read a part, the next one is taken", rank)


def warned(rank: int, step: int) -> None:
    warnings.warn(f"loss scale fell to 1.0 on rank {rank}; this is no error", UserWarning, stacklevel=2)


def second_try(rank: int, step: int) -> None:
    log.error("rank %d: RuntimeError while writing the trace of step %d, attempt 1 of 3 failed", rank, step)
    log.warning("rank %d: trace of step %d written, attempt 2", rank, step)


def metrics(rank: int, step: int) -> None:
    print(f"eval: word_error_rate=0.3121 fatal=0 killed=0 timeout_frac=0.0 step={step}")


DECOYS = (refused, unreadable, warned, second_try, metrics)


def maybe(dice: random.Random, rank: int, step: int) -> None:
    """Now and then meet one."""
    if dice.random() < 0.03:
        dice.choice(DECOYS)(rank, step)
