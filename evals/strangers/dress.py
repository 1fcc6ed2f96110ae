"""How launchers and collectors dress a line, and how the finished log is put together."""

from collections.abc import Callable

from evals.strangers.job import Job, Said

DRESSES: dict[str, tuple[str, ...]] = {
    "plain": ("torch", "jax", "mpi", "tf"),
    "srun -l": ("torch", "jax", "mpi"),
    "ompi tag": ("torch", "mpi", "tf"),
    "ompi tag time": ("mpi", "torch"),
    "default rank": ("torch",),
    "kubectl prefix": ("torch", "tf", "jax"),
    "kubectl stamps": ("torch", "jax"),
    "compose": ("torch", "tf"),
    "cri": ("torch", "jax", "tf"),
    "ray": ("torch",),
    "pdsh": ("torch",),
    "sagemaker": ("torch", "tf"),
    "lsf": ("torch", "mpi"),
    "pbs": ("mpi", "tf"),
}
"""Which stacks are started in which way."""


def nano(job: Job, at: float) -> str:
    return job.clock(at, "%Y-%m-%dT%H:%M:%S.%6") + f"{job.number % 1000:03d}Z"


def local(job: Job, said: Said) -> int:
    return said.who % job.per_host


PREFIXES: dict[str, Callable[[Job, Said], str]] = {
    "srun -l": lambda job, said: f"{said.who:{len(str(job.ranks - 1))}d}: ",
    "ompi tag": lambda job, said: f"[1,{said.who}]<{said.stream}>:",
    "ompi tag time": lambda job, said: job.clock(said.at, "%a %b %d %H:%M:%S %Y") + f"[1,{said.who}]<{said.stream}>:",
    "default rank": lambda job, said: f"[default{local(job, said)}]:",
    "kubectl prefix": lambda job, said: f"[pod/llm-{job.number}-worker-{said.who // job.per_host}/pytorch] ",
    "kubectl stamps": lambda job, said: nano(job, said.at) + " ",
    "compose": lambda job, said: f"trainer-{said.who // job.per_host}  | ",
    "cri": lambda job, said: f"{nano(job, said.at)} {said.stream} F ",
    "ray": lambda job, said: f"(RayTrainWorker pid={job.pid(said.who)}, ip={job.address(said.who)}) ",
    "pdsh": lambda job, said: f"{job.host(said.who)}: ",
    "sagemaker": lambda job, said: f"[1,mpirank:{said.who},algo-{said.who // job.per_host + 1}]<{said.stream}>:",
}


def dressed(job: Job, said: Said) -> str:
    """Put the prefix of the job's launcher before what a rank says; collectors stamp everything."""
    if said.who >= 0:
        prefix = PREFIXES.get(job.dress)
        return prefix(job, said) + said.text if prefix else said.text
    if job.dress == "kubectl stamps":
        return f"{nano(job, said.at)} {said.text}"
    if job.dress == "cri":
        return f"{nano(job, said.at)} stderr F {said.text}"
    return said.text


def arrived(job: Job) -> list[Said]:
    """Order lines as they reach the log: buffered output of a rank comes in blocks, or when the process ends."""
    lines = sorted(job.lines, key=lambda said: said.at)
    if not job.buffered:
        return lines
    moments: list[tuple[float, int, Said]] = []
    waiting: dict[int, list[tuple[int, Said]]] = {}
    for index, said in enumerate(lines):
        if said.stream != "stdout":
            moments.append((said.at, index, said))
            continue
        held = waiting.setdefault(said.who, [])
        held.append((index, said))
        if sum(len(each.text) for _, each in held) > 8192:
            moments += [(said.at, number, each) for number, each in held]
            waiting[said.who] = []
    last = max(said.at for said in lines)
    for who, held in waiting.items():
        own = max((said.at for said in lines if said.who == who), default=last)
        moments += [(own + 0.01, number, each) for number, each in held]
    return [said for _, _, said in sorted(moments, key=lambda moment: moment[:2])]


def write_out(job: Job) -> tuple[str, int, list[int]]:
    """Give the log's text, the number of the line that states the cause, and those that would do as well."""
    texts: list[str] = []
    root, also = 0, []
    for said in arrived(job):
        texts.append(dressed(job, said))
        if said.root and not root:
            root = len(texts)
        elif said.root or said.also:
            also.append(len(texts))
    shown = ""
    for host, said in sorted(job.kernel_tail, key=lambda pair: (pair[0], pair[1].at)):
        if host != shown:
            texts.append(f"===== dmesg of {host} =====")
            shown = host
        texts.append(said.text)
        if said.root and not root:
            root = len(texts)
        elif said.root or said.also:
            also.append(len(texts))
    return "\n".join(texts) + "\n", root, also
