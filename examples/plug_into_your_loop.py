"""SchedMate's readers in somebody else's scheduling loop: `python examples/plug_into_your_loop.py`."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import schedmate

HERE = Path(__file__).parent / "jobs"
QUEUE = ["--steps 12 --pause 0.05", "--steps 8 --pause 0.05 --schedule linear"]


def run(arguments: str, log: Path) -> int:
    """Your engine: here, a subprocess that writes a log; while it runs, the tracker reads along."""
    tracker = schedmate.Tracker(str(log))
    with log.open("wb") as out, log.open("rb") as live:
        job = subprocess.Popen([sys.executable, "train.py", *arguments.split()], cwd=HERE, stdout=out, stderr=out)
        while job.poll() is None:
            tracker.feed(live.read())
            time.sleep(0.02)
        tracker.feed(live.read())  # what it wrote between the last look and its end
    metrics = tracker.metrics()
    print(f"  ran to step {metrics.step} of {metrics.total_steps}, {metrics.step_time_s} s a step")
    return job.returncode


def main(folder: Path) -> None:
    """Your loop: what a job is when it comes, how it is getting on, why it died."""
    for number, arguments in enumerate(QUEUE, 1):
        workload = schedmate.extract(HERE, command=f"python train.py {arguments}").workload
        print(f"job {number}: {workload.model_dump(exclude_none=True, exclude={'evidence', 'extra'})}")
        if run(arguments, log := folder / f"{number}.log"):
            diagnosis = schedmate.diagnose(log, repo=HERE)
            print(f"  died of {diagnosis.failure_id}: {diagnosis.root_excerpt}; next: {diagnosis.actions[0].kind}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
