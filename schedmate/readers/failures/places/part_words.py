"""Does a line bear out the part of the machine that somebody says is at fault?

It does where the catalogue says so, or where no entry knows the line and it names such a part and a trouble. Whether
the machine really is at fault is not decided here: such a line is a reason to look, and any other is none.
"""

from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.tools.late_patterns import late_re2

TROUBLE = late_re2(
    r"(?i)\b(?:un(?:correct|recover|reach|respons|health|expect)\w*|not|no|never|cannot|can't|lost|lack\w*|miss\w*|down|dead"
    r"|died|hung|hang\w*|stuck|stall\w*|full|fell|fallen|broken?|bad|ill|wrong|stale|fault\w*|fail\w*|err(?:or|no)?s?\d*"
    r"|fatal|panic\w*|abort\w*|kill\w*|crash\w*|corrupt\w*|throttl\w*|overheat\w*|violat\w*|time[sd]?[ -]?out|refus\w*"
    r"|reset|exceed\w*|out of|read-only|denied|drain\w*|evict\w*|reboot\w*|shut ?down|dropped|flap\w*|degraded"
    r"|mismatch\w*|\w*NotReady)\b"
)
PARTS = {
    "gpu": r"gpus?|cuda|nvrm|nvml|nvidia|ecc|hbm|dcgm|devices?|accelerators?|chips?|npus?|tpus?|hpus?|xpus?|rocm"
    r"|boards?|tiles?",
    "nvlink": r"nv-?links?|nv-?switch\w*|fabrics?|links?|switch(?:es)?",
    "network": r"networks?|\w*links?|ports?|nics?|hcas?|ib|infiniband|roce|rdma|nccl|sockets?|connections?|peers?"
    r"|hosts?|routes?|fabrics?|switch(?:es)?|cables?|interfaces?|transport|remote",
    "node": r"nodes?|hosts?|machines?|servers?|kernel|disks?|drives?|file ?systems?|mounts?|storage|memory|cpus?"
    r"|dimms?|i/o|power|fans?|clocks?|drivers?|daemons?|hardware|executors?|agents?|heartbeats?|inodes?",
}
PATTERNS = {part: late_re2(rf"(?i)(?:^|[^a-z])(?:{words})(?:$|[^a-z])") for part, words in PARTS.items()}


def speaks_of(line: str, part: str) -> bool:
    """Ask the catalogue first; words only where no entry knows better."""
    known = ready_entries().match(line)
    if known is not None and known[0].category == "infrastructure" and known[0].subcategory == part:
        return True
    is_else = known is not None and known[0].weight > 0 and not known[0].general
    return not is_else and bool(PATTERNS[part].search(line)) and bool(TROUBLE.search(line))
