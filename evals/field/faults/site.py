"""The site around the hosts: stores, registries, volumes, preemption."""

from evals.field.fallout import follow, killed_along
from evals.field.faults.kinds import elsewhere
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised


def object_store_down(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    for attempt in range(1, 5):
        stage.say(
            at + attempt * 20,
            rank,
            [
                f"{job.clock(at + attempt * 20, '%Y-%m-%d %H:%M:%S,%3')} WARNING storage: GET s3://corpus/idx/{job.number}.json: 503 Slow Down; attempt {attempt} of 5"
            ],
            root=0 if attempt == 1 else None,
        )
    lines, where = raised(
        job,
        rank,
        "own",
        "botocore.exceptions.ClientError: An error occurred (503) when calling the GetObject operation (reached max retries: 4): Service Unavailable. Please try again.",
    )
    stage.say(at + 120, rank, lines, root=where)
    stage.dies(rank, at + 121, 1)
    follow(stage, at + 121, rank)
    return elsewhere("the object store refused all attempts")


def hub_down(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    lines, where = raised(
        job,
        rank,
        "own",
        "huggingface_hub.errors.HfHubHTTPError: 503 Server Error: Service Temporarily Unavailable for url: https://huggingface.co/api/models/org/model-7b/revision/main",
    )
    stage.say(at, rank, lines, root=where)
    stage.dies(rank, at + 1, 1)
    follow(stage, at + 1, rank)
    return elsewhere("the hub of models was out of service")


def preempted(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    word = job.rng.choice((f"JOB {job.number}", f"STEP {job.number}.0"))
    stage.host_says(
        at,
        [
            f"slurmstepd: error: *** {word} ON {job.names[0]} CANCELLED AT {job.clock(at, '%Y-%m-%dT%H:%M:%S')} DUE TO PREEMPTION ***"
        ],
        root=0,
    )
    killed_along(stage, at)
    stage.quiet_end = job.rng.random() < 0.5
    return elsewhere("preempted by another job")


def pod_preempted(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.host_says(
        at,
        [
            event(
                job,
                at,
                "Normal",
                "Preempted",
                f"pod/{pod(job, rank)}",
                f"Preempted by pod 6b2f0c1e-{job.number % 9999:04d}-4c0a-b0de-1f2e3d4c5b6a on node {job.host(rank)}",
            )
        ],
        root=0,
    )
    stage.say(at + 0.5, rank, ["received SIGTERM, leaving"], stream="out")
    for other in job.ranks_of(job.host(rank)):
        stage.dies(other, at + 1, -15)
    follow(stage, at + 2, rank)
    return elsewhere("the pod was preempted")


def evicted(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.host_says(at, [
        event(job, at, "Warning", "Evicted", f"pod/{pod(job, rank)}", "The node was low on resource: ephemeral-storage. Threshold quantity: 322122547200, available: 24094024Ki. Container pytorch was using 2456Ki, request is 0, has larger consumption of ephemeral-storage. "),
        event(job, at + 1, "Normal", "Killing", f"pod/{pod(job, rank)}", "Stopping container pytorch"),
    ], root=0)  # fmt: skip
    for other in job.ranks_of(job.host(rank)):
        stage.dies(other, at + 2, -15)
    follow(stage, at + 3, rank)
    return Truth("infrastructure", "node", job.host(rank), "evicted: a node's disk was full", 2)


def volume_not_mounted(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    about = f"pod/{pod(job, job.ranks - 1)}"
    for count in range(6):
        stage.host_says(
            at + count * 120,
            [
                event(
                    job,
                    at + count * 120,
                    "Warning",
                    "FailedMount",
                    about,
                    'MountVolume.SetUp failed for volume "corpus" : rpc error: code = DeadlineExceeded desc = context deadline exceeded',
                )
            ],
            root=0 if count == 0 else None,
        )
    stage.host_says(
        at + 740,
        [
            event(
                job,
                at + 740,
                "Normal",
                "SuccessfulDeletePod",
                f"pytorchjob/llm-{job.number % 1000}",
                f"Deleted {about}",
            )
        ],
    )
    stage.host_says(
        at + 741,
        [
            event(
                job,
                at + 741,
                "Warning",
                "PyTorchJobFailed",
                f"pytorchjob/llm-{job.number % 1000}",
                "PyTorchJob is failed because it did not start within 720s",
            )
        ],
    )
    return elsewhere("a volume could not be mounted", span=1)


def image_not_pulled(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    about = f"pod/{pod(job, job.ranks - 1)}"
    image = f"registry.example.com/research/llm:{job.number % 97}"
    stage.host_says(at, [
        event(job, at, "Normal", "Pulling", about, f'Pulling image "{image}"'),
        event(job, at + 30, "Warning", "Failed", about, f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack image "{image}": failed to copy: httpReadSeeker: failed open: unexpected status code 503 Service Unavailable'),
        event(job, at + 31, "Warning", "Failed", about, "Error: ErrImagePull"),
        event(job, at + 45, "Normal", "BackOff", about, f'Back-off pulling image "{image}"'),
        event(job, at + 45, "Warning", "Failed", about, "Error: ImagePullBackOff"),
        event(job, at + 900, "Warning", "PyTorchJobFailed", f"pytorchjob/llm-{job.number % 1000}", "PyTorchJob is failed because it did not start within 720s"),
    ], root=1)  # fmt: skip
    return elsewhere("the registry of images did not answer")


FAMILIES = [
    (object_store_down, False, ()), (hub_down, True, ()), (preempted, False, ("slurm",)), (pod_preempted, False, ("k8s",)),
    (evicted, False, ("k8s",)), (volume_not_mounted, True, ("k8s",)), (image_not_pulled, True, ("k8s",)),
]  # fmt: skip
