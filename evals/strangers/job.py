"""One job: who takes part, what each says and when."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

NAMES = (
    "nid{:06d}", "gpu-{:03d}", "hgx{:02d}", "ip-172-31-4-{}", "c{:04d}-a100", "trn-{:02d}", "lrdn{:04d}", "jwb{:04d}", "gke-tpu-pool-{:02d}", "mi300-{:02d}",
)  # fmt: skip


@dataclass
class Said:
    """One line, before any launcher dressed it."""

    at: float
    text: str
    who: int = -1
    """The rank; -1 the launcher or scheduler; -2 a host's kernel or daemon."""
    stream: str = "stderr"
    root: bool = False
    also: bool = False


@dataclass(frozen=True)
class Truth:
    category: str
    subcategory: str = ""
    component: str = ""
    reason: str = ""
    accept_also: str = ""
    span: int = 1
    restart_helps: bool = True
    """where the infrastructure is to blame; a limit of the job's own is the same on any node"""


@dataclass
class Job:
    """What all lines of a log agree on; lines are added in any order."""

    rng: random.Random
    stack: str
    dress: str
    hosts: list[str]
    per_host: int
    steps: int
    number: int
    start: datetime
    kernel_at_end: bool = False
    buffered: bool = False
    lines: list[Said] = field(default_factory=list)
    kernel_tail: list[tuple[str, Said]] = field(default_factory=list)
    now: float = 0.0
    """The moment of the fault, once there is one."""
    dead: set[int] = field(default_factory=set)

    @property
    def ranks(self) -> int:
        return len(self.hosts) * self.per_host

    def host(self, rank: int) -> str:
        return self.hosts[rank // self.per_host]

    def address(self, rank: int) -> str:
        return f"10.{self.number % 200}.{self.number % 9}.{rank // self.per_host + 11}"

    def pid(self, rank: int) -> int:
        return 20_000 + self.number % 40_000 + rank % self.per_host * 3 + rank // self.per_host * 57

    def bus(self, rank: int) -> str:
        return f"0000:{('07', '0b', '48', '4c', '88', '8b', 'c8', 'cb')[rank % self.per_host % 8]}:00"

    def clock(self, at: float, form: str = "%Y-%m-%d %H:%M:%S") -> str:
        moment = self.start + timedelta(seconds=at)
        return moment.strftime(form.replace("%3", f"{moment.microsecond // 1000:03d}").replace("%6", f"{moment.microsecond:06d}"))  # fmt: skip

    def any_rank(self) -> int:
        return self.rng.randrange(self.ranks)

    def say(self, at: float, who: int, texts: Sequence[str], *, root: int | None = None, also: Sequence[int] = (), stream: str = "stderr") -> None:  # fmt: skip
        """Let a rank, or the launcher (-1), print a block; `root` and `also` are indexes of lines in it."""
        count = len(texts)
        for index, text in enumerate(texts):
            is_root = root is not None and index == root % count
            self.lines.append(Said(at + index * 2e-5, text, who, stream, is_root, index in {i % count for i in also}))

    def kernel(self, at: float, host: str, texts: Sequence[str], *, root: int | None = None) -> None:
        """Let a host's kernel report, streamed or dumped at the end."""
        uptime = 900_000 + self.number % 70_000 + at
        for index, text in enumerate(texts):
            is_root = root is not None and index == root % len(texts)
            if self.kernel_at_end:
                stamp = f"[{self.clock(at, '%a %b %d %H:%M:%S %Y')}]" if self.number % 2 else f"[{uptime + index / 1e4:13.6f}]"  # fmt: skip
                self.kernel_tail.append((host, Said(at + index * 2e-5, f"{stamp} {text}", -2, "kernel", is_root)))
                continue
            line = f"{self.clock(at, '%b %d %H:%M:%S')} {host} kernel: [{uptime + index / 1e4:13.6f}] {text}"
            self.lines.append(Said(at + index * 2e-5, line, -2, "kernel", is_root))


def draw_job(rng: random.Random, stack: str, dress: str, steps: int) -> Job:
    per_host = rng.choice((4, 8, 8)) if stack != "jax" else 4
    hosts = rng.choice((1, 2, 2, 4, 4, 8, 16))
    first, pattern = rng.randrange(1, 200), rng.choice(NAMES)
    start = datetime(2025, 6, 1, tzinfo=UTC) + timedelta(seconds=rng.randrange(150 * 86_400), microseconds=rng.randrange(10**6))  # fmt: skip
    names = [pattern.format(first + index) for index in range(hosts)]
    job = Job(rng, stack, dress, names, per_host, steps, rng.randrange(10**5, 10**7), start)
    job.kernel_at_end = rng.random() < 0.5
    job.buffered = rng.random() < 0.3
    return job
