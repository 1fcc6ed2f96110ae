"""How the launcher or scheduler closes the account of a job."""

from evals.strangers.job import Job

SIGNALS = {9: "Killed", 6: "Aborted", 11: "Segmentation fault", 15: "Terminated", 7: "Bus error"}
MPIRUN = ("ompi tag", "ompi tag time", "sagemaker")


def torchrun(job: Job, at: float, rank: int, code: int) -> None:
    stamp = job.clock(at, "%m%d %H:%M:%S.%6")
    name = "torch.distributed.elastic.multiprocessing.api" if job.number % 2 else "torch/distributed/elastic/multiprocessing/api.py:897]"  # fmt: skip
    others = [each for each in range(min(job.per_host, job.ranks)) if each != rank % job.per_host][:4]
    job.say(at, -1, [f"W{stamp} {job.number} {name} Sending process {job.pid(each)} closing signal SIGTERM" for each in others])  # fmt: skip
    signal = f"Signal {-code} (SIG{ {9: 'KILL', 6: 'ABRT', 11: 'SEGV', 15: 'TERM', 7: 'BUS'}[-code] }) received by PID {job.pid(rank)}" if code < 0 else "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"  # fmt: skip
    job.say(at + 1, -1, [
        f"E{stamp} {job.number} torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: {code}) local_rank: {rank % job.per_host} (pid: {job.pid(rank)}) of binary: /opt/conda/bin/python",
        "Traceback (most recent call last):",
        '  File "/opt/conda/bin/torchrun", line 33, in <module>',
        "    sys.exit(load_entry_point('torch==2.5.1', 'console_scripts', 'torchrun')())",
        '  File "/opt/conda/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 264, in launch_agent',
        "    raise ChildFailedError(",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        "============================================================",
        "/workspace/train.py FAILED",
        "------------------------------------------------------------",
        "Root Cause (first observed failure):",
        "[0]:",
        f"  time      : {job.clock(at, '%Y-%m-%d_%H:%M:%S')}",
        f"  host      : {job.host(rank)}",
        f"  rank      : {rank} (local_rank: {rank % job.per_host})",
        f"  exitcode  : {code} (pid: {job.pid(rank)})",
        "  error_file: <N/A>",
        f"  traceback : {signal}",
        "============================================================",
    ])  # fmt: skip


def mpirun(job: Job, at: float, rank: int, code: int) -> None:
    rule = "-" * 74
    if code < 0:
        text = f"mpirun noticed that process rank {rank} with PID {job.pid(rank)} on node {job.host(rank)} exited on signal {-code} ({SIGNALS[-code]})."  # fmt: skip
        job.say(at, -1, [rule, text, rule])
        return
    job.say(at, -1, [
        rule, "Primary job  terminated normally, but 1 process returned", "a non-zero exit code. Per user-direction, the job has been aborted.", rule,
        rule, "mpirun detected that one or more processes exited with non-zero status, thus causing", "the job to be terminated. The first process to do so was:", "",
        f"  Process name: [[{job.number % 60_000},1],{rank}]", f"  Exit code:    {code}", rule,
    ])  # fmt: skip


def srun(job: Job, at: float, rank: int, code: int) -> None:
    said = f"Exited with exit code {code}" if code >= 0 else SIGNALS[-code]
    job.say(at, -1, [f"srun: error: {job.host(rank)}: task {rank}: {said}"])
    if job.number % 3:
        job.say(at + 1, -1, [
            f"srun: Terminating StepId={job.number}.0",
            f"slurmstepd: error: *** STEP {job.number}.0 ON {job.hosts[0]} CANCELLED AT {job.clock(at + 1, '%Y-%m-%dT%H:%M:%S')} ***",
        ])  # fmt: skip


def close(job: Job, at: float, rank: int, code: int) -> None:
    """Sum the job up after `rank` ended with an exit code, or minus a signal."""
    if job.dress in MPIRUN:
        mpirun(job, at, rank, code)
    elif job.dress in ("plain", "srun -l"):
        srun(job, at, rank, code)
    elif job.dress in ("default rank", "pdsh", "kubectl prefix", "kubectl stamps", "cri", "compose") and job.stack == "torch":  # fmt: skip
        torchrun(job, at, rank, code)
    elif job.dress == "ray":
        job.say(at, -1, [
            f"{job.clock(at)},114\tERROR tune_controller.py:1331 -- Trial task failed for trial TorchTrainer_{job.number:x}_00000",
            f"Trial TorchTrainer_{job.number:x}_00000 errored after {3 + job.number % 40} iterations at {job.clock(at)}. Total running time: 1hr 12min 3s",
        ])  # fmt: skip
    elif job.dress == "lsf":
        job.say(at + 2, -1, [
            "", "------------------------------------------------------------",
            f"Sender: LSF System <lsfadmin@{job.hosts[0]}>", f"Subject: Job {job.number}: <train> in cluster <cl1> Exited", "",
            f"Exited with exit code {code if code >= 0 else 128 - code}.", "", "Resource usage summary:", "",
            "    CPU time :                                   91203.00 sec.", "    Max Memory :                                 402113 MB",
        ])  # fmt: skip
    elif job.dress == "pbs":
        job.say(at + 2, -1, [f"Job {job.number}.pbs01 exit_status={code if code >= 0 else 256 - code}", "resources_used.walltime=04:11:52"])  # fmt: skip
