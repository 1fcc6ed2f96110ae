"""Rows of the rules of what a line counts beside all else, who is left, who is chosen, why nobody is, and that the job
was well.
"""

from tests.readers.failures.causes.each_rule.row import ROOT, WITHOUT, Row, raised, steps

KILLED = "Mar  3 04:10:01 n7 kernel: Out of memory: Killed process 4711 ({}) total-vm:90000kB, anon-rss:80000kB"
RETRIED = "W client: upload to logs.lab.example failed: Temporary failure in name resolution, will retry"
DIMM = "Jan 09 02:11:40 n17 modulesd[412]: DIMM 4 has lost a row"
CANCELLED = "slurmstepd: error: *** JOB 771 ON kiln07 CANCELLED AT 2031-04-05T11:00:00 ***"
TABLE = "NAMESPACE   NAME             READY   STATUS             RESTARTS      AGE"
NO_IMAGE_YET = "lab         notebook-x7k2    0/1     ImagePullBackOff   0             12d"
OWN_POD = "lab         fit-worker-0     0/1     OOMKilled          1             3h"
BOARD = "team-b      board-0          1/1     Running            1             62d"
BY_POD = "fit-worker-0 main step {} loss 2.{:03} lr 0.01"
TAKEN = "09:03:01  Normal   TaintManagerEviction  pod/fit-worker-2  Marking for deletion Pod ml/fit-worker-2"
PLACED = "09:03:31  Normal   Scheduled         pod/fit-worker-2  Successfully assigned ml/fit-worker-2 to node-b22"
NO_IMAGE = (
    '09:03:49  Warning  Failed            pod/fit-worker-2  Failed to pull image "registry.lab.example/ml/fit:24.11": '
    "unexpected status from HEAD request: 502 Bad Gateway"
)
ALONE = "fit-worker-0 main torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError"
TRY = (
    "WARNING: keeper.retrying: Attempt {}/4 failed. Exception type: ClientError, message: An error occurred "
    "(ServiceUnavailable) when calling the UploadPart operation (reached max retries: 2): Please reduce your rate."
)
NO_UPLOAD = "RuntimeError: Failed to upload s3://lab-models/run7/ep0"
PEER = (
    "[rank3]: torch.distributed.DistBackendError: NCCL error in: /torch/csrc/NCCLUtils.hpp:268, remote process exited"
)
LOST_PEER = "[rank3]: ConnectionResetError: [Errno 104] Connection reset by peer"
STRANGE = "[rank3]: FATAL: the gremlin in bay 7 bit through the zorblat"
SPOT = "spot-handler: Spot ITN received. Instance will be interrupted at 08:43:44Z"
OFF = "Broadcast message from root@n2: The system will power off now!"
NOT_READY = "2m   Warning   NodeNotReady   node/n-7   Kubelet stopped posting node status."
TRANSFER = "n7:91:230 [3] NCCL WARN NET/IB : Got completion from peer 10.0.0.7<51234> with error 12, opcode 0, len 0"
NODE_LOST = "srun: error: Node failure on kiln07"
POWER = "bmc-watch[kiln07]: PSU 2 failed, node is powered off"
LINK_DOWN = "Jul 24 07:25:47 n17 kernel: [950349.914853] mlx5_core 0000:c1:00.0 eth4: Link down"
LINK_UP = "Jul 24 07:25:49 n17 kernel: [950351.414853] mlx5_core 0000:c1:00.0 eth4: Link up"
SMOKE = "[rackwatch] smoke detected in rack B4, powering off in 60 s"
TOO_MANY = "srun: error: n17: tasks 8-15: Killed"
EXITED = "srun: error: n17: task 3: Exited with exit code 1"
ROUTINE = "2031-04-10 15:{:02}:10 - INFO - [Pages] index={} -> page {}"
DEVICES = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices"


def pages(first, last):
    """Write what a program that does not train says of its work."""
    return [ROUTINE.format(page, 7 * page, page) for page in range(first, last + 1)]


ROWS = [
    Row(
        "stranger",
        [*steps(1, 9), KILLED.format("backup-agent") + WITHOUT, *raised("KeyError: 'lr'" + ROOT)],
        [*steps(1, 9), KILLED.format("python") + ROOT, *raised("KeyError: 'lr'")],
    ),
    Row(
        "tries without end",
        ["the pages are read", RETRIED + ROOT, RETRIED, RETRIED],
        ["the pages are read", RETRIED, RETRIED, RETRIED, "the pages were written", *steps(1, 9)],
    ),
    Row(
        "uncatalogued",
        [*steps(1, 30), DIMM + WITHOUT, CANCELLED + ROOT],
        [*steps(1, 30), DIMM + ROOT, PEER, CANCELLED],
    ),
    Row(
        "others' pods",
        [*steps(1, 9, BY_POD), "", TABLE, NO_IMAGE_YET + WITHOUT, OWN_POD + ROOT, BOARD],
        [*steps(1, 9), "", TABLE, OWN_POD + ROOT],
    ),
    Row(
        "replaced pod",
        [*steps(1, 9, BY_POD), TAKEN + WITHOUT, PLACED, NO_IMAGE + ROOT, ALONE],
        [*steps(1, 9, BY_POD), TAKEN + ROOT, NO_IMAGE, ALONE],
    ),
    Row(
        "failed transfer",
        [*steps(1, 9), TRY.format(1) + ROOT, TRY.format(2), TRY.format(3), *raised(NO_UPLOAD + WITHOUT)],
        [*steps(1, 9), TRY.format(1), *steps(10, 19), *raised(NO_UPLOAD + ROOT)],
    ),
    Row(
        "behind an effect",
        [*steps(1, 9, "[rank0]: step {} loss 2.{:03}"), PEER + ROOT, STRANGE + WITHOUT],
        [*steps(1, 9, "[rank0]: step {} loss 2.{:03}"), STRANGE + ROOT, PEER],
    ),
    Row(
        "foretold",
        ["==> fit-0.log <==", *steps(1, 9), SPOT + ROOT, "==> events.log <==", NOT_READY + WITHOUT],
        [*steps(1, 9), NOT_READY + ROOT, SPOT],
    ),
    Row(
        "may follow",
        [*steps(1, 9), TRANSFER + WITHOUT, *raised("KeyError: 'lr'" + ROOT)],
        [*steps(1, 9), TRANSFER + ROOT, PEER],
    ),
    Row(
        "seen from afar",
        [*steps(1, 9), NODE_LOST + WITHOUT, POWER + ROOT],
        [*steps(1, 9), NODE_LOST + ROOT],
    ),
    Row(
        "noticed end",
        [*steps(1, 9), SPOT + ROOT, *steps(10, 14), OFF + WITHOUT],
        [*steps(1, 9), SPOT, *steps(10, 14), *raised("KeyError: 'lr'" + ROOT)],
    ),
    Row(
        "firm cause",
        [*steps(1, 9), LINK_DOWN + WITHOUT, LINK_UP, *raised("KeyError: 'lr'" + ROOT), EXITED],
        [*steps(1, 9), PEER + ROOT],
    ),
    Row(
        "late cause",
        [*steps(1, 9), SPOT + ROOT, *steps(10, 20), TOO_MANY + WITHOUT],
        [SPOT, *steps(1, 20), TOO_MANY + ROOT],
    ),
    Row(
        "any cause",
        [*steps(1, 9), TOO_MANY + WITHOUT, "An exception has occurred, use %tb to see the full traceback." + ROOT],
        [*steps(1, 9), PEER + ROOT],
    ),
    Row(
        "only an effect",
        [*steps(1, 9), PEER + ROOT],
        [*steps(1, 9), PEER, *raised("KeyError: 'lr'" + ROOT)],
    ),
    Row(
        "got over",
        [*steps(1, 9), "/bin/sh: gpustat: command not found" + ROOT],
        ["/bin/sh: torchrun: command not found" + ROOT],
    ),
    Row(
        "ends nothing",
        ["pass 1 done", "pass 2 done", "wandb: WARNING Unable to upload: HTTP 503" + WITHOUT],
        ["pass 1 done", "pass 2 done", *raised("wandb.errors.CommError: Unable to upload: HTTP 503" + ROOT)],
    ),
    Row(
        "handled",
        ["the lab's data are read", "Failed to read: session.border" + WITHOUT, "Setting default value", "next page"],
        ["the lab's data are read", "Failed to read: session.border" + ROOT],
    ),
    Row(
        "went on",
        [*pages(1, 15), DEVICES + WITHOUT, *pages(16, 30), "torchrun ends"],
        [*pages(1, 30), DEVICES + ROOT],
    ),
    Row(
        "proof of health",
        ["step 8/9 loss 2.4", LOST_PEER + WITHOUT, "step 9/9 loss 2.3", "Training complete"],
        ["step 8/9 loss 2.4", "step 9/9 loss 2.3", "Training complete", *raised("KeyError: 'lr'" + ROOT)],
    ),
]
