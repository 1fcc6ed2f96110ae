"""A kernel's voice: its stamps, its harmless lines, and where its report lands in a log."""

from evals.field.job import Job
from evals.field.stage import Line, Stage

HARMLESS = (
    "perf: interrupt took too long (2503 > 2500), lowering kernel.perf_event_max_sample_rate to 79000",
    "nvidia-uvm: Loaded the UVM driver, major device number 510.",
    "systemd-journald[812]: Data hash table of /run/log/journal has a fill level at 75.1, suggesting rotation.",
    "cgroup: fork rejected by pids controller in /system.slice/collectd.service",
    "EDAC MC1: 1 CE memory read error on CPU_SrcID#1_MC#0_Chan#0_DIMM#0 (channel:0 slot:0 page:0x12ab0 offset:0x40 grain:32 syndrome:0x0)",
    'audit: type=1400 apparmor="STATUS" operation="profile_load" name="docker-default"',
    "IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready",
    "TCP: request_sock_TCP: Possible SYN flooding on port 29500. Sending cookies.",
    "docker0: port 1(veth12ab) entered disabled state",
    "NVRM: Xid (PCI:0000:0f:00): 13, pid=31337, name=bench, Graphics SM Warp Exception on (GPC 0, TPC 1, SM 0): Illegal Instruction Encoding",
    "mlx5_core 0000:5e:00.0 ib2: Link down",
    "mlx5_core 0000:5e:00.0 ib2: Link up",
)
UP = 912_345.0


def stamped(job: Job, at: float, host: str, text: str, style: int) -> str:
    """Put one of the usual stamps before a kernel line: uptime, dmesg -T, journal, syslog."""
    if style == 0:
        return f"[{UP + at:14.6f}] {text}"
    if style == 1:
        return f"[{job.clock(at, '%a %b %d %H:%M:%S %Y')}] {text}"
    if style == 2:
        return f"{job.clock(at, '%b %d %H:%M:%S')} {host} kernel: {text}"
    return f"{job.clock(at, '%Y-%m-%dT%H:%M:%S.%6+00:00')} {host} kernel: [{UP + at:.6f}] {text}"


def place_kernel(stage: Stage) -> None:
    """Turn kernel lines into lines of the log: streamed in time order, or dumped per host after the end."""
    job, rng = stage.job, stage.job.rng
    mine = [line for line in stage.lines if line.stream == "kernel"]
    if not mine:
        return
    style = rng.randrange(4)
    stage.lines = [line for line in stage.lines if line.stream != "kernel"]
    if job.kernel_inline:
        style = 2 if style < 2 else style
        for line in mine:
            text = stamped(job, line.at, job.host(line.rank), line.text, style)
            stage.lines.append(Line(line.at, text, "host", -1, line.mark))
        return
    at = stage.over + 30
    sound = rng.sample(job.names, min(2, job.hosts)) if rng.random() < 0.5 else []
    for name in sorted({job.host(line.rank) for line in mine} | set(sound), key=job.names.index):
        dump = [line for line in mine if job.host(line.rank) == name]
        dump += [
            Line(-rng.uniform(3_600, 400_000), rng.choice(HARMLESS), "kernel") for _ in range(rng.randrange(3, 25))
        ]
        heads = (
            f"==== dmesg tail of {name} ====",
            f"--- {name}: dmesg -T | tail -n 200 ---",
            f"[epilog] kernel messages on {name}:",
        )
        at += 1
        stage.lines.append(Line(at, heads[job.number % 3], "tail", -1))
        for line in sorted(dump, key=lambda line: line.at):
            at += 1e-3
            stage.lines.append(Line(at, stamped(job, line.at, name, line.text, style), "tail", -1, line.mark))
