"""What a site does to a job: storage, reclaimed machines, schedulers, limits, people."""

from evals.strangers import closing, echoes
from evals.strangers.faults.kinds import MAIN, Fault, raised
from evals.strangers.job import Job, Truth

STORE = ("/workspace/data/stream.py", 61, "open_shard", "return self.client.get_object(Bucket=bucket, Key=key)")
KUBERNETES = ("kubectl prefix", "kubectl stamps", "cri")


def other(reason: str, component: str = "") -> Truth:
    return Truth("infrastructure", "other", component, reason)


def stopped(reason: str) -> Truth:
    return Truth("other", reason=reason)


def store_down(job: Job) -> Truth:
    rank = job.any_rank()
    error = job.rng.choice((
        "botocore.exceptions.ClientError: An error occurred (ServiceUnavailable) when calling the GetObject operation (reached max retries: 4): Service is unable to handle request.",
        "google.api_core.exceptions.ServiceUnavailable: 503 GET https://storage.googleapis.com/download/storage/v1/b/corpus/o/shard-00017: We encountered an internal error. Please try again.",
        "azure.core.exceptions.HttpResponseError: The server is busy. ErrorCode:ServerBusy",
    ))  # fmt: skip
    raised(job, rank, [MAIN, STORE], error)
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, 1)
    return other("the object store was down")


def hub_down(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/opt/conda/lib/python3.11/site-packages/huggingface_hub/utils/_http.py", 406, "hf_raise_for_status", "response.raise_for_status()")],
           "huggingface_hub.errors.HfHubHTTPError: 504 Server Error: Gateway Time-out for url: https://huggingface.co/api/models/base/tree/main?recursive=True")  # fmt: skip
    closing.close(job, job.now + 5, rank, 1)
    return other("the model hub was down")


def spot(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, -1, [job.rng.choice((
        f"{job.clock(job.now)} spot-watcher: EC2 Spot instance interruption notice: action=terminate time={job.clock(job.now + 120, '%Y-%m-%dT%H:%M:%SZ')} instance=i-0a{job.number:x}",
        f"{job.clock(job.now)} node-termination-handler: instance {job.host(rank)} has been preempted (metadata preempted=TRUE)",
        f"{job.clock(job.now)} maintenance-agent: host {job.host(rank)}: TERMINATE_ON_HOST_MAINTENANCE event received, host will be stopped",
    ))], root=0)  # fmt: skip
    job.say(job.now + 60, rank, ["Received SIGTERM, saving an emergency checkpoint"])
    gone = [each for each in range(job.ranks) if job.host(each) == job.host(rank)]
    closing.close(job, echoes.others_end(job, job.now + 120, gone, hang=False), rank, -15)
    return other("the machine was taken back", job.host(rank))


def slurm_preempts(job: Job) -> Truth:
    job.say(job.now, -1, [f"slurmstepd: error: *** JOB {job.number} ON {job.hosts[0]} CANCELLED AT {job.clock(job.now, '%Y-%m-%dT%H:%M:%S')} DUE TO PREEMPTION ***"], root=0)  # fmt: skip
    for rank in range(min(4, job.ranks)):
        job.say(job.now + 0.5, rank, ["Signal 15 received, shutting the data pipeline down"])
    return other("a job of higher priority took the place")


def evicted(job: Job) -> Truth:
    pod = f"llm-{job.number}-worker-1"
    when = job.clock(job.now, "%Y-%m-%dT%H:%M:%SZ")
    job.say(job.now, -1, [
        f"{when} Warning Preempted pod/{pod} Preempted by a pod on node {job.hosts[-1]}",
        f"{when} Normal Killing pod/{pod} Stopping container pytorch",
    ], root=0)  # fmt: skip
    gone = [each for each in range(job.ranks) if each // job.per_host == min(1, len(job.hosts) - 1)]
    echoes.others_end(job, job.now + 30, gone, hang=False)
    return other("a pod of higher priority took the place", pod)


def node_not_ready(job: Job) -> Truth:
    when = job.clock(job.now, "%Y-%m-%dT%H:%M:%SZ")
    job.say(job.now, -1, [
        f"{when} Warning NodeNotReady pod/llm-{job.number}-worker-0 Node is not ready",
        f"{when} Normal TaintManagerEviction pod/llm-{job.number}-worker-0 Marking for deletion Pod ml/llm-{job.number}-worker-0",
    ], root=0)  # fmt: skip
    echoes.others_end(job, job.now + 30, range(job.per_host), hang=True)
    return Truth("infrastructure", "node", job.hosts[0], "a node stopped answering")


def image(job: Job) -> Truth:
    when = job.clock(job.now, "%Y-%m-%dT%H:%M:%SZ")
    job.say(job.now, -1, [
        f'{when} Normal Pulling pod/llm-{job.number}-worker-0 Pulling image "registry.example.org/ml/train:2025.11"',
        f'{when} Warning Failed pod/llm-{job.number}-worker-0 Failed to pull image "registry.example.org/ml/train:2025.11": rpc error: code = Unavailable desc = failed to pull and unpack image: failed to copy: httpReadSeeker: failed open: unexpected status code 503 Service Unavailable',
        f"{when} Warning Failed pod/llm-{job.number}-worker-0 Error: ErrImagePull",
        f"{when} Warning BackOff pod/llm-{job.number}-worker-0 Error: ImagePullBackOff",
    ], root=1)  # fmt: skip
    return other("the image registry was down")


def controller(job: Job) -> Truth:
    job.say(job.now, -1, [
        "srun: error: Unable to confirm allocation for job %d: Unable to contact slurm controller (connect failure)" % job.number,  # noqa: UP031
        "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job %d" % job.number,  # noqa: UP031
    ], root=0)  # fmt: skip
    return other("the scheduler's controller could not be reached")


def power(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, -1, [
        f"{job.clock(job.now, '%b %d %H:%M:%S')} {job.host(rank)} ipmievd[1188]: Power Supply sensor PS2 Status - Power supply AC lost asserted",
        f"{job.clock(job.now + 1, '%b %d %H:%M:%S')} {job.host(rank)} ipmievd[1188]: Power Unit sensor Pwr Unit Status - Power off / power down asserted",
    ], root=0)  # fmt: skip
    gone = [each for each in range(job.ranks) if job.host(each) == job.host(rank)]
    closing.close(job, echoes.others_end(job, job.now + 3, gone), rank, -9)
    return Truth("infrastructure", "other", job.host(rank), "a host lost power", span=2)


def slurm_limit(job: Job) -> Truth:
    job.say(job.now, -1, [f"slurmstepd: error: *** STEP {job.number}.0 ON {job.hosts[0]} CANCELLED AT {job.clock(job.now, '%Y-%m-%dT%H:%M:%S')} DUE TO TIME LIMIT ***"], root=0)  # fmt: skip
    for rank in range(min(6, job.ranks)):
        job.say(job.now + 0.4, rank, ["Traceback (most recent call last):", '  File "/workspace/train.py", line 311, in <module>', "    main()", "torch.distributed.elastic.multiprocessing.api.SignalException: Process %d got signal: 15" % job.pid(rank)] if job.stack == "torch" else ["Terminated"])  # noqa: UP031  # fmt: skip
    return stopped("the time limit was reached")


def scancel(job: Job) -> Truth:
    job.say(job.now, -1, [
        "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
        f"slurmstepd: error: *** STEP {job.number}.0 ON {job.hosts[0]} CANCELLED AT {job.clock(job.now, '%Y-%m-%dT%H:%M:%S')} ***",
        f"srun: error: {job.hosts[0]}: tasks 0-{job.per_host - 1}: Terminated",
    ], root=1, also=(0,))  # fmt: skip
    return stopped("somebody cancelled the job")


def lsf_limit(job: Job) -> Truth:
    job.say(job.now, -1, [
        "User defined signal 2", "", "------------------------------------------------------------",
        f"Sender: LSF System <lsfadmin@{job.hosts[0]}>", f"Subject: Job {job.number}: <train> in cluster <cl1> Exited", "",
        "TERM_RUNLIMIT: job killed after reaching LSF run time limit.", "Exited with exit code 140.", "", "Resource usage summary:",
    ], root=6)  # fmt: skip
    return stopped("the time limit was reached")


def pbs_limit(job: Job) -> Truth:
    job.say(job.now, -1, ["=>> PBS: job killed: walltime 86432 exceeded limit 86400", "mpirun: Forwarding signal 18 to job"], root=0)  # fmt: skip
    return stopped("the time limit was reached")


def deadline(job: Job) -> Truth:
    when = job.clock(job.now, "%Y-%m-%dT%H:%M:%SZ")
    job.say(job.now, -1, [
        f"{when} Warning DeadlineExceeded job/llm-{job.number} Job was active longer than specified deadline",
        f"{when} Normal Killing pod/llm-{job.number}-worker-0 Stopping container pytorch",
    ], root=0)  # fmt: skip
    return stopped("the job's deadline was reached")


def interrupted(job: Job) -> Truth:
    raised(job, 0, [MAIN, ("/workspace/trainer/loop.py", 98, "fit", "for batch in self.loader:")], "KeyboardInterrupt")
    job.say(job.now - 0.01, -1, ["^C"], also=(0,))
    return stopped("somebody pressed Ctrl-C")


FAULTS = (
    Fault("store_down", "infrastructure", store_down),
    Fault("hub_down", "infrastructure", hub_down, ("torch", "jax"), early=True),
    Fault("spot", "infrastructure", spot),
    Fault("slurm_preempts", "infrastructure", slurm_preempts, dresses=("plain", "srun -l")),
    Fault("evicted", "infrastructure", evicted, dresses=KUBERNETES),
    Fault("node_not_ready", "infrastructure", node_not_ready, dresses=KUBERNETES),
    Fault("image", "infrastructure", image, dresses=KUBERNETES, early=True),
    Fault("controller", "infrastructure", controller, dresses=("plain", "srun -l"), early=True),
    Fault("power", "infrastructure", power),
    Fault("slurm_limit", "other", slurm_limit, dresses=("plain", "srun -l")),
    Fault("scancel", "other", scancel, dresses=("plain", "srun -l")),
    Fault("lsf_limit", "other", lsf_limit, dresses=("lsf",)),
    Fault("pbs_limit", "other", pbs_limit, dresses=("pbs",)),
    Fault("deadline", "other", deadline, dresses=KUBERNETES),
    Fault("interrupted", "other", interrupted, ("torch", "jax", "tf"), ("plain", "compose", "default rank")),
)
