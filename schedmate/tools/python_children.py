"""The one place that starts Python. No child imports from the working directory, and each has a directory of ours.

A repository may hold a `queue.py`; whoever stands in it and asks us something must not run it.
"""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, TypeVar

from schedmate.settings import as_environment

P = ParamSpec("P")
T = TypeVar("T")

INTERPRETER = sys.executable

OURS = Path(__file__).parents[1]
"""Where children stand: a folder that holds nothing but our own code."""
BEGIN = (
    "import sys; sys.path.append(sys.argv.pop(1)); name = sys.argv.pop(1);"
    " from runpy import run_module; run_module(name, run_name='__main__', alter_sys=True)"
)
"""The folder that our code lies in comes last: what else lies there hides nothing of Python's."""


def standalone(program: str, *arguments: str) -> list[str]:
    """Give the command of a file that needs nothing but Python: it hears of no environment and no site."""
    return [sys.executable, "-I", "-S", program, *arguments]


def module_command(module: str) -> list[str]:
    """Give the command that runs one of our modules, here or wherever this very Python and our folder are."""
    return [sys.executable, "-P", "-c", BEGIN, str(OURS.parent), module]


def start_helper(module: str) -> "subprocess.Popen[bytes]":
    """Start one of our modules, in a session of its own, with pipes to talk through and the settings that hold here."""
    return subprocess.Popen(
        module_command(module), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, cwd=OURS,
        env=own_environment(),
    )  # fmt: skip


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Let Ctrl-C wait for a moment: a child that is half started would complain, and one that is started inherits this.

    The mask is what a child inherits; it keeps nothing from this process, whose other threads hear the signal for it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
    if came:
        raise KeyboardInterrupt


class Workers(ProcessPoolExecutor):
    """Processes that hear nothing of Ctrl-C, which the one that waits for them does: then they are gone at once."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Hand over work; what is started for it inherits that this signal is kept from it."""
        with interrupted_later():
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Wait for the work that was handed over, unless nobody wants it any more."""
        if kind is not None:
            from multiprocessing import active_children

            for child in active_children():
                child.kill()
        return super().__exit__(kind, error, trace)


def copies(count: int) -> Workers:
    """Give processes that are copies of this one, with all that it has imported."""
    from multiprocessing import get_context

    return Workers(count, get_context("fork"))


@contextmanager
def fresh_workers(count: int, begin: Callable[..., None], *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Give processes that import anew; `multiprocessing` passes no flags on to them, so the environment tells them."""
    from multiprocessing import get_context

    before = {name: os.environ.get(name) for name in safe_path()}
    os.environ.update(safe_path())
    try:
        with tempfile.NamedTemporaryFile(prefix="schedmate-") as handed:
            # A pipe holds little: whoever starts a process with much to hand over waits until that has imported all.
            pickle.dump((begin, arguments), handed)
            handed.flush()
            with Workers(count, get_context("spawn"), partial(stand_apart, handed.name)) as pool:
                yield pool
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def stand_apart(handed: str) -> None:
    """Leave the working directory, then begin with what was handed over."""
    os.chdir(OURS)
    with open(handed, "rb") as file:
        begin, arguments = pickle.load(file)
    begin(*arguments)


def own_environment() -> dict[str, str]:
    """Give the environment of a child of ours: a safe path, and the settings that hold here."""
    return {**os.environ, **safe_path(), **as_environment()}


def safe_path() -> dict[str, str]:
    """Keep the working directory off the path; `PYTHONPATH=$PYTHONPATH:/x` names it where nobody means to."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(os.path.isabs, named))}
