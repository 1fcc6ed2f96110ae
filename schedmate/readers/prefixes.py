"""Know what launchers, collectors and kernels put before the lines of a job: its rank, its host, its process."""

import re

from schedmate.tools.late_patterns import late

HOST = r"(?P<host>[A-Za-z0-9][A-Za-z0-9_.-]{0,62})"

NOT_HOSTS = (
    r"(?!(?:(?:epoch|step|iter|iteration|layer|stage|phase|fold|batch|loss|acc|top|val|valid|train|test|rank|cuda|python|"
    r"py|http|https|float|int|uint|bf|fp|conv|block|level|task|seed|run|trial|attempt|try|v)[-_]?[\d.]+|gpu[-_]?\d): "
    r"|[\w.+-]{1,60}\.(?:py|sh|jl|lua|pl|exe|out|c|cc|cpp|cu|h|f90|json|ya?ml|toml|txt|csv|npy|npz|pth?|bin|h5|tar|gz|zip"
    r"|parquet|jpe?g|png|so(?:\.\d{1,4}){0,3}|[Ee]rror|[Ee]xception|[Tt]imeout|gaierror): |lua[\d.]{1,4}: "
    r"|(?:bond|team|eth|ib|docker|virbr|mlx[45]_|hfi1_|veth|cali|rdmap|en[opsx]\d)[\da-z]{1,15}: |slurmstepd-)"
)
"""Words that stand before a number and a colon without being a machine; gpu12 may be one, gpu0 hardly is.
Network interfaces are none: a kernel names them so. Nor are files, and exceptions that are written small (cv2.error).
A daemon of Slurm that has its host in its name is none, either."""

NO_COUNTS = (
    r"(?!(?:rank|gpu|cuda|epoch|step|iter|iteration|batch|fold|round|trial|run|seed|layer|stage|phase|attempt|try|v)"
    r"[-_]?\d)"
)

NUMBERED_HOST = r"(?P<host>(?=[A-Za-z._-]{1,40}\d)[A-Za-z][\w.-]{0,62})"
"""A machine's name, which mostly bears a number, where the rank or a kernel's clock stands behind it."""

INDENTED = r"(?=\S| {2}| [A-Za-z*%])"
SERVICE = late(r"(?P<host>[a-z0-9][\w.-]{0,62}?) {1,24}\| (?!\d\d/\d\d/\d\d|Pre-Init)")
NUMBERED = late(r" {0,5}(?P<rank>\d{1,5}): ")
MACHINE = late(rf"{NOT_HOSTS}(?P<host>\d{{1,3}}(?:\.\d{{1,3}}){{3}}|(?=[a-z._-]{{1,40}}\d)[a-z][a-z0-9._-]{{0,62}}): ")

LOOSE_PREFIXES = (SERVICE, NUMBERED, MACHINE)
"""What compose, srun --label, pdsh and clush put before a line; single lines of other kinds begin so too."""

PREFIXES: tuple[re.Pattern[str], ...] = (
    late(r"\[(?:rank|RANK|Rank)[ :=_-]?(?P<rank>\d{1,6})\]:? ?"),
    late(r"\((?:rank|RANK|Rank)[ :=_-]?(?P<rank>\d{1,6})\):? ?"),
    late(r"(?:rank|RANK|Rank)[ _-]?(?P<rank>\d{1,6})(?:: | ?\| ?)"),
    late(rf"{NO_COUNTS}{NUMBERED_HOST}[ /:][Rr]ank[ _-]?(?P<rank>\d{{1,6}})(?:: | ?\| ?)"),
    late(r"\[(?P<rank>\d{1,6})@(?P<host>[A-Za-z][\w.-]{0,62})\]:? ?"),
    late(r"\[(?:default|worker|trainer|worker_|node)_?(?P<rank>\d{1,6})\]:(?:\[rank(?P<global>\d{1,6})\]:)? ?"),
    late(r"\[1,(?P<rank>\d{1,6})\]<std(?:out|err|diag)>: ?"),
    late(r" {0,9}(?:[0-9a-f]{8} (?:\[rank=(?P<rank>\d{1,6})\] )?)?\|\| "),
    late(
        r"(?:[\w.-]{0,60}/){0,6}[\w-]{0,40}(?:rank|worker|task|proc)[_.-]?(?P<rank>\d{1,6})[\w-]{0,40}"
        r"\.(?:err|out|log):(?:\d{1,9}:)? ?"
    ),
    late(r"\[(?P<rank>\d{1,6})\]<std(?:out|err)>: ?"),
    late(
        r"\[prterun-[\w.-]{1,120}@\d{1,4},(?P<rank>\d{1,6})\](?:\[(?P<host>[\w.-]{1,63}):(?P<pid>\d{1,9})\])?"
        r"<std(?:out|err|diag)>: ?"
    ),
    late(r"\[1,mpirank:(?P<rank>\d{1,6}),(?P<host>algo-\d{1,5})\]<std(?:out|err)>: ?"),
    late(
        r"\([A-Za-z_][\w.:<>-]{0,80}?(?: [A-Z]{2}\d{1,4}){0,4}(?:, rank=\d{1,6})?,? pid=(?P<pid>\d{1,9})"
        r"(?:, ip=(?P<host>[\w.:-]{1,64}))?\) ?"
    ),
    late(r"\((?:raylet|gcs_server|autoscaler)(?:, ip=(?P<host>[\w.:-]{1,64}))?\) "),
    late(r"\[pod/(?P<host>[a-z0-9][a-z0-9.-]{0,252})/[a-z0-9-]{1,63}\] "),
    late(
        r"(?P<host>[a-z0-9][a-z0-9-]{0,200}-(?:worker|master|launcher|head|server|chief|ps)-\d{1,5}) "
        r"[a-z][a-z0-9-]{0,62} (?= ?\S|  )"
    ),
    late(r"[a-z0-9][a-z0-9.-]{0,252} (?=\d{4}-\d\d-\d\dT\d\d:\d\d:\S{3,30} std(?:out|err) [FP] )"),
    SERVICE,
    late(rf"{HOST}:(?P<pid>\d{{1,8}}):\d{{1,8}} \[(?P<gpu>-?\d{{1,3}})\] "),
    late(NUMBERED.pattern + INDENTED),
    late(MACHINE.pattern + INDENTED),
    late(
        r"(?!(?:INFO|WARN(?:ING)?|ERROR|FATAL|DEBUG|kernel|kmsg|dmesg|stdout|stderr|time|date|start|end)\b)"
        r"(?:\[(?=[A-Za-z._-]{1,60}\d))?(?P<host>[A-Za-z][\w.-]{0,62})(?: (?:kernel|kmsg|dmesg))?(?:: |\] )"
        r"(?=[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d "
        r"|\[(?: *\d{1,8}\.\d{6}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\] )"
    ),
    late(r"(?:kmsg|dmesg): (?=\[)"),
    late(rf"{NO_COUNTS}{NUMBERED_HOST} (?=\[ *\d{{1,8}}\.\d{{6}}\] )"),
    late(r"\[(?:[A-Z][a-z]{2} ?\d{1,2} \d\d:\d\d| {0,6}\+\d{1,6}\.\d{6})\] "),
    late(r"(?P<host>[A-Za-z0-9][\w.-]{0,62}) (?=kernel: )"),
    late(r"(?P<stream>std(?:out|err)) [FP] "),
    late(r"\[\d{1,19}/[\w-]{1,64}/\d{1,9} \(pid (?P<pid>\d{1,9})\)\] "),
    late(r"\[[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\] "),
    late(r"(?=[ \d]{6}\t)(?!\d{6}\t-?[\d.]+\t) {0,5}\d{1,6}\t"),
    late(r"(?:> )+(?=\S| {2})"),
)
"""What launchers put before a line. torchrun, srun --label, mpirun --tag-output, Determined, Ray, SkyPilot, kubectl
--prefix, compose, NCCL, pdsh and clush, grep over files named for ranks, dmesg -H, journals,
container runtimes, Metaflow, `cat -n`, mails that quote; in this order, each as often as it stands there."""

UNNAMED = re.compile(r"\(\?P<\w+>")

ANY_PREFIX = re.compile("|".join(f"({UNNAMED.sub('(?:', one.pattern)})" for one in PREFIXES))
"""All of them at once, a group each: most lines begin like none, and to try one after the other takes twice as long."""
HEAD_CHARS = 400

SURE_PREFIXES = tuple(one for one in PREFIXES if one is not SERVICE and not one.pattern.endswith(INDENTED))

RANK = late(r"\[(?P<rank>\d{1,5})\] ?(?=\S| {2})")
"""A rank as Intel's and MPICH's launchers write it; counters and footnotes look so, too."""
PROCESS = late(r"[\[(<]?(?P<host>[A-Za-z][\w.-]{0,62})[:/](?P<pid>\d{1,4})[\])>|]{1,2} {0,2}")
"""A host and the number of a process on it, as launchers write it that are told how to begin a line."""


def first_prefix(text: str) -> re.Match[str] | None:
    """Give the first prefix that a line begins with."""
    head = text[:HEAD_CHARS]
    found = ANY_PREFIX.match(head)
    return PREFIXES[found.lastindex - 1].match(head) if found and found.lastindex else None
