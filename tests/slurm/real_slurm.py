"""A real Slurm of our own in a scratch folder: own ports, own munge key, own database; several may run side by side.

Nodes are slurmd processes on this machine, GPUs are null devices. It needs root and Debian's slurm-wlm, slurmdbd, munge
and mariadb-server. `python -m tests.slurm.real_slurm FOLDER` starts one, says how it is spoken to, and stops it at the
end of its input.
"""

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PROGRAMS = ("slurmctld", "slurmd", "slurmdbd", "munged", "mariadbd", "sbatch", "runuser")
PATHS = "/usr/sbin:/usr/bin:/sbin:/bin"
START_S = 180.0
"""Green, no wait is that long; on a machine that is busy with other things, a database alone may take a minute."""

SLURM_CONF = """
ClusterName=c{name}
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={at}/run/munge.socket,cred_expire=5
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=0
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0,requeue_setup_env_fail
GresTypes=gpu,shard
ReturnToService=0
SlurmctldPort={ctld}
SlurmctldPidFile={at}/run/slurmctld.pid
SlurmctldLogFile={at}/log/slurmctld.log
StateSaveLocation={at}/state
SlurmdPidFile={at}/run/slurmd-%n.pid
SlurmdLogFile={at}/log/slurmd-%n.log
SlurmdSpoolDir={at}/spool/%n
SlurmdParameters=config_overrides
SlurmctldTimeout=10
SlurmdTimeout=10
InactiveLimit=0
KillWait=1
MinJobAge={min_job_age}
Waittime=0
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePass={at}/run/munge.socket
AccountingStoragePort={dbd}
AccountingStorageTRES=gres/gpu,gres/shard
AccountingStoreFlags=job_comment
JobRequeue=1
{more}
NodeName={first}[1-{count}] {where} Port=[{ports}] {size} Gres=gpu:h100:{gpus},shard:{shards} State=UNKNOWN
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
"""
GRES_CONF = """
AutoDetect=off
NodeName={first}[1-{count}] Name=gpu Type=h100 File={at}/dev/nvidia[0-{last}]
NodeName={first}[1-{count}] Name=shard Count={shards}
"""
DBD_CONF = """
AuthType=auth/munge
AuthInfo=socket={at}/run/munge.socket
DbdHost=localhost
DbdPort={dbd}
SlurmUser=root
LogFile={at}/log/slurmdbd.log
PidFile={at}/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={sql}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm_acct_db
"""


def lacking():
    """Say why no Slurm can be started here; empty when one can."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=PATHS)]
    if missing:
        return f"{', '.join(missing)} not installed (apt-get install slurm-wlm slurmdbd munge mariadb-server)"
    return "" if os.geteuid() == 0 else "its daemons want root"


def free_ports(count):
    """Find ports in a row that nobody listens on, below those that the kernel gives to whoever asks for any."""
    for first in range(20_000 + secrets.randbelow(10_000), 32_000, count):
        held = []
        try:
            for port in range(first, first + count):
                held.append(socket.create_server(("127.0.0.1", port)))
            return first
        except OSError:
            continue
        finally:
            for one in held:
                one.close()
    raise OSError("no free ports")


class RealSlurm:
    """One cluster; its commands find it by SLURM_CONF."""

    def __init__(self, folder, nodes=4, gpus=8, first="gpu", more="", min_job_age=300):
        self.at = Path(folder).resolve()
        self.first, self.count, self.gpus = first, nodes, gpus
        self.nodes = [f"{first}{number}" for number in range(1, nodes + 1)]
        port = free_ports(nodes + 3)
        self.values = {
            "at": self.at, "name": port, "ctld": port, "dbd": port + 1, "sql": port + 2, "gpus": gpus, "last": gpus - 1,
            "ports": f"{port + 3}-{port + 2 + nodes}", "count": nodes, "first": first, "shards": 4 * gpus,
            "where": "NodeHostname=localhost NodeAddr=127.0.0.1",
            "size": "CPUs=16 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=64000",
            "password": secrets.token_hex(8), "more": more, "min_job_age": min_job_age,
        }  # fmt: skip
        self.conf = self.at / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.conf)}
        self.database = None
        self.environment["PATH"] = f"{os.environ.get('PATH', '')}:{PATHS}"

    def start(self):
        """Bring everything up, in order; whatever fails takes the rest down again."""
        try:
            self.write()
            self.start_munge()
            self.start_database()
            self.start_dbd()
            self.start_controller("-c")
            for node in self.nodes:
                self.start_node(node)
            self.until(lambda: {*self.run("sinfo", "-h", "-o", "%T").stdout.split()} == {"idle"}, "nodes are not idle")
        except BaseException:
            self.stop()
            raise
        return self

    def write(self):
        self.at.mkdir(parents=True, exist_ok=True)
        self.at.chmod(0o755)
        for name in (
            "run",
            "log",
            "state",
            "spool",
            "mysql",
            "tmp",
            "dev",
            "work",
            *(f"spool/{node}" for node in self.nodes),
        ):
            (self.at / name).mkdir(parents=True, exist_ok=True)
        (self.at / "work").chmod(0o777)
        for path, text in (("slurm.conf", SLURM_CONF), ("gres.conf", GRES_CONF), ("slurmdbd.conf", DBD_CONF)):
            (self.at / path).write_text(text.format(**self.values))
        (self.at / "slurmdbd.conf").chmod(0o600)
        for gpu in range(self.gpus):
            device = self.at / "dev" / f"nvidia{gpu}"
            if not device.exists():
                os.mknod(device, 0o666 | 0o020000, os.makedev(1, 3))
                device.chmod(0o666)

    def start_munge(self):
        key, run = self.at / "munge.key", self.at / "run"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        self.check(
            "munged", "--force", f"--key-file={key}", f"--socket={run}/munge.socket", f"--pid-file={run}/munged.pid",
            f"--log-file={self.at}/log/munged.log", f"--seed-file={run}/munge.seed", "--num-threads=2",
        )  # fmt: skip

    def start_database(self):
        folder, password = self.at / "mysql", self.values["password"]
        shutil.chown(folder, "mysql")
        shutil.chown(self.at / "tmp", "mysql")
        shutil.chown(self.at / "run", "mysql")
        self.check(
            "mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={folder}",
            "--auth-root-authentication-method=normal", "--skip-test-db", f"--tmpdir={self.at}/tmp", timeout=START_S,
        )  # fmt: skip
        setup = self.at / "mysql" / "setup.sql"
        setup.write_text(
            "create database slurm_acct_db;\n"
            f"create user slurm@'127.0.0.1' identified by '{password}';\n"
            "grant all on slurm_acct_db.* to slurm@'127.0.0.1';\n"
        )
        with (self.at / "log" / "mariadb.log").open("wb") as log:
            self.database = subprocess.Popen(
                ["mariadbd", "--no-defaults", "--user=mysql", f"--datadir={folder}", f"--port={self.values['sql']}",
                 f"--tmpdir={self.at}/tmp",  # in /tmp one that starts removes what another has there
                 f"--socket={self.at}/run/mysql.sock", f"--pid-file={self.at}/run/mariadbd.pid", "--skip-name-resolve",
                 "--bind-address=127.0.0.1", "--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900",
                 "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=0", f"--init-file={setup}"],
                stdout=log, stderr=log, start_new_session=True, env=self.environment,
            )  # fmt: skip
        self.until(lambda: can_connect(self.values["sql"]), "the database does not come up")

    def start_dbd(self):
        self.check("slurmdbd")
        self.until(lambda: can_connect(self.values["dbd"]), "slurmdbd does not come up")

    def start_controller(self, *options):
        self.check("slurmctld", *options)
        self.until(lambda: self.run("scontrol", "ping").returncode == 0, "slurmctld does not come up")

    def forget_jobs(self):
        """Let the controller forget all jobs, as it does of each after MinJobAge; numbers go on."""
        told = self.run("scontrol", "show", "config").stdout
        last = next(line.split("=")[1] for line in told.splitlines() if line.startswith("NEXT_JOB_ID"))
        text = re.sub(r"\nFirstJobId=\d+", "", self.conf.read_text())
        self.kill("slurmctld")
        self.conf.write_text(f"{text.rstrip()}\nFirstJobId={int(last)}\n")
        self.start_controller("-c")

    def start_node(self, node):
        self.check("slurmd", "-N", node)

    def pid(self, name):
        """Give a daemon's process, as it wrote it down."""
        return int((self.at / "run" / f"{name}.pid").read_text())

    def signal(self, name, number=signal.SIGTERM):
        """Signal one of our daemons."""
        os.kill(self.pid(name), number)

    def kill(self, name, number=9):
        """End one of our daemons, as hard as can be if nothing else is said, and wait until it has gone."""
        pid = self.pid(name)
        os.kill(pid, number)
        self.until(lambda: not Path(f"/proc/{pid}").exists(), f"{name} does not die")

    def stop(self):
        """End everything that we started, by their pid files."""
        with suppress(OSError, subprocess.SubprocessError):
            self.run("scancel", "--full", "-f", "--state=RUNNING", timeout=20)
            self.run("scancel", "--state=PENDING", timeout=20)
        for names in ([f"slurmd-{node}" for node in self.nodes], ["slurmctld"], ["slurmdbd"], ["mariadbd"], ["munged"]):
            self.end(names)

    def end(self, names):
        """End daemons, by force those that do not go in time."""
        pids = []
        for name in names:
            with suppress(OSError, ValueError):
                pids.append(self.pid(name))
                os.kill(pids[-1], signal.SIGCONT)
                os.kill(pids[-1], signal.SIGTERM)
        limit_s = time.monotonic() + 15
        for pid in pids:
            while Path(f"/proc/{pid}").exists() and time.monotonic() < limit_s:
                _ = self.database and self.database.poll()  # a child of ours stays until it is asked
                time.sleep(0.05)
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def run(self, *command, user="", timeout=60, **options):
        """Run a command that finds this cluster, as somebody else if they are named."""
        before = ["runuser", "-u", user, "--"] if user else []
        return subprocess.run(
            [*before, *map(str, command)], env={**self.environment, **options.pop("env", {})}, text=True,
            capture_output=True, timeout=timeout, check=False, cwd=options.pop("cwd", self.at / "work"), **options,
        )  # fmt: skip

    def check(self, *command, **options):
        """Run a command that must not fail; give what it said."""
        done = self.run(*command, **options)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def sbatch(self, script, *options, user="", **more):
        """Hand in a script; give the job's id."""
        text = f"#!/bin/bash\n{script}\n"
        said = self.check("sbatch", "--parsable", "-t", "60", *options, input=text, user=user, **more)
        return said.split(";")[0]

    def until(self, done, words="it never came to be", within_s=START_S):
        limit_s = time.monotonic() + within_s
        while not done():
            if time.monotonic() > limit_s:
                raise TimeoutError(f"{words}\n{self.tail()}")
            time.sleep(0.05)

    def tail(self):
        """Give the last that the controller wrote."""
        with suppress(OSError):
            return "\n".join((self.at / "log" / "slurmctld.log").read_text().splitlines()[-15:])
        return ""


def can_connect(port):
    """Tell whether somebody listens."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def main():
    cluster = RealSlurm(sys.argv[1]).start()
    try:
        print(f"export SLURM_CONF={cluster.conf}", flush=True)
        sys.stdin.read()
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
