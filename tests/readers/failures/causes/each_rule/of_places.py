"""Rows of the rules of what decides in place of the choice, and of where it was stated first."""

from tests.readers.failures.causes.each_rule.row import OTHERWISE, ROOT, WITHOUT, Row, raised, steps

HOT = "2026-03-14T06:{:02}:22+00:00 n41 gpu-health[171]: WARN gpu=6 clocks_event_reasons.hw_thermal_slowdown=Active"
ABORTED = "[rank0]: torch.distributed.DistBackendError: NCCL communicator was aborted on rank 0."
GIVEN_UP = "cardwarden[n7]: card 5 was given up by its driver"
TIMED_OUT = "[1772421071.123456] [n0{}:4 :0] ib_mlx5_log.c:177  UCX  ERROR Transport retry count exceeded on mlx5_0:1"
SWITCH = "[weave-watch Jun 17 03:22:06] leaf 4 has restarted, its ports are down"
TOO_FEW = "RuntimeError: the group closed with 3 of 4 workers"
PAGE = ("Events:", "  Type     Reason              Age                From                     Message")
NOT_ATTACHED = "  Warning  FailedAttachVolume  12m (x9 over 14m)  attachdetach-controller  AttachVolume.Attach failed"
OFF_THE_BUS = "[88123.400122] NVRM: Xid (PCI:0000:4e:00): 79, pid=911, name=fit, GPU has fallen off the bus."
PROGRAMS_OWN = "[88123.400122] NVRM: Xid (PCI:0000:4e:00): 13, pid=911, name=fit, Graphics Exception: ESR 0x505730=0x1"
LAUNCH_FAILED = "torch.AcceleratorError: CUDA error: unspecified launch failure"
NO_INDEX = "IndexError: shard index out of range"
NUMPY = "A module that was compiled using NumPy 1.x cannot be run in"
STATE = ("waiting for 4 workers", "    State:          Waiting")
EVENT = (
    '  Warning  Failed     9m    kubelet            Failed to pull image "hub.example/fit:1": unexpected status from '
    "HEAD request to https://hub.example/v2/fit/manifests/1: 502 Bad Gateway"
)
LINK_ERRORS = "Jun 13 03:31:{:02} gpu07 nvlink-watch[88]: WARN NVLink CRC errors rising on GPU 6, link 11"
LINK_FATAL = "Jun 13 03:31:{:02} gpu07 kernel: NVRM: Xid (PCI:0000:ba:00): 74, NVLink: fatal error on GPU 6, link 11"
NO_MODULE = "ModuleNotFoundError: No module named 'penplot'"
LOADED = ("Loaded module: python/3.12 of the lab", "Loaded dependency: cuda/12.4 for cudnn")
DOWN = "Jul 21 20:22:18 gpu07 kernel: mlx5_core 0000:9a:00.0 ibp154s0: Link down"
AGAIN = "wrapper: resubmitting, try 2"
MMU = (
    "Feb  4 02:47:29 n-12 kernel: NVRM: Xid (PCI:0000:81:00): 31, pid=330342, name=python, Ch 00000008, intr 00000000. "
    "MMU Fault: ENGINE GRAPHICS GPC1 GPCCLIENT_T1_3 faulted @ 0x7f0a_1c000000. Fault is of type FAULT_PDE"
)
ILLEGAL = "RuntimeError: CUDA error: an illegal memory access was encountered"
REFUSES = "24 groups instead of a multiple of 16"
EXITED = "srun: error: kiln07: task 2: Exited with exit code 4"
RETRY = "node3:71:89 [0] NCCL INFO socketPollConnect: connect returned No route to host, retrying ({}/34) after sleep"
STOPPED = "the run was stopped by user ines from the console, reason given: wrong config, she will submit again"
UNMOUNTED = "Mar 14 02:11:09 kiln04 systemd[1]: Unmounted /mnt/pears."
NO_SHARD = "FileNotFoundError: [Errno 2] No such file or directory: '{}/shard_7.bin'"
LOCKED = "libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes."
NO_QUEUE = (
    "kiln07:91:230 [3] misc/ibvwrap.cc:118 NCCL WARN Call to ibv_create_qp failed with error Cannot allocate memory"
)
CANCELLED = "slurmstepd: error: *** JOB 77 ON kiln07 CANCELLED AT 2031-03-04T11:22:33 ***"


def watched(minute, mark=""):
    """Write a step, and what a watcher says of a card in that minute."""
    return [f"2026-03-14 06:{minute}:03 step {minute} loss 2.{999 - minute}", HOT.format(minute) + mark]


CRASHED = "mpirun noticed that process rank 3 with PID 20419 on node kiln07 exited on signal 11 (Segmentation fault)."


def cells(first, last):
    """Write what a simulation says of its work."""
    return [f"cell block {block} of 900 relaxed in {block % 7 + 3} sweeps" for block in range(first, last + 1)]


ROWS = [
    Row(
        "slowed down",
        [
            *watched(20, ROOT),
            *(line for minute in range(21, 25) for line in watched(minute)),
            "2026-03-14 06:29:00 ERROR straggler: throughput below 30% of baseline for 20 min, aborting" + WITHOUT,
        ],
        [
            *(line for minute in range(20, 25) for line in watched(minute)),
            "2026-03-14 06:29:00 ERROR guard: the loss has not fallen for 20 min, aborting" + ROOT,
        ],
    ),
    Row(
        "stated in words",
        [*steps(1, 9), GIVEN_UP + ROOT, ABORTED + WITHOUT],
        [*steps(1, 9), GIVEN_UP, *raised("KeyError: 'lr'" + ROOT)],
    ),
    Row(
        "never started",
        ["three of four are here", *raised(TOO_FEW + WITHOUT), *PAGE, NOT_ATTACHED + ROOT],
        ["three of four are here", *raised("KeyError: 'lr'" + ROOT), *PAGE, NOT_ATTACHED],
    ),
    Row(
        "driver knew",
        [*steps(1, 9), OFF_THE_BUS + ROOT, *steps(10, 14), LAUNCH_FAILED + WITHOUT],
        [*steps(1, 9), PROGRAMS_OWN, *steps(10, 14), LAUNCH_FAILED + ROOT],
    ),
    Row(
        "part that failed",
        [*steps(1, 9), TIMED_OUT.format(3) + WITHOUT, TIMED_OUT.format(4), SWITCH + ROOT, "done with the dump"],
        [*steps(1, 9), *raised("KeyError: 'lr'" + ROOT), SWITCH, "done with the dump"],
    ),
    Row(
        "left waiting",
        [
            *steps(1, 9),
            "Exception in thread reader-3:",
            *raised(NO_INDEX + ROOT, "run"),
            *steps(10, 30),
            *raised("RuntimeError: the reader thread has died" + WITHOUT),
        ],
        [
            *steps(1, 9),
            "Exception in thread painter-3:",
            *raised(NO_INDEX, "run"),
            *steps(10, 30),
            *raised("RuntimeError: the painter thread has died" + ROOT),
        ],
    ),
    Row(
        "led to",
        [*steps(1, 9), UNMOUNTED + OTHERWISE, *steps(10, 30), *raised(NO_SHARD.format("/mnt/pears"))],
        [*steps(1, 9), UNMOUNTED, *steps(10, 30), *raised(NO_SHARD.format("/mnt/plums") + ROOT)],
    ),
    Row(
        "own program",
        [*cells(1, 30), CRASHED + OTHERWISE],
        ["loading python 3.11", *cells(1, 30), CRASHED + ROOT],
    ),
    Row(
        "first statement",
        [NUMPY + ROOT, *raised("RuntimeError: Numpy is not available" + WITHOUT)],
        [NUMPY, *raised("KeyError: 'lr'" + ROOT)],
    ),
    Row(
        "event",
        [*STATE, "      Reason:       ImagePullBackOff" + WITHOUT, "Events:", EVENT + ROOT],
        [*STATE, "      Reason:       ImagePullBackOff" + ROOT, "Name:    fit-1", "Events:", EVENT],
    ),
    Row(
        "first of part",
        [*steps(1, 9), LINK_ERRORS.format(1) + ROOT, *steps(10, 19), LINK_FATAL.format(14) + WITHOUT],
        [*steps(1, 9), LINK_ERRORS.format(1).replace("GPU 6", "GPU 2"), *steps(10, 19), LINK_FATAL.format(14) + ROOT],
    ),
    Row(
        "first of all runs",
        [*LOADED, *raised(NO_MODULE + ROOT), *LOADED, *raised(NO_MODULE), *LOADED, *raised(NO_MODULE + WITHOUT)],
        [*LOADED, *raised("KeyError: 'lr'"), *LOADED, *raised(NO_MODULE), *LOADED, *raised(NO_MODULE + ROOT)],
    ),
    Row(
        "first of tries",
        [*LOADED, *steps(1, 9), DOWN + ROOT, ABORTED, AGAIN, *LOADED, *steps(1, 9), DOWN + WITHOUT, ABORTED],
        [*LOADED, *steps(1, 9), *raised("KeyError: 'lr'"), AGAIN, *LOADED, *steps(1, 9), DOWN + ROOT, ABORTED],
    ),
    Row(
        "met by program",
        [*steps(1, 9), MMU + WITHOUT, *raised(ILLEGAL + ROOT, "gather")],
        [*steps(1, 9), MMU + ROOT, *raised("KeyError: 'lr'", "gather")],
    ),
    Row(
        "said before",
        [*steps(1, 9), REFUSES + ROOT, EXITED + WITHOUT],
        [*steps(1, 9), "the groups are as many as the lab has rooms", EXITED + ROOT],
    ),
    Row(
        "first try",
        [*(RETRY.format(at) + (ROOT if at == 26 else WITHOUT if at == 34 else "") for at in range(26, 35))],
        [*(RETRY.format(at) for at in range(26, 30)), *raised("KeyError: 'lr'" + ROOT)],
    ),
    Row(
        "said in words",
        [*steps(1, 30), STOPPED + ROOT, "leaving", CANCELLED + WITHOUT],
        [*steps(1, 30), "the run was drawn on the wall of the lab", "leaving", CANCELLED + ROOT],
    ),
    Row(
        "first in a chain",
        [LOCKED + ROOT, "joined", *steps(1, 9), NO_QUEUE + WITHOUT],
        [LOCKED.replace("is 65536 bytes", "is unlimited"), "joined", *steps(1, 9), NO_QUEUE + ROOT],
    ),
]
