"""What other policies would have made of the site's own jobs: simulations in processes of their own, with progress."""

import asyncio
import json
import secrets
import tempfile
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import to_thread

from schedmate.errors import InputError
from schedmate.history.exporting import export_jobs
from schedmate.history.jobs import Which, iterate_jobs
from schedmate.history.live import LiveStore
from schedmate.scheduling.policy_table import POLICIES
from schedmate.tools.python_children import OURS, module_command, own_environment
from schedmate.web.verbs import Busy

OFFERED = {name: one.for_people for name, one in POLICIES.items() if one.for_people}
MOST_KEPT = 20
MOST_JOBS = 200_000
LIMIT_S = 1800.0
DAY_S = 86_400.0


@dataclass
class Study:
    """One simulation: what was asked, how far it is, what came of it."""

    number: str
    policies: tuple[str, ...]
    nodes: str
    days: int
    begun_s: float
    jobs: int = 0
    done: float = 0.0
    summaries: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""
    is_over: bool = False
    took_s: float = 0.0


class Studies:
    """Those that were made last; one runs at a time."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.kept: OrderedDict[str, Study] = OrderedDict()
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, policies: Sequence[str], nodes: str, days: int) -> Study:
        """Start one."""
        chosen = tuple(policy for policy in OFFERED if policy in policies)
        if not chosen:
            raise InputError("no policy was chosen", f"there are: {', '.join(OFFERED)}")
        if len(nodes) > 200:
            raise InputError("that is no description of nodes", "as in: 16x8:a100,4x8:t4")
        if any(not study.is_over for study in self.kept.values()):
            raise Busy("a simulation runs already", "one runs at a time; wait for it")
        study = Study(secrets.token_hex(6), chosen, nodes, days, time.time())
        self.kept[study.number] = study
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        task = asyncio.ensure_future(self.carry_out(study))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return study

    def find(self, number: str) -> Study:
        """Find one by its number."""
        if number not in self.kept:
            raise InputError(
                "there is no such simulation", f"the last {MOST_KEPT} are kept, as long as the server is up"
            )
        return self.kept[number]

    async def carry_out(self, study: Study) -> None:
        """Run it to its end."""
        try:
            with tempfile.TemporaryDirectory(prefix="schedmate-study-") as folder:
                trace = Path(folder) / "jobs.csv"
                study.jobs = await to_thread.run_sync(lambda: self.write(trace, study.days))
                if not study.jobs:
                    raise InputError("the history holds no job of that time that has ended")
                async with asyncio.timeout(LIMIT_S):
                    await self.simulate(study, trace)
        except InputError as error:
            study.trouble = error.message
        except TimeoutError:
            study.trouble = f"it took more than {LIMIT_S / 60:.0f} minutes"
        finally:
            study.is_over, study.took_s = True, time.time() - study.begun_s

    def write(self, path: Path, days: int) -> int:
        """Write the jobs of the last days that have ended; give how many."""
        which = Which(since_s=time.time() - days * DAY_S, ended=True)
        with closing(LiveStore(self.data_dir, only_look=True)) as store, path.open("w", encoding="utf-8") as file:
            return export_jobs(iterate_jobs(store.connection, which, limit=MOST_JOBS), file, "csv")

    async def simulate(self, study: Study, trace: Path) -> None:
        """Let a process simulate, and hear how far it is."""
        asked = {"trace": f"{trace}:csv", "policies": study.policies, "nodes": study.nodes}
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *module_command("schedmate.web.what_if_worker"), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL,
            cwd=OURS, env=own_environment(), start_new_session=True, limit=1 << 20,
        )  # fmt: skip
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                with suppress(ValueError):
                    hear(study, json.loads(line))
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode and not study.trouble:
            study.trouble = f"the simulation ended with {process.returncode}"


def hear(study: Study, told: dict[str, Any]) -> None:
    """Take in what the process says."""
    if "error" in told:
        study.trouble = str(told["error"])
    elif "done" in told:
        study.done = min(1.0, float(told["done"]))
    elif "policy" in told:
        study.summaries.append(told)
