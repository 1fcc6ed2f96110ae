"""How a job ended, in the words of each scheduler."""

from schedmate.schemas import JobStatus

WORDS: dict[JobStatus, str] = {
    "completed": "completed complete pass passed succeeded success terminated done finished exited successcriteriamet",
    "failed": "failed fail failure error out_of_memory oom oomkilled boot_fail launch_failed unsuccessful",
    "cancelled": "cancelled canceled killed stopped preempted revoked aborted deleted suspended_by_user",
    "timeout": "timeout timed_out deadline deadlineexceeded walltime",
    "node_fail": "node_fail node_failed nodelost nodeshutdown shutdown nodeaffinity evicted",
    "running": "running run completing stopping stage_out signaling resizing active",
    "pending": "pending waiting queued configuring suspended requeued requeue_hold requeue_fed special_exit"
    " resv_del_hold ready created",
}
STATUS = {word: status for status, words in WORDS.items() for word in words.split()}


def status_of(word: str) -> JobStatus:
    """Read a scheduler's word, as `CANCELLED by 1000`; what is not known stays unknown."""
    first = word.strip().lower().split(" ")[0].rstrip("+")
    return STATUS.get(first, "unknown")


def tells_more(word: str) -> bool:
    """Tell whether a word says more than the status it is counted under, as OUT_OF_MEMORY does."""
    plain = {*STATUS.values(), "pass", "succeeded", "success", "terminated", "complete", "killed", "unknown", ""}
    return word.strip().lower().split(" ")[0].rstrip("+") not in plain
