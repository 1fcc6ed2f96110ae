"""What differs between Slurm's versions, 20.11 to 25.11, and what its words mean: data only.

Fields of `squeue --Format` and `sinfo --Format` take a suffix and no width, and are then printed whole, since 19.05.
Times come as seconds since 1970 with SLURM_TIME_FORMAT=%s, in every version. JSON is not used: 20.11 has none, 22.05
prints every job whatever `--jobs` says, and from 23.02 on its shape changes with each data_parser.
"""

SQUEUE = (
    "JobArrayID", "JobID", "State", "Reason", "exit_code", "UserName", "UserID", "Partition", "NodeList",
    "tres-alloc", "RestartCnt", "SubmitTime", "EligibleTime", "StartTime", "EndTime", "TimeLimit", "PriorityLong",
    "Nice", "BatchFlag", "NumCPUs", "StdOut", "WorkDir", "Command", "Comment", "admin_comment", "Name",
)  # fmt: skip
SINFO = ("NodeList", "StateLong", "Gres", "GresUsed", "CPUs", "NodeAddr", "User", "Timestamp", "Reason")
SACCT = ("JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason")

SACCT_JOB = (
    "JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason", "Timelimit", "User", "WorkDir",
    "SubmitLine", "StdOut", "JobName", "Submit", "UID", "Partition", "AllocTRES",
)  # fmt: skip
"""All of one job."""
FIELDS_SINCE = {"SubmitLine": (21, 8), "StdOut": (24, 5)}
"""Fields of sacct that came later: asked for one that it does not know, it refuses the whole question."""
NOTHING = frozenset({"", "N/A", "n/a", "(null)", "None", "none", "Unknown", "None assigned", "UNLIMITED", "NOT_SET"})
HELD = frozenset({"JobHeldUser", "JobHeldAdmin", "JobHoldMaxRequeue"})

HELD_WORDS = ("requeued in held state", "requeued held")
"""The reason of `scontrol requeuehold`, which stands there as words."""

ENDS = {
    "COMPLETED": "completed",
    "CANCELLED": "cancelled",
    "FAILED": "failed",
    "TIMEOUT": "failed",
    "OUT_OF_MEMORY": "failed",
    "DEADLINE": "failed",
    "NODE_FAIL": "failed",
    "BOOT_FAIL": "failed",
    "LAUNCH_FAILED": "failed",
    "PREEMPTED": "cancelled",
    "REVOKED": "cancelled",
}
"""What the end of a job is to the loop. A job that Slurm requeues by itself ends no job, only a run."""
RUNS = frozenset({"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING", "CONFIGURING"})
WAITS = frozenset({"PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"})

LATER = ("COMPLETING", "CONFIGURING")
"""States that pass: nothing is booked before they have."""

DOWN = ("down", "fail", "error", "unknown", "no_respond", "not_responding", "inval", "future")

MARKED = ("drain", "drng", "maint", "blocked", "reboot")
"""Beginnings or parts of a node's state; what follows them (`*`, `~`, `#`, `!`, `%`, `$`, `@`, `-`, `+`) says more."""
SILENT = "*"
"""After a node's state: it does not answer."""
KEPT = ("$", "^")
"""After a node's state: it is in a reservation for maintenance, or its reboot has been issued."""
EXCLUDED = "%i %x"
"""For `squeue -o`: an element's name, and the nodes where it may not start, which `--Format` has no field for."""
PATTERNS = {**dict.fromkeys("AaJjNnstux", (0, 0)), "b": (24, 11), "r": (25, 11), "S": (25, 11)}
"""Letters that mean something behind a % in a log's name, and since when; before that they stand for themselves."""
NUMBERS = frozenset("AaJjnstbr")
"""Those that a width pads with zeros, where their value is a number."""
MOST_WIDTH = 10

ODD_WIDTHS_STAY_SINCE = (25, 11)
"""Before, of a width with no such letter behind it (`%12z`) the last digit alone was left."""
MADE_UP_NAME = "{workdir}/slurm-{raw}.out"
"""What squeue before 24.05 prints for a batch job that named no log, also for an element of an array, whose log has
another name."""
