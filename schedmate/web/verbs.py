"""The verbs, each as its command in a process of its own: limited in time, and nothing of a reading stays behind."""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from schedmate.errors import InputError, SchedMateError
from schedmate.models.call_counts import CallCounts
from schedmate.tools.masked_json import renamed
from schedmate.tools.python_children import OURS, module_command, own_environment
from schedmate.web.site import Site

LIMIT_S = 300.0
AT_ONCE, WAITING = 2, 16
MOST_ANSWER = 32 << 20
OPTIONS = {"exited": "--exited", "command": "--command", "user": "--user", "gpus": "--gpus"}


class Busy(SchedMateError):
    """Say that too many readings are wanted at once."""


class Turns:
    """Lets so many readings run at once, and so many wait."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(AT_ONCE)
        self.waiting = 0

    async def __aenter__(self) -> None:
        if self.waiting >= WAITING:
            raise Busy(f"{AT_ONCE} readings run and {WAITING} wait", "try again")
        self.waiting += 1
        try:
            await self.free.acquire()
        finally:
            self.waiting -= 1

    async def __aexit__(self, *_: object) -> None:
        self.free.release()


TURNS = Turns()

CALLS = CallCounts()
"""What these readings asked of models, by verb."""


async def run(site: Site, verb: str, words: dict[str, Any]) -> Any:
    """Run a verb on something below a root."""
    if site.roots is None:
        raise InputError("nothing may be read by its path here", "it was started without --root")
    return await asked(verb, str(site.roots.allowed(words["path"])), words)


async def run_on_upload(verb: str, body: AsyncIterator[bytes], words: dict[str, Any]) -> Any:
    """Run a verb on a log that is sent along; it is gone afterwards."""
    handle, name = tempfile.mkstemp(prefix="schedmate-upload-", suffix=".log")
    try:
        with os.fdopen(handle, "wb") as file:
            async for piece in body:
                file.write(piece)
            if not file.tell():
                raise InputError("the log is empty", "send it as the body")
        return renamed(await asked(verb, name, words), name, "upload")
    finally:
        os.unlink(name)


async def asked(verb: str, path: str, words: dict[str, Any]) -> Any:
    """Run the command, and give what it prints; one that takes too long is ended."""
    options = [f"{OPTIONS[name]}={value}" for name, value in words.items() if name in OPTIONS]
    command = [*module_command("schedmate.web.verb_worker"), verb, *options, "--json", "--", path]
    async with TURNS:
        told, complaint, code = await answer_of(command)
    first, *more = told.splitlines() or [b""]
    with suppress(ValueError):
        CALLS.merge(json.loads(more[-1] if more else "{}").get("model_calls", []), verb)
    with suppress(ValueError):
        answer: dict[str, Any] = json.loads(first)
        if "error" in answer and "hint" in answer:
            raise InputError(str(answer["error"]), str(answer["hint"]))
        return answer
    lines = complaint.decode("utf-8", "replace").strip().splitlines()
    words_of_error = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "")
    raise InputError(words_of_error or f"schedmate {verb} ended with {code}", "schedmate's own console says more")


async def answer_of(command: Sequence[str]) -> tuple[bytes, bytes, int]:
    """Run a program to its end, or to the end of our patience."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, cwd=Path(OURS), limit=MOST_ANSWER,
        env=own_environment(), start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(LIMIT_S):
            told, complaint = await process.communicate()
    except TimeoutError:
        raise SchedMateError(
            f"the reading took more than {LIMIT_S:.0f} s", "the command line has no such limit"
        ) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return told, complaint, process.returncode or 0
