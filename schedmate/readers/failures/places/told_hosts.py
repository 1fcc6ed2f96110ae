"""Find the host in what a daemon puts before its words, in a prompt, and above a dump of a kernel's log."""

from itertools import islice

from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.kernel_dumps import by_machine
from schedmate.tools.late_patterns import late, late_re2

NAME = r"(?=[a-z._-]{1,40}\d)[a-z][a-z0-9._-]{1,62}"

DAEMONS = late(rf"\[[a-z][\w .-]{{1,40}}\] (?:\d{{4}}-\d\d-\d\d[T ][\d:.,]{{8,15}}\S{{0,6}} )?({NAME}): ")
"""How a daemon that watches many hosts says of which one it speaks."""
HEADS = late(
    r"(?i)\b(?:dmesg|journal(?:ctl)?|kernel (?:log|messages|ring buffer)|syslog|(?:ipmi-)?console|mmfs\.log\S{0,20})\b"
)
NAMED = late(rf"(?<![\w./@-])({NAME})(?![\w/])")
AT_PROMPT = late(r"^\[?[\w][\w.-]{0,30}@[\w.-]{1,63}[: ][^#$%]{0,120}[#$%] \S")

PROMPT = late(
    r"^\[?[\w][\w.-]{0,30}@(?!localhost\b)([A-Za-z][\w.-]{1,62})[: ][^#$%]{0,120}[#$%] (?:sudo )?"
    r"(?:/etc/init\.d/|/\S{0,60}/)?(?:nvidia-smi|rocm-smi|amd-smi|hl-smi|npu-smi|dmesg|journalctl|systemctl|service"
    r"|ib\w{2,10}|mlx\w{2,10}|lspci|df|mount|smartctl|zpool|zfs|modprobe|dcgmi|mcelog|ipmi\w{2,10}|pbs|slurmd|sge\w{1,8}"
    r"|munged?|nvidia-fabricmanager|mdadm|storcli\d{0,2}|lfs|lctl)\b(?! .{0,80}(?:-H |--host|@))"
)
"""A shell's prompt names the machine, where what was typed asks or tells the machine itself."""
PROMPT_LINES = 60
OF_A_MACHINE = frozenset({"node", "gpu", "nvlink", "network"})
DUMP_BYTES, MOST_LINES = 1 << 16, 400


NODE_FAILED = "DUE TO NODE FAIL"
"""How Slurm's daemon on a job's first node says that one of its nodes failed."""
FAILED = late_re2(
    r"(?:\bNodes? ([A-Za-z][\w.-]{0,60}\d[\w.-]{0,20}) not responding"
    r"|\b(?:on failed node|Node failure on) ([A-Za-z][\w.-]{0,60}\d[\w.-]{0,20})(?:\s|,|$))"
)
"""How Slurm's controller, and srun, say which node failed."""
NEAR_BYTES = 1 << 17


def failed_node(item: Sighting, own: FailureReading) -> str:
    """Give the node that failed where Slurm tells it beside: who says that a job ended by it runs on another."""
    near = own.log.window(max(0, item.start - NEAR_BYTES), item.start + NEAR_BYTES).decode("utf-8", "replace")
    nodes = {found[1] or found[2] for found in FAILED.finditer(near)}
    return nodes.pop() if len(nodes) == 1 else ""


def host_of_daemons_word(text: str) -> str:
    """Give the host that a daemon speaks of."""
    told = DAEMONS.match(text)
    return told[1] if told else ""


def host_around(item: Sighting, own: FailureReading) -> str:
    """Give the host whose log or whose prompt a line stands behind."""
    return host_above(item, own) or host_of_prompt(item, own)


def host_of_prompt(item: Sighting, own: FailureReading) -> str:
    """Give the machine at whose prompt a command was typed that then told of its own trouble."""
    failure = item.failure
    if (
        item.raised
        or failure is None
        or failure.category != "infrastructure"
        or failure.subcategory not in OF_A_MACHINE
    ):
        return ""
    rows = islice(own.log.lines_backward(item.start, own.part_of(item.start).start), PROMPT_LINES)
    texts = (own.cleaner.take(raw).text for raw in rows)
    typed = next((text for text in texts if AT_PROMPT.search(text)), "")
    told = PROMPT.search(typed)
    return told[1] if told else ""


def host_above(item: Sighting, own: FailureReading) -> str:
    """Give the host in the line above a dump, which tells whose log was asked for: a kernel's buffer names no host."""
    if item.line.host or not by_machine(item, own.log, own.cleaner):
        return ""
    rows = islice(own.log.lines_backward(item.start, max(0, item.start - DUMP_BYTES)), MOST_LINES)
    above = next((raw for raw in rows if not is_machines(raw, own.cleaner)), None)
    text = above.raw[:512].decode("utf-8", "replace") if above else ""
    named = NAMED.search(text) if HEADS.search(text) else None
    return named[1].rstrip(".-:") if named else ""
