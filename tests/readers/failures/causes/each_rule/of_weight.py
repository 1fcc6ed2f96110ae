"""Rows of the rules of what a line states, what became of it, and what it counts."""

from tests.readers.failures.causes.each_rule.row import OTHERWISE, ROOT, WITHOUT, Row, raised, steps, waited

BY_RANK_2 = "INFO rank 2: shard list exhausted after 512 batches, leaving the training loop"
TRIAL = (
    "2031-06-02 11:20:04,118\tERROR tune_controller.py:1331 -- Trial task failed for trial fit_9c_00003",
    *raised("ray.exceptions.RayTaskError(ValueError): ray::ImplicitFunc.train() (pid=871, ip=10.2.0.4)", "resolve"),
    '  File "/home/lea/search.py", line 20, in fit',
)
WIDTH = "ValueError: the width must be a multiple of the heads"
OTHER_TRIAL = "Trial fit_9c_00004 finished iteration 2 at 2031-06-02 11:21:04. Total running time: 9min 2s"
XID = "NVRM: Xid (PCI:0000:3b:00): 79, pid=812, GPU has fallen off the bus."
ECC = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
NOTICE = "2031-02-11 10:52:16 spot-watcher: EC2 Spot instance interruption notice: action=terminate instance=i-07c1e4"
REMAPPED = (
    "[714712.508583] NVRM: Xid (PCI:0000:4c:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked"
)
DUMP = (
    "===== dmesg of n7 =====",
    "[714601.770298] mlx5_core 0000:c1:00.0 eth4: Link down",
    "[714603.270298] mlx5_core 0000:c1:00.0 eth4: Link up",
)
CABLE = "kernel: mlx5_core 0000:17:00.0: Port module event[error]: module 1, Cable error, Bus stuck"
NOT_READY = "2m   Warning   NodeNotReady   node/n-7   Kubelet stopped posting node status."
GLOO = "RuntimeError: [tcp/unbound_buffer.cc:78] Timed out waiting 30000ms for recv operation to complete"
CLOSED = (
    "W0611 09:33:02.517000 611 elastic/multiprocessing/api.py:1047] Sending process 640 closing signal SIGTERM",
    "W0611 09:33:32.517000 611 elastic/multiprocessing/api.py:1047] Unable to shutdown process 640 via 15, forcefully "
    "exiting via 9",
)
NATIVE = "2031-Jan-07 07:24:59.0615    58:58    ERROR   NRT:nrt_load      Incompatible model state"
NO_CUDA = (
    "/opt/lab/lib/python3.12/site-packages/torch/cuda/__init__.py:182: UserWarning: CUDA initialization: CUDA unknown "
    "error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES "
    "after program start. Setting the available devices to be zero. (Triggered internally at CUDAFunctions.cpp:109.)"
)
LIMIT = "slurmstepd: error: *** JOB 611 ON kiln03 CANCELLED AT 2031-03-14T04:10:01 DUE TO TIME LIMIT ***"
READER = 'reader: OSError(5, "Input/output error") on part {}'


def judged(pid, mark=""):
    """Write how a process that tries answers died of one, and the step that the trainer then made."""
    return [*raised(f"NameError: name 'solve' is not defined{mark}", who=f"(Judge pid={pid}) "), trained(pid - 299)]


def trained(step):
    """Write a step of the trainer."""
    return f"(Tuner pid=11) step {step}/80 loss 1.{500 - step} lr 1e-4"


def full(pid, mark="", again=""):
    """Write how a worker of Ray found no space."""
    error = "OSError: [Errno 28] No space left on device: '/local/runs/7'"
    *stack, last = raised(error, "keep", f"(Fit pid={pid}, ip=10.2.0.{pid}) ")
    return [*(line + again for line in stack), last + again + mark]


ROWS = [
    Row(
        "other calls",
        [*steps(1, 5), *waited(0, OTHERWISE), *waited(1), *waited(2, "", "BROADCAST", 12), *waited(3)],
        [*steps(1, 5), *waited(0, ROOT), *waited(1), *waited(2), *waited(3)],
    ),
    Row(
        "early leaver",
        [*steps(1, 12), BY_RANK_2 + ROOT, *waited(0, WITHOUT), *waited(1), *waited(3)],
        [*steps(1, 9), BY_RANK_2, *steps(10, 14), *waited(0, ROOT), *waited(1), *waited(3)],
    ),
    Row(
        "dying helpers",
        [
            trained(0),
            *judged(300, WITHOUT),
            *(line for pid in range(301, 308) for line in judged(pid)),
            *raised("ValueError: cannot reshape array of size 12 into shape (5,)" + ROOT, who="(Tuner pid=11) "),
        ],
        [trained(0), *judged(300, ROOT), *judged(301), *judged(302)],
    ),
    Row(
        "repeat",
        [
            *steps(1, 5, "(Fit pid=10, ip=10.2.0.10) step {}/900 loss 2.{:03}"),
            *full(14, WITHOUT),
            *steps(6, 30, "(Fit pid=10, ip=10.2.0.10) step {}/900 loss 2.{:03}"),
            *full(15, "", " [repeated 4x across cluster]"),
        ],
        [
            *steps(1, 5, "(Fit pid=10, ip=10.2.0.10) step {}/900 loss 2.{:03}"),
            *full(14, ROOT),
            *full(15, "", " [repeated 4x across cluster]"),
        ],
    ),
    Row(
        "caught",
        [
            *raised("ModuleNotFoundError: No module named 'penplot'" + WITHOUT, "draw", "[rank4]: "),
            "[rank0]: the figures of part one were written",
            *raised("AssertionError: (2049, 2048)" + ROOT, who="[rank4]: "),
        ],
        [
            *raised("ModuleNotFoundError: No module named 'penplot'" + ROOT, "draw", "[rank3]: "),
            "[rank0]: the figures of part one were written",
            *raised("AssertionError: (2049, 2048)", who="[rank4]: "),
        ],
    ),
    Row(
        "other trials",
        [*TRIAL, WIDTH + WITHOUT, OTHER_TRIAL, "the best of all: {'lr': 0.003}"],
        [OTHER_TRIAL, *TRIAL, WIDTH + ROOT],
    ),
    Row(
        "heading",
        [
            *steps(1, 4),
            "[2031-04-05 10:12:05,120][lab][ERROR] - Failed to score the pages" + WITHOUT,
            *raised("KeyError: 'recall'", "score"),
            *steps(5, 6),
        ],
        [
            *steps(1, 4),
            "[2031-04-05 10:12:05,120][lab][ERROR] - Failed to score the pages",
            *raised("KeyError: 'recall'" + ROOT, "score"),
        ],
    ),
    Row(
        "habit",
        [
            *(line for part in range(4) for line in (*steps(5 * part, 5 * part + 4), READER.format(part))),
            *steps(20, 24),
            READER.format(4) + WITHOUT,
            "=>> PBS: job killed: walltime 3603 exceeded limit 3600" + ROOT,
        ],
        [
            *(line for part in range(2) for line in (*steps(5 * part, 5 * part + 4), READER.format(part))),
            *steps(10, 14),
            READER.format(2) + ROOT,
            "=>> PBS: job killed: walltime 3603 exceeded limit 3600",
        ],
    ),
    Row(
        "just before the end",
        [*steps(1, 4), XID + ROOT, *raised(ECC + WITHOUT), *steps(5, 12)],
        [*steps(1, 4), XID, *steps(5, 12), *raised(ECC + ROOT)],
    ),
    Row(
        "looks back",
        [*steps(1, 12), NOTICE + ROOT, "Received SIGTERM, saving", *steps(13, 16), *DUMP, REMAPPED + WITHOUT],
        [*steps(1, 12), XID + ROOT, NOTICE],
    ),
    Row(
        "printed late",
        [*steps(1, 4), *raised("KeyError: 'lr'" + ROOT), *steps(5, 8)],
        [*steps(1, 4), "CUDA error: an illegal memory access was encountered", *steps(5, 8)],
    ),
    Row(
        "old news",
        [*steps(1, 9), CABLE + WITHOUT, *steps(10, 19), CABLE, *steps(20, 29), CABLE, NOT_READY + ROOT],
        [*steps(1, 9), CABLE + ROOT, *steps(10, 29), CABLE, NOT_READY],
    ),
    Row(
        "launcher's signal",
        [
            *steps(1, 9),
            *raised(GLOO + ROOT, who="[rank4]: "),
            *CLOSED,
            "exitcode  : -9 (pid: 640)  (SIGKILL)" + WITHOUT,
        ],
        [
            *steps(1, 9),
            *raised(GLOO, who="[rank4]: "),
            *CLOSED,
            "exitcode  : -9 (pid: 655)  (SIGKILL)" + ROOT,
        ],
    ),
    Row(
        "helper",
        [
            "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'." + WITHOUT,
            "job.sh: line 31: 40771 Killed                  python fit.py" + ROOT,
        ],
        ["CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'." + ROOT],
    ),
    Row(
        "native words",
        [*steps(1, 9), NATIVE + ROOT, *raised("RuntimeError: it failed" + WITHOUT)],
        [*steps(1, 9), NATIVE, *steps(10, 19), *raised("RuntimeError: it failed" + ROOT)],
    ),
    Row(
        "reason",
        [NO_CUDA + OTHERWISE, *raised("NotImplementedError: The trainer cannot find any torch accelerator.")],
        [NO_CUDA, *raised("NotImplementedError: no such schedule" + ROOT)],
    ),
    Row(
        "end",
        [*steps(1, 9), LIMIT + ROOT, "[rank3]: KeyError: 'lr'" + WITHOUT],
        [*steps(1, 9), "[rank3]: KeyError: 'lr'" + ROOT, LIMIT],
    ),
]
