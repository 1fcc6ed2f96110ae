"""Name the machine that a sentence speaks of: watchers, controllers and launchers tell of others, not of their own."""

from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"

NO_HOST = (
    r"(?!(?:v|rank|cuda|gpu|epoch|step|iter|worker|python|bond|team|eth|ib|eno|ens|enp|hsn|mlx\d_|nvme|dm-|md|loop|lo)[-_]?\d"
    r"|sd[a-z]\d*\b|[0-9a-f]{16})"
)
"""Versions, ranks, boards, adapters and disks: names that count something on a machine."""
HOST = rf"(?P<host>{ADDRESS}|{NO_HOST}(?=[\w.-]{{0,60}}\d)[A-Za-z][\w.-]{{0,61}}\w)(?![\w\[*-])"

SUBJECTS = (
    late(rf'"(?:NodeName|nodeName|node_name)": ?"{HOST}"'),
    late(rf"\b[Rr]emote daemon *: \[\[\d{{1,9}},\d{{1,9}}\],\d{{1,9}}\] on node {HOST}"),
    late(rf"\bLocal information: server {HOST}"),
    late(rf"^\[console[ :]{HOST}\]"),
    late(
        rf"^(?:[\w.-]{{1,40}}(?:\[\d{{1,9}}\])?: )?(?:(?:bmc|ipmi|idrac|ilo)[-.])?{HOST}:? (?:\| )?[0-9a-f]{{1,4}} \| "
    ),
    late(rf"^{HOST} (?:ERROR|WARNING|FATAL|CRITICAL):? {{1,4}}nhc\b"),
    late(rf"\bNEURON_HW_ERR=.{{0,200}}\bhostname={HOST}"),
    late(rf"(?i)(?<!to )(?<!from )(?<!peer )(?<!by )\bnode(?:[ =:/]|: | name |name[=:] ?)[\"']?{HOST}"),
    late(rf"\bip: (?P<host>{ADDRESS})(?![\w.])"),
    late(rf"\(TID \d{{1,12}}(?:, |\) \(){HOST},? executor \d"),
    late(r"^(?:Normal|Warning) .{0,120} kubelet, (?P<host>[a-z0-9][a-z0-9.-]{1,62})(?= )"),
    late(rf"\binstance/preempted\b.{{0,20}}\({HOST}\)$"),
)
"""How they name it: in a field, after what it is, before a record of its board controller, in brackets at the end."""
OF_KERNEL = late(r"(?:^|\s)kernel: |^NVRM: |\bXid \(|^(?:EXT4-fs|XFS|BTRFS|mlx5_core|nvme|mce|EDAC|Lustre\w*|nfs): ")
"""What a kernel says is of its own machine."""
TAG_CHARS = 64
CONTROLLER = late(r"^(?:bmc|ipmi|idrac|ilo)[-.](?=[\w.-]*\d)")

BLOCK_BYTES, BLOCK_LINES = 1024, 5
"""A launcher names who is lost some lines below what it says first."""
KILLED = late(r"^command terminated with exit code 137\b")
"""What kubectl says, above that, of the container in which the launcher's daemon ran."""
BLOCK_HEADS = late(r"lost communication with a(?: remote)? daemon")

WATCHERS = late(
    r"(?:^|-)(?:device-plugin|daemonset|exporter|operator|problem-detector|csi|cni|kube|fluent\w*|collector|prometheus"
    r"|alertmanager|agent)(?:-[a-z0-9-]{1,60})?-[bcdfghjklmnpqrstvwxz2456789]{5}$"
)
"""Pods that look after a cluster, with the letters that Kubernetes puts behind: they report the faults of others."""


def subject_of(item: Sighting, log: LogFile) -> str:
    """Give the machine that a line, or the block that it begins, speaks of; empty for what a process says of itself."""
    line = item.line
    of_process = line.rank is not None or (line.pid is not None and f"[{line.pid}]: " not in line.text[:TAG_CHARS])
    if item.raised or of_process or OF_KERNEL.search(line.text):
        return ""
    if item.failure and item.failure.category != "infrastructure":
        return ""
    rows = [item.line.text]
    if BLOCK_HEADS.search(item.line.text) or KILLED.search(item.line.text):
        below = log.window(item.start, item.start + BLOCK_BYTES).decode("utf-8", "replace").split("\n")
        rows += below[1 : 1 + BLOCK_LINES] if any(map(BLOCK_HEADS.search, below)) else []
    return next((match["host"] for pattern in SUBJECTS for row in rows if (match := pattern.search(row))), "")


def speakers_machine(name: str) -> str:
    """Give the machine that a speaker stands for: a board controller's own, none for a pod that looks after others."""
    return "" if is_watcher(name) else CONTROLLER.sub("", name)


def is_watcher(name: str) -> bool:
    """Tell a pod that only looks after others."""
    return WATCHERS.search(name) is not None
