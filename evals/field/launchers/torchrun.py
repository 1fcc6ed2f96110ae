"""torchrun on every host: elastic agents, closing signals, the panel of failures; accelerate wraps it."""

from evals.field.job import Job
from evals.field.stage import Death, Line, Stage

SIGNALS = {1: "SIGHUP", 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}


def prefix(job: Job, line: Line) -> str:
    """Tag lines where the job ran with --tee 3."""
    return f"[default{job.local(line.rank)}]:" if job.number % 3 == 2 else ""


def open_job(stage: Stage) -> None:
    job = stage.job
    if job.number % 5 == 1:
        stage.host_says(0, [
            "The following values were not passed to `accelerate launch` and had defaults used instead:",
            "\t`--dynamo_backend` was set to a value of `'no'`",
            "To avoid this warning pass in values for each of the problematic parameters or run `accelerate config`.",
        ])  # fmt: skip
    stars = "*****************************************"
    head = f"W{job.clock(1, '%m%d %H:%M:%S.%6')} {job.first_pid} torch/distributed/run.py:792]"
    stage.host_says(0.5, [
        head, f"{head} {stars}",
        f"{head} Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. ",
        f"{head} {stars}",
    ])  # fmt: skip


def panel(job: Job, deaths: list[Death]) -> list[str]:
    """Draw the panel of one host's failures."""

    def entry(index: int, death: Death) -> list[str]:
        signal = SIGNALS.get(-death.code, "SIGKILL")
        told = (
            "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"
            if death.code > 0
            else f"Signal {-death.code} ({signal}) received by PID {job.pid(death.rank)}"
        )
        return [
            f"[{index}]:", f"  time      : {job.clock(death.at, '%Y-%m-%d_%H:%M:%S')}", f"  host      : {job.host(death.rank)}",
            f"  rank      : {death.rank} (local_rank: {job.local(death.rank)})", f"  exitcode  : {death.code} (pid: {job.pid(death.rank)})",
            "  error_file: <N/A>", f"  traceback : {told}",
        ]  # fmt: skip

    rule, thin = "=" * 60, "-" * 60
    rest = [text for index, death in enumerate(deaths[1:], 1) for text in entry(index, death)]
    return [rule, f"{job.script} FAILED", thin, "Failures:", *(rest or ["  <NO_OTHER_FAILURES>"]), thin,
            "Root Cause (first observed failure):", *entry(0, deaths[0]), rule]  # fmt: skip


def close_job(stage: Stage) -> None:
    """Let each host's agent report what it saw of its own processes."""
    job = stage.job
    shown = 0
    for name in job.names:
        if name in stage.lost or shown > max(2, job.size // 400):
            continue
        mine = sorted((death for death in stage.deaths if job.host(death.rank) == name), key=lambda death: death.at)
        own = [death for death in mine if death.code != -15]
        agent = job.pid(job.first_rank(name)) - 1
        at = stage.over + 0.5 + job.rng.random()
        if not own:
            if job.number % 4 == 0:
                stage.host_says(
                    at + 3,
                    [
                        f"W{job.clock(at, '%m%d %H:%M:%S.%6')} {agent} torch/distributed/elastic/rendezvous/dynamic_rendezvous.py:1284] The node '{name}_{agent}_0' has failed to send a keep-alive heartbeat to the rendezvous '{job.number}' due to an error of type RendezvousConnectionError."
                    ],
                )
            continue
        shown += 1
        head = f"{job.clock(at, '%m%d %H:%M:%S.%6')} {agent} torch/distributed/elastic/multiprocessing/api.py"
        closing = [
            f"W{head}:897] Sending process {job.pid(death.rank)} closing signal SIGTERM"
            for death in mine
            if death.code == -15
        ]
        failed = own[0]
        stage.host_says(at, [
            *closing,
            f"E{head}:869] failed (exitcode: {failed.code}) local_rank: {job.local(failed.rank)} (pid: {job.pid(failed.rank)}) of binary: /usr/bin/python3",
            "Traceback (most recent call last):", '  File "/usr/local/bin/torchrun", line 8, in <module>', "    sys.exit(main())",
            '  File "/usr/local/lib/python3.12/dist-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 355, in wrapper',
            "    return f(*args, **kwargs)",
            '  File "/usr/local/lib/python3.12/dist-packages/torch/distributed/launcher/api.py", line 269, in launch_agent',
            "    raise ChildFailedError(", "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ", *panel(job, own),
        ])  # fmt: skip
