"""`tools/launch.py -n 8 -H hosts python fit.py`: trackers of parameter servers, which start workers on hosts.

MXNet has the tracker of dmlc-core, under a script of its own; that of DGL takes the trainer's command as one text.
A worker is a process with whatever devices it is told; which host it comes to is settled by the file of hosts.
"""

import posixpath

import re2

from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.launchers.launcher_options import take_launcher
from schedmate.readers.code.launchers.option_counts import whole_number
from schedmate.readers.code.launchers.script_lookup import find_script
from schedmate.readers.code.libraries.argument_words import told_words, word_text
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import Repository

NAMES = ("launch.py", "dmlc-submit", "submit.py")
TRACKER = re2.compile(r"(?m)^\s*(?:from|import) dmlc_tracker\b")

SYSTEMS = frozenset({"local", "ssh", "mpi", "sge", "yarn", "slurm", "mesos", "kubernetes"})
"""Where a tracker starts its workers."""

GRAPHS = ("num_trainers", "part_config", "ip_config")
"""What DGL's own script is always told."""


def tracked_command(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what a tracker starts: the words behind its options, or DGL's last word."""
    if launch.kind != "script" or posixpath.basename(launch.name) not in NAMES:
        return []
    told = told_words(launch.words[1:])
    if all(name in told for name in GRAPHS) and " " in word_text(launch.words[-1]):
        take_launcher("dgl.tools.launch", launch.words, launch)
        settle_hosts(repository, launch, told["ip_config"], None)
        return [text_of(launch.words[-1])]
    if not is_tracker(repository, launch, told):
        return []
    words = take_launcher("dmlc-submit", launch.words, launch)
    system = launch.options.get("dmlc.launcher") or launch.options.get("dmlc.cluster")
    if system is not None and system.data == "local":
        launch.nodes = Value(1, system.src)
    workers = launch.options.get("dmlc.n") or launch.options.get("dmlc.num_workers")
    hosts = launch.options.get("dmlc.H") or launch.options.get("dmlc.hostfile") or launch.options.get("dmlc.host_file")
    if hosts is not None and launch.nodes is None:
        settle_hosts(repository, launch, hosts, workers)
    return [InnerCommand(words=words)] if words else []


def is_tracker(repository: Repository, launch: Launch, told: dict[str, Value]) -> bool:
    """Tell a script that uses the tracker of dmlc-core; one that is not here by what it is told."""
    path = find_script(repository, launch)
    if path is not None:
        return bool(TRACKER.search(repository.readable_text(path) or ""))
    system = told.get("launcher") or told.get("cluster")
    counts = "n" in told or "num-workers" in told or "num_workers" in told
    return counts and system is not None and word_text(system) in SYSTEMS


def settle_hosts(repository: Repository, launch: Launch, named: Value, workers: Value | None) -> None:
    """Count the hosts of a file that is here, of which there may be fewer workers than hosts."""
    path = repository.find_file(word_text(named), launch.workdir)
    lines = (repository.readable_text(path) or "").splitlines() if path is not None else []
    hosts = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if path is None or not hosts:
        return
    count = whole_number(word_text(workers), workers.src) if workers is not None else Value(len(hosts))
    if isinstance(count.data, int):
        launch.nodes = Value(min(len(hosts), count.data), (*named.src, SourceLocation(path, 1)))
