"""A real Slurm on this machine: munge, a controller, two nodes that are emulated, an urgent partition that preempts."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SETTINGS = """\
ClusterName=broken
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
ReturnToService=2
SlurmctldPort=17817
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
StateSaveLocation={folder}/state
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdSpoolDir={folder}/spool-%n
SlurmdParameters=config_overrides
KillWait=3
Waittime=0
NodeName=c[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[17821-17822] CPUs=16 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=c[1-2] Default=YES MaxTime=60 PriorityTier=1 State=UP
PartitionName=urgent Nodes=c[1-2] MaxTime=60 PriorityTier=9 State=UP
"""


def start_munge() -> None:
    """Start munge unless it answers already."""
    if subprocess.run(["munge", "-n"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        subprocess.run(["install", "-d", "-o", "munge", "-g", "munge", "-m", "755", "/run/munge"], check=True)
        subprocess.run(["runuser", "-u", "munge", "--", "munged"], check=True)


@contextmanager
def slurm(folder: Path) -> Iterator[None]:
    """Run a Slurm in `folder` and point this process and its children at it."""
    for name in ("state", "spool-c1", "spool-c2"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "slurm.conf").write_text(SETTINGS.format(folder=folder))
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    start_munge()
    subprocess.run(["slurmctld", "-c"], check=True)
    for name in ("c1", "c2"):
        subprocess.run(["slurmd", "-N", name], check=True)
    try:
        wait_until_idle()
        yield
    finally:
        for note in folder.glob("*.pid"):
            subprocess.run(["kill", note.read_text().strip()], check=False)


def wait_until_idle() -> None:
    """Wait until both nodes take jobs."""
    for _ in range(120):
        told = subprocess.run(
            ["sinfo", "-h", "-p", "main", "-o", "%T"], capture_output=True, text=True, check=False
        ).stdout
        if told.split() == ["idle"]:
            return
        time.sleep(0.5)
    raise RuntimeError(f"Slurm did not come up: {told}")
