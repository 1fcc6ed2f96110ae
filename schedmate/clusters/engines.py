"""Which engines `schedmate up` can drive; a new one is a folder with an `open_engine`, and one line here."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO

from schedmate.clusters.known_job import KnownJob
from schedmate.clusters.log_ends import KnowsEnds
from schedmate.clusters.managed import ManagedCluster, Wish
from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.schemas import Diagnosis

ENGINES = {
    "local": "schedmate.clusters.local.cluster",
    "ray": "schedmate.clusters.ray.cluster",
    "slurm": "schedmate.clusters.slurm.cluster",
}


def open_cluster(name: str, store: LiveStore, wish: Wish) -> ManagedCluster:
    """Open an engine; what it holds it books in the store."""
    if name not in ENGINES:
        raise InputError(f"there is no cluster '{name}'", f"there are: {', '.join(ENGINES)}")
    if name == "local" and (odd := wish.words.keys() - {"logs"}):
        raise InputError(f"the local cluster has no option '{min(odd)}'", "see: schedmate up --help")
    opened: ManagedCluster = import_module(ENGINES[name]).open_engine(store, wish)
    return opened


def look_up(name: str) -> KnownJob:
    """Ask for a job of an engine whose commands are here; Slurm's are the only ones that anybody may use so."""
    from schedmate.clusters.slurm.lookup import look_up as ask

    return ask(name)


def diagnose_pod(name: str, context: str, read: Callable[[str, str], Diagnosis]) -> Diagnosis:
    """Diagnose a pod of Kubernetes, with the rights of kubectl's context."""
    from schedmate.clusters.kubernetes.api import open_api
    from schedmate.clusters.kubernetes.diagnosing import diagnose_pod as diagnose

    with open_api(context) as api:
        return diagnose(api, name, read)


def open_log_ends(name: str, address: str = "") -> KnowsEnds:
    """Ask an engine, from now on, how the jobs of logs end."""
    if name == "ray":
        from schedmate.clusters.ray.log_ends import RayEnds

        return RayEnds(address)
    from schedmate.clusters.slurm.log_ends import SlurmEnds

    if name != "slurm":
        raise InputError(f"{name} is not asked how jobs end", "there are: slurm, ray")
    return SlurmEnds()


def logs_of_others(name: str) -> str:
    """Give the pattern of the logs that an engine keeps of jobs which were handed to it."""
    from schedmate.clusters.ray.log_ends import LOGS

    return {"ray": LOGS}[name]


def open_pod_logs(folder: Path, namespace: str, selector: str, context: str, once: bool) -> KnowsEnds:
    """Write the logs of pods into a folder, once or from now on, and know how their containers end."""
    from schedmate.clusters.kubernetes.pod_logs import PodLogs

    folder.mkdir(parents=True, exist_ok=True)
    opened = PodLogs(folder, namespace, selector, context)
    if once:
        opened.take_once()
    else:
        opened.start()
    return opened


def write_objects(file: IO[str], namespace: str, context: str, advance: Callable[[int, int], None]) -> tuple[str, ...]:
    """Write what Kubernetes knows of jobs; give what could not be read."""
    from schedmate.clusters.kubernetes.api import open_api
    from schedmate.clusters.kubernetes.listing import write_objects as write

    with open_api(context) as api:
        return write(api, namespace, file, advance)


def handed_in(engine_id: str, command: str) -> str:
    """Give what a job was handed in as, where its engine keeps scripts (`Can.scripts`); else its command."""
    from schedmate.clusters.slurm.scripts import handed_in as ask

    return ask(engine_id, command)


def write_accounting(file: IO[str], since_s: float, until_s: float, advance: Callable[[int, int], None]) -> None:
    """Write what Slurm's accounting knows of a span of time, as a table of sacct's."""
    from schedmate.clusters.slurm.accounting_export import write_table

    write_table(file, since_s, until_s, advance)


def identity_left(data_dir: Path) -> str:
    """Give the identity of the store whose runs have left folders in a data directory; empty where none tells."""
    from schedmate.clusters.local.folder_owner import identity_of

    return identity_of(data_dir / "jobs")
