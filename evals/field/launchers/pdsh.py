"""DeepSpeed over pdsh: each line with its host, per-host launchers that kill the rest."""

from evals.field.job import Job
from evals.field.stage import Line, Stage


def prefix(job: Job, line: Line) -> str:
    return f"{job.host(line.rank)}: "


def open_job(stage: Stage) -> None:
    job = stage.job
    day = job.clock(0, "%Y-%m-%d %H:%M:%S,%3")
    stage.host_says(0, [
        f"[{day}] [WARNING] [runner.py:215:fetch_hostfile] Unable to find hostfile, will proceed with training with local resources only." if job.hosts == 1 else f"[{day}] [INFO] [multinode_runner.py:81:get_cmd] Running on the following workers: {','.join(job.names)}",
        f"[{day}] [INFO] [runner.py:605:main] cmd = pdsh -S -f 1024 -w {','.join(job.names[:20])} export NCCL_DEBUG=INFO; cd /workspace/app; /usr/bin/python3 -u -m deepspeed.launcher.launch --master_port=29500 {job.script}",
    ])  # fmt: skip
    for name in job.names:
        stage.say(
            1,
            job.first_rank(name),
            [f"[{day}] [INFO] [launch.py:145:main] WORLD INFO DICT: {{'{name}': {list(range(job.per_host))}}}"],
            stream="out",
        )


def close_job(stage: Stage) -> None:
    job, at = stage.job, stage.over + 1
    for name in stage.lost:
        stage.host_says(at + 20, [f"pdsh@{job.names[0]}: {name}: ssh exited with exit code 255"])
    for name in job.names:
        mine = sorted((death for death in stage.deaths if job.host(death.rank) == name), key=lambda death: death.at)
        if not mine or name in stage.lost:
            continue
        day = job.clock(at, "%Y-%m-%d %H:%M:%S,%3")
        first = next((death for death in mine if death.code != -15), mine[0])
        rank = job.first_rank(name)
        stage.say(at + job.rng.random(), rank, [
            *(f"[{day}] [INFO] [launch.py:319:sigkill_handler] Killing subprocess {job.pid(other)}" for other in job.ranks_of(name)),
            f"[{day}] [ERROR] [launch.py:325:sigkill_handler] ['/usr/bin/python3', '-u', '{job.script}', '--local_rank={job.local(first.rank)}'] exits with return code = {first.code}",
        ])  # fmt: skip
        stage.host_says(
            at + 2, [f"pdsh@{job.names[0]}: {name}: ssh exited with exit code {abs(first.code) % 256 or 1}"]
        )
