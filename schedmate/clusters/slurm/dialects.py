"""What differs between Slurm's versions, and what its words mean: data only.

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
SACCT = ("JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason", "Restarts")
SACCT_JOB = (
    "JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason", "Timelimit", "User", "WorkDir",
    "SubmitLine", "JobName", "Submit", "UID", "Partition", "AllocTRES",
)  # fmt: skip
"""All of one job. `SubmitLine` came with 21.08: before that, only what the controller still knows is looked up."""
SACCT_OLD = SACCT[:-1]
"""`Restarts` came with 23.02: asked for before that, sacct refuses the whole question."""
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
MODULO_SINCE = (24, 11)
"""Since this version `%b` in a log's name is the last digit of an element's index; before it stands there as it is."""
