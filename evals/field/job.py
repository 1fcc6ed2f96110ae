"""One job: its launcher, hosts, processes and clock."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

LAUNCHERS = ("torchrun", "mpirun", "srun", "srun -l", "k8s", "ray", "pdsh")
SCHEDULERS = {
    "torchrun": ("slurm", "none"),
    "mpirun": ("slurm", "none"),
    "srun": ("slurm",),
    "srun -l": ("slurm",),
    "k8s": ("k8s",),
    "ray": ("none",),
    "pdsh": ("slurm", "none"),
}
HOST_NAMES = (
    "node-{:02d}",
    "gpu{:03d}",
    "nid{:06d}",
    "ip-10-0-12-{}",
    "dgx-h100-{:02d}",
    "r12u{:02d}",
    "worker{:03d}",
    "a100-st-p4d-{}",
)
BUSES = ("07", "0f", "47", "4e", "87", "90", "b7", "bd")


@dataclass
class Job:
    """What every line of one log agrees on."""

    rng: random.Random
    launcher: str
    hosts: int
    per_host: int
    size: int
    """About how many lines the log shall have."""
    scheduler: str = "none"
    buffered: bool = False
    """Standard output reaches the log in blocks, standard error at once."""
    kernel_inline: bool = False
    """Kernel lines are streamed into the log; otherwise they are appended when the job is over."""
    script: str = "train.py"
    style: str = "logging"
    number: int = 0
    start: datetime = field(default_factory=lambda: datetime(2025, 3, 1, tzinfo=UTC))
    names: list[str] = field(default_factory=list)
    first_pid: int = 0

    @property
    def ranks(self) -> int:
        return self.hosts * self.per_host

    def host(self, rank: int) -> str:
        return self.names[rank // self.per_host]

    def local(self, rank: int) -> int:
        return rank % self.per_host

    def pid(self, rank: int) -> int:
        return self.first_pid + rank // self.per_host * 131 + self.local(rank) * 7

    def bus(self, rank: int) -> str:
        return BUSES[self.local(rank) % 8]

    def address(self, host: str) -> str:
        return f"10.0.{self.number % 7 + 3}.{self.names.index(host) % 250 + 2}"

    def first_rank(self, host: str) -> int:
        return self.names.index(host) * self.per_host

    def ranks_of(self, host: str) -> range:
        first = self.first_rank(host)
        return range(first, first + self.per_host)

    def clock(self, at: float, form: str) -> str:
        """Write the wall clock `at` seconds after the start; %3 stands for milliseconds, %9 for nanoseconds."""
        moment = self.start + timedelta(seconds=at)
        digits = f"{moment.microsecond:06d}"
        text = form.replace("%3", digits[:3]).replace("%6", digits).replace("%9", f"{digits}{self.number % 1000:03d}")
        return moment.strftime(text)


def draw_job(rng: random.Random, launcher: str, size: int) -> Job:
    """Draw hosts, names, clock and habits of one job of some 8 to 1,024 processes."""
    ranks = rng.choice((8, 8, 16, 16, 32, 64, 64, 128, 256, 512, 1024))
    while ranks > max(8, size // 8):
        ranks //= 2
    per_host = rng.choice((4, 8, 8, 8)) if ranks > 8 else 4
    job = Job(rng, launcher, ranks // per_host, per_host, size)
    job.scheduler = rng.choice(SCHEDULERS[launcher])
    job.buffered = rng.random() < 0.35
    job.kernel_inline = launcher != "ray" and rng.random() < 0.25
    job.script = rng.choice(
        ("train.py", "pretrain_gpt.py", "run_clm.py", "main.py", "finetune.py", "tools/train_net.py")
    )
    job.number = rng.randrange(100_000, 9_000_000)
    job.start = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(
        seconds=rng.randrange(400 * 86_400), microseconds=rng.randrange(10**6)
    )
    first = rng.randrange(1, 90)
    pattern = rng.choice(HOST_NAMES)
    job.names = [pattern.format(first + index) for index in range(job.hosts)]
    job.first_pid = rng.randrange(2_000, 3_000_000)
    return job
