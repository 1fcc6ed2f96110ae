"""A Mars-like set: 500 jobs of one large code base of language models, made by the project, read by `extract`.

The paper's Mars trace is not public. Here the code, the commands and the logs are written out, and everything that an
estimate rests on is read back from them: the workload by `extract`, throughput by `track`, causes by `diagnose`.
"""

import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from statistics import median

from evals.durations.job_set import JobSet
from evals.mars.codebase import write_codebase
from evals.mars.logs import write_log
from evals.mars.running import Fate, Request, play
from evals.mars.submitting import command, submissions
from schedmate.graphs.diagnose import run_diagnose
from schedmate.graphs.extract import run_extract
from schedmate.graphs.track import run_track
from schedmate.schemas import Hardware, Job, PastJob, Workload

JOBS, SEED = 500, 7
DRAWS = 400
LAW = "who knows the law of the set"
TASKS = {"pretrain": "language modeling", "finetune": "instruction tuning", "evaluate": "evaluation"}
LACKS = (
    "Made by the project: how durations depend on configurations is written in evals/mars/running.py. It stands in for "
    "the paper's Mars trace, which is not public; the figures of the two do not compare."
)


def load_mars(limit: int | None = None, seed: int = SEED) -> JobSet:
    """Write the code base, let 500 jobs run, and read each back."""
    draw = Random(seed)
    jobs: list[PastJob] = []
    oracle: list[PastJob] = []
    profiled: dict[str, float] = {}
    read: dict[str, Workload] = {}
    laws: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "lumen"
        write_codebase(root)
        for number, (at_s, user, branch, asked) in enumerate(submissions(limit or JOBS, seed)):
            fate, text = play(asked, draw), command(asked, number, draw)
            key = text.partition(" --output-dir")[0]
            if key not in read:
                read[key] = run_extract(root, text, engine="built-in").workload
            past = written_down(f"m{number:04d}", at_s, user, branch, asked, fate, text)
            past = past.model_copy(update=read_back(Path(folder) / "job.log", write_log(asked, fate, draw), fate))
            jobs.append(past.model_copy(update={"workload": read[key]}))
            laws[past.job.job_id] = usual_s(asked)
            oracle.append(past.model_copy(update={"workload": truth(asked)}))
            if past.hardware and past.hardware.gpu_util is not None:
                profiled[past.job.job_id] = fate.profiled_util
    print(f"mars: read {len(read)} different commands of {len(jobs)} jobs", file=sys.stderr)
    return JobSet("Mars-like set", jobs, -1.0, LACKS, {LAW: laws}, oracle=oracle, profiled=profiled)


@cache
def usual_s(asked: Request) -> float:
    """Give the median of what a request takes by the law that the set is drawn from: nobody can know more."""
    draw = Random(SEED)
    return median(play(asked, draw).duration_s for _ in range(DRAWS))


def written_down(job_id: str, at_s: float, user: str, branch: str, asked: Request, fate: Fate, text: str) -> PastJob:
    """Give what accounting and the GPUs' counters tell."""
    job = Job(
        job_id=job_id,
        user=user,
        name=f"{asked.kind}-{asked.model.split('/')[-1].lower()}",
        command=text,
        workdir=Path("/home") / user / "lumen",
        git_branch=branch,
        vc="llm",
        gpus=asked.gpus,
        submit_s=at_s,
        status=fate.status,
        extra={"cpus": str(8 * asked.gpus)},
    )
    util = None if fate.cause == "memory" else round(fate.gpu_util, 4)
    hardware = Hardware(gpu_util=util, gpu_memory_gib=round(fate.memory_gib, 2), samples=10)
    return PastJob(job=job, ran_s=round(fate.duration_s, 1), hardware=hardware)


def read_back(path: Path, log: str, fate: Fate) -> dict[str, object]:
    """Read throughput and cause from the log."""
    path.write_text(log, "utf-8")
    told: dict[str, object] = {"metrics": run_track(str(path), engine="built-in")}
    if fate.cause:
        told["diagnosis"] = run_diagnose(str(path), engine="built-in")
    return told


def truth(asked: Request) -> Workload:
    """Give the true metadata."""
    return Workload(
        is_training=asked.kind != "evaluate",
        model_name=asked.model,
        model_type="transformer",
        param_size=f"{asked.billions:g}B",
        task="NLP",
        task_fine=TASKS[asked.kind],
        dataset_name=asked.data,
        framework="PyTorch",
        num_gpus=asked.gpus,
        batch_size=asked.micro_batch,
        global_batch_size=asked.micro_batch * asked.gpus,
        total_steps=asked.steps,
        learning_rate=asked.learning_rate,
        precision="bf16",
        extra={"sequence_length": str(asked.length)},
    )
