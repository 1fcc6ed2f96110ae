"""SchedMate's readers in somebody else's scheduling loop: `python examples/plug_into_your_loop.py`."""

import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import schedmate

JOBS = Path(__file__).parent / "jobs"
"""The repository that the jobs are started in."""
QUEUE = ["python train.py --steps 40 --pause 0.05", "python train.py --steps 12 --pause 0.05 --schedule linear"]
"""What was submitted: a job that ends well, and one with a bug."""
ASKED = ("num_gpus", "total_steps", "batch_size", "optimizer")
"""What this loop wants to know of a job; what nothing says is unknown, and is not shown."""


def run(command: str, log: Path) -> int:
    """Your engine: here, a process that writes a log; while it runs, the tracker reads along."""
    tracker, step = schedmate.Tracker(str(log)), 0
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    with log.open("wb") as out, log.open("rb") as live:
        job = subprocess.Popen(words, cwd=JOBS, stdout=out, stderr=out)
        while job.poll() is None:
            tracker.feed(live.read())
            now = tracker.metrics()
            if now.eta_s and now.step and now.step >= step + 15:
                step = now.step
                print(f"  step {step} of {now.total_steps}, loss {now.loss}, {now.eta_s:.1f} s left")
            time.sleep(0.02)
    return job.returncode


def main(folder: Path) -> None:
    """Your loop: what a job is when it comes, how it is getting on, why it died and what to do."""
    for number, command in enumerate(QUEUE, 1):
        job = schedmate.extract(JOBS, command=command).workload
        print(f"job {number}: {command}")
        for field in (one for one in ASKED if one in job.evidence):
            place = job.evidence[field][0]
            print(f"  {field} {getattr(job, field)}, says {place.path}:{place.line}: {place.quote}")
        code = run(command, log := folder / f"{number}.log")
        if code:
            why = schedmate.diagnose(log, repo=JOBS, exited=code)
            print(f"  died of {why.failure_id}: {why.root_excerpt} (line {why.root_line} of its log)")
            print(f"  a restart helps: {why.should_restart}; next: {', then '.join(one.kind for one in why.actions)}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as nothing_is_left:
        main(Path(nothing_is_left))
