"""SchedMate's readers in somebody else's scheduling loop: `python examples/plug_into_your_loop.py`."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import schedmate

HERE = Path(__file__).parent
QUEUE = ["--steps 40 --pause 0.05", "--steps 12 --pause 0.05 --schedule linear"]
"""What your engine would run for `sbatch run.sh`: here a small program plays it, once well and once with a bug."""


def run(arguments: str, log: Path) -> int:
    """Your engine: here, a subprocess that writes a log; while it runs, the tracker reads along."""
    tracker, step = schedmate.Tracker(str(log)), 0
    command = [sys.executable, "train.py", *arguments.split()]
    with log.open("wb") as out, log.open("rb") as live:
        job = subprocess.Popen(command, cwd=HERE / "jobs", stdout=out, stderr=out)
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
    for number, arguments in enumerate(QUEUE, 1):
        job = schedmate.extract(HERE / "repo", command="sbatch run.sh").workload
        print(f"job {number} trains {job.model_name} on {job.dataset_name}: {job.num_gpus} GPUs, {job.epochs:g} epochs")
        print(f"  says {job.evidence['num_gpus'][0].path}:{job.evidence['num_gpus'][0].line}")
        if run(arguments, log := folder / f"{number}.log"):
            why = schedmate.diagnose(log, repo=HERE / "jobs")
            print(f"  died of {why.failure_id}: {why.root_excerpt} (line {why.root_line} of its log)")
            print(f"  a restart helps: {why.should_restart}; next: {', then '.join(one.kind for one in why.actions)}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as nothing_is_left:
        main(Path(nothing_is_left))
