"""A night on a small cluster in a minute: `python examples/night.py`. Real processes, nothing is left behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

JOBS = Path(__file__).parent / "jobs"
PROGRAM = [sys.executable, "-m", "schedmate"]


class Night:
    """A loop on a store of its own, and the words between its lines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(folder / "data"), "COLUMNS": "150"}
        self.jobs = folder / "jobs"
        self.jobs.mkdir()
        (self.jobs / "train.py").write_text((JOBS / "train.py").read_text())
        (folder / "data").mkdir()
        tools = f"[tools]\nnccl_test = {json.dumps(str(JOBS / 'all_reduce_perf'))}\n"
        (folder / "data" / "policy.toml").write_text(tools)
        self.loop: subprocess.Popen[bytes] | None = None

    def say(self, text: str) -> None:
        """Speak to whoever watches."""
        print(f"\n\033[1;36m{text}\033[0m", flush=True)

    def run(self, *arguments: str, quiet: bool = False) -> str:
        """Run a command as a user would, and show it."""
        if not quiet:
            print(f"\033[1m$ schedmate {' '.join(arguments)}\033[0m", flush=True)
        answer = subprocess.run(
            [*PROGRAM, *arguments], cwd=self.jobs, env=self.environment, capture_output=True, text=True, check=False
        )
        if answer.returncode and not quiet:
            sys.exit(answer.stderr)
        if not quiet:
            print(answer.stdout + answer.stderr, end="", flush=True)
        return answer.stdout

    def submit(self, user: str, name: str, *arguments: str, gpus: int = 1) -> None:
        """Hand in a training."""
        python = "python" if shutil.which("python") else sys.executable
        many = ["--gpus", str(gpus)] if gpus > 1 else []
        self.run("submit", "--user", user, "--name", name, *many, "--", python, "train.py", *arguments)

    def up(self) -> None:
        """Start the loop; it speaks on this terminal."""
        options = ["--slots", "gpu=1", "--nodes", "4", "--spares", "1", "--mode", "act", "--grace", "2", "--played"]
        print(f"\033[1m$ schedmate up {' '.join(options)} &\033[0m", flush=True)
        self.loop = subprocess.Popen([*PROGRAM, "up", *options], env=self.environment)
        time.sleep(2)

    def until(self, done: Callable[[], bool], within_s: float = 180.0) -> None:
        """Wait until the jobs' states are as wanted, or so long that something must be wrong."""
        deadline = time.monotonic() + within_s
        while not done():
            if time.monotonic() > deadline:
                sys.exit(f"this takes too long: the jobs are {', '.join(self.states())}")
            time.sleep(0.5)

    def states(self) -> list[str]:
        """Ask for the jobs' states, in the order of their numbers."""
        return [json.loads(line)["state"] for line in self.run("jobs", "--all", "--json", quiet=True).splitlines()]

    def play(self) -> None:
        """Tell the story."""
        self.say("Three nodes with a GPU each and one in reserve (played: any machine will do); the loop may act.")
        self.up()
        self.say("Three users hand in trainings. One will meet a GPU that dies; one has a bug at its very end.")
        self.submit("ada", "pretrain", "--steps", "60", "--pause", "0.12", "--save", "ckpt", "--break-at", "34", gpus=2)
        self.submit("bea", "finetune", "--steps", "25", "--pause", "0.1", "--schedule", "linear")
        self.submit("cid", "probe", "--steps", "50", "--pause", "0.1")
        self.submit("bea", "sweep", "--steps", "15", "--pause", "0.1")
        self.until(lambda: "running" in self.states() or self.is_over())
        self.run("jobs")
        self.say("Now the loop is killed with -9, in the middle of everything. The jobs do not notice.")
        assert self.loop is not None
        self.loop.send_signal(signal.SIGKILL)
        self.loop.wait()
        print("$ kill -9")
        time.sleep(1)
        self.say("It comes back, takes over who still runs, and books who ended meanwhile.")
        self.up()
        self.until(self.is_over)
        self.say("What became of the night: no log named the broken node. Tests of ever smaller groups found it;")
        self.say("it is out, the spare is in, and the job went on from its checkpoint.")
        self.run("jobs")
        self.run("actions")
        self.say("And the bug? It waits for its owner, with the line that raised.")
        self.run("why", "2")
        self.run("down")

    def close(self) -> None:
        """Leave nothing behind, however the night ended."""
        if self.loop is None:
            return
        if self.loop.poll() is not None and not self.is_over():
            self.up()
        if self.loop.poll() is None:
            for number in range(1, len(self.states()) + 1):
                self.run("cancel", str(number), quiet=True)
            self.loop.terminate()
            self.loop.wait()

    def is_over(self) -> bool:
        """Tell whether each job has ended, or waits for its owner."""
        return not {"pending", "running", "examined"} & set(self.states())


def main() -> None:
    """Play the night in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        night = Night(Path(folder))
        try:
            night.play()
        finally:
            night.close()


if __name__ == "__main__":
    main()
