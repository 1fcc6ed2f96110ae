"""Tell what ran a job, Slurm, Kubernetes or Ray, and under which number, so that only its commands are proposed."""

import os
from dataclasses import dataclass, field
from pathlib import PurePath

import re2

from schedmate.tools.late_patterns import late_re2

SIGNS: dict[str, tuple[bytes, ...]] = {
    "slurm": (b"slurmstepd", b"srun: ", b"salloc: ", b"SLURM_", b"StepId=", b"slurm_script"),
    "kubernetes": (
        *(b"[pod/", b"kubelet", b"KUBERNETES_", b".svc.cluster.local", b"PyTorchJob", b"kubectl ", b"OOMKilled"),
        *(b"ImagePullBackOff", b"ErrImagePull", b"default-scheduler", b"Reason:         Evicted", b"pod/"),
    ),
    "ray": (b"(raylet", b"ray.exceptions.", b"ray::", b"raysubmit_", b"ray/_private/", b"[state-dump]"),
}

WORKER = rb"\b[a-z0-9][a-z0-9-]*-(?:worker|master|launcher)-\d+:\d+:\d+ \["
"""A pod of a Kubeflow training job, as NCCL names it."""
RAY_WORKER = rb"\([A-Za-z_][\w.:<>-]*,? pid=\d+, ip="
JOB = rb"(?:\bJOB |\bSTEP |StepId=|SLURM_JOB_?ID[=: ]+|[Jj]ob allocation |Submitted batch job |srun: job )(\d{2,12})\b"
JOB_IN_NAME = late_re2(r"(?:^|[-_.])(\d{3,12})(?:[-_.]|$)")
FROM_ENVIRONMENT = {"SLURM_JOB_ID": "slurm", "KUBERNETES_SERVICE_HOST": "kubernetes", "RAY_JOB_ID": "ray"}


@dataclass(slots=True)
class Surroundings:
    """The systems that a log shows, each with the place that shows it, and Slurm's number of the job."""

    systems: dict[str, int] = field(default_factory=dict)
    job_id: str = ""

    def read(self, data: bytes, start: int) -> None:
        """Look through one part of a log."""
        for system, signs in SIGNS.items():
            place = min((found for sign in signs if (found := data.find(sign)) >= 0), default=-1)
            if place >= 0:
                self.systems.setdefault(system, start + place)
        if "slurm" not in self.systems and (match := re2.search(WORKER, data)):
            self.systems.setdefault("kubernetes", start + match.start())
        if match := re2.search(RAY_WORKER, data):
            self.systems.setdefault("ray", start + match.start())
        if not self.job_id and "slurm" in self.systems and (match := re2.search(JOB, data)):
            self.job_id = match[1].decode()

    def finish(self, path: str) -> None:
        """Take the number from the log's name where only that has it: slurm-4711.out."""
        name = PurePath(path).name
        if name.startswith("slurm-") and (match := JOB_IN_NAME.search(name)):
            self.systems.setdefault("slurm", 0)
            self.job_id = self.job_id or match[1]


def systems_around() -> tuple[str, ...]:
    """Say what runs this process: a wrapper diagnoses its own job."""
    return tuple(system for name, system in FROM_ENVIRONMENT.items() if os.environ.get(name))
