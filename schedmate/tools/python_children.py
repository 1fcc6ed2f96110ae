"""The one place that starts Python. No child imports from the working directory, and each has a directory of ours.

A repository may hold a `queue.py`; whoever stands in it and asks us something must not run it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from schedmate.settings import as_environment

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
        env={**os.environ, **safe_path(), **as_environment()},
    )  # fmt: skip


@contextmanager
def fresh_workers(count: int, begin: Callable[..., None], *arguments: object) -> Iterator[ProcessPoolExecutor]:
    """Give processes that import anew; `multiprocessing` passes no flags on to them, so the environment tells them."""
    from multiprocessing import get_context

    before = {name: os.environ.get(name) for name in safe_path()}
    os.environ.update(safe_path())
    try:
        with ProcessPoolExecutor(count, get_context("spawn"), partial(stand_apart, begin, *arguments)) as pool:
            yield pool
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def stand_apart(begin: Callable[..., None], *arguments: object) -> None:
    """Leave the working directory, then begin."""
    os.chdir(OURS)
    begin(*arguments)


def copied_workers(count: int) -> ProcessPoolExecutor:
    """Give processes that are copies of this one, with all that it has imported."""
    from multiprocessing import get_context

    return ProcessPoolExecutor(count, mp_context=get_context("fork"))


def safe_path() -> dict[str, str]:
    """Keep the working directory off the path; `PYTHONPATH=$PYTHONPATH:/x` names it where nobody means to."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(os.path.isabs, named))}
