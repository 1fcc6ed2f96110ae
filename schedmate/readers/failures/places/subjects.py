"""Name the machine that a sentence speaks of: watchers, controllers and launchers tell of others, not of their own."""

from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"
HOST = rf"(?P<host>{ADDRESS}|(?!v\d|[0-9a-f]{{16}})(?=[\w.-]{{0,60}}\d)[A-Za-z][\w.-]{{0,61}}\w)(?![\w\[*-])"

SUBJECTS = (
    late(rf'"(?:NodeName|nodeName|node_name|hostname)": ?"{HOST}"'),
    late(rf"\b[Rr]emote daemon *: \[\[\d{{1,9}},\d{{1,9}}\],\d{{1,9}}\] on node {HOST}"),
    late(rf"\bLocal information: server {HOST}"),
    late(rf"^\[console[ :]{HOST}\]"),
    late(
        rf"^(?:[\w.-]{{1,40}}(?:\[\d{{1,9}}\])?: )?(?:(?:bmc|ipmi|idrac|ilo)[-.])?{HOST}:? (?:\| )?[0-9a-f]{{1,4}} \| "
    ),
    late(rf"^{HOST} (?:ERROR|WARNING|FATAL|CRITICAL):? "),
    late(rf"(?i)\bhost(?:name)?[=:] ?\"?{HOST}"),
    late(rf"(?i)(?<!to )(?<!from )(?<!peer )(?<!by )\bnode(?:[ =:/]|: | name |name[=:] ?)[\"']?{HOST}"),
    late(rf"\bip: {HOST}"),
    late(rf"\(TID \d{{1,12}}(?:, |\) \(){HOST},? executor \d"),
    late(r"^(?:Normal|Warning) .{0,120} kubelet, (?P<host>[a-z0-9][a-z0-9.-]{1,62})(?= )"),
    late(rf"\({HOST}\)$"),
)
"""How they name it: in a field, after what it is, before a record of its board controller, in brackets at the end."""
CONTROLLER = late(r"^(?:bmc|ipmi|idrac|ilo)[-.](?=[\w.-]*\d)")

BLOCK_BYTES, BLOCK_LINES = 1024, 5
"""A launcher names who is lost some lines below what it says first."""
KILLED = late(r"^command terminated with exit code 137\b")
"""What kubectl says, above that, of the container in which the launcher's daemon ran."""
BLOCK_HEADS = late(r"lost communication with a(?: remote)? daemon")

WATCHERS = late(
    r"(?:^|[-.])(?:device-plugin|daemonset|exporter|dcgm|operator|problem-detector|csi|cni|kube-[a-z]+|fluent\w*|collector"
    r"|prometheus|alertmanager|health-?check\w*|node-agent)(?:[-.]|$)"
)
"""Pods that look after a cluster: a fault that they report is another's."""


def subject_of(item: Sighting, log: LogFile) -> str:
    """Give the machine that a line, or the block that it begins, speaks of; empty for what a process says of itself."""
    if item.raised or (item.failure and item.failure.category != "infrastructure"):
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
