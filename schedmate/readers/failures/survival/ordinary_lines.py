"""Know the lines that say nothing of failing or ending: a process that prints them is at work."""

from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.scan import reads_like_error
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late_re2

WAY_OUT = late_re2(
    r"^(?:srun|slurmstepd|salloc|mpirun|mpiexec|prterun|wandb|kernel|systemd\S*|NVRM|raylet|pod/\S+)\b"
    r"|^(?:frame #\d+|Thread 0x\w+)\b"
    r"|torch/distributed/|torch\.distributed\.|launch\.py|site-packages/|closing signal"
    r"|^[-=*#+|_ .~]{4,}|^(?:Warning|Normal)  |^\w{3} \w{3} [ \d]\d|^File \"|NCCL (?:INFO|WARN)|^[~^]+$"
)
"""What launchers, schedulers and kernels print when a job ends: no sign of its life."""
STANDS_STILL = late_re2(
    r"(?i)\bno (?:new )?(?:steps?|progress)\b|\bstill waiting\b|\bwait(?:s|ing) (?:for|on|until)\b"
    r"|\bstep has not (?:moved|changed)\b"
)
"""What says that nothing happens is no sign of life."""

INFORMS = late_re2(r"^.{0,40}\b(?:INFO|DEBUG|info|debug)\b|^\[[ID] \d\d")


def is_ordinary(line: Line) -> bool:
    """Tell a line that says nothing of failing or ending."""
    if line.indent >= 2 or len(line.text) < 8 or reads_like_error(line.text) or WAY_OUT.search(line.text):
        return False
    if STANDS_STILL.search(line.text):
        return False
    if is_progress(line.text):
        return True
    found = ready_entries().match(line.text)
    return found is None or (not found[0].weight and found[0].role == "health")
