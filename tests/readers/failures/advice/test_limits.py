"""What ran into a limit of its own is held, its owner told; nobody's node is blamed and nothing restarted in vain."""

import re

import pytest

from schedmate import diagnose
from schedmate.readers.failures.advice.headline import headline

STEPS = "".join(f"epoch 1 step {step} loss {3 - step / 100:.3f}\n" for step in range(10, 60, 10))
OWN = (
    "slurmstepd: error: Detected 1 oom_kill event in StepId=4711.batch. Some of the step tasks have been OOM Killed.",
    "srun: error: gpu-001: task 3: Out Of Memory",
    "slurmstepd: error: Step 4711.0 exceeded memory limit (68719476 > 67108864), being killed",
    "[ 812.1] Memory cgroup out of memory: Killed process 20419 (python3) total-vm:91234560kB, anon-rss:65012340kB",
    "Last State: Terminated, Reason: OOMKilled, Exit Code: 137",
    "Warning  Evicted  pod/train-0  Pod ephemeral local storage usage exceeds the total limit of containers 20Gi.",
    'Container train exceeded its local ephemeral storage limit "10Gi".',
    "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.",
    "=>> PBS: job killed: mem 68719476736kb exceeded limit 67108864kb",
    "ERROR YarnScheduler: Lost executor 7 on dn14: Container killed by YARN for exceeding memory limits. 12.1 GB of "
    "12 GB physical memory used.",
    "slurmstepd: error: *** JOB 4711 ON gpu-001 CANCELLED AT 2025-03-01T12:00:00 DUE TO TIME LIMIT ***",
    "Reason: DeadlineExceeded",
    "=>> PBS: job killed: walltime 86423 exceeded limit 86400",
    "TERM_RUNLIMIT: job killed after reaching LSF run time limit.",
    "TERM_WINDOW: job killed after queue run window closed.",
    "TERM_THREADLIMIT: job killed after reaching LSF thread limit.",
    "TERM_OWNER: job killed by owner.",
    "=>> PBS: job killed: ncpus 31.4 exceeded limit 16 (sum)",
    'job 4711 exceeds job hard limit "h_vmem" of queue "gpu.q@node07" (68719476736.0 > limit:67108864000.0)',
    "error: job 4711.1 exceeded hard wallclock time - initiate terminate method",
    "Error from slot1@node07: Job has gone over memory limit of 65536 megabytes. Peak usage: 65601 megabytes.",
    "OpenBLAS blas_thread_init: pthread_create failed for thread 12 of 64: Resource temporarily unavailable\n"
    "OpenBLAS blas_thread_init: RLIMIT_NPROC 4096 current, 4096 max",
    "systemd[1]: run-u123.scope: A process of this unit has been killed by the OOM killer.",
    "node17: FATAL: pod memory exceeds the memory limit of its cgroup, the process is ended",
    "ERROR: trainer exceeded its memory limit of 64 GB, stopping",
    "OSError: [Errno 122] Disk quota exceeded: '/home/lea/run/last.ckpt'",
    'RuntimeError: save failed: Os { code: 122, kind: FilesystemQuotaExceeded, message: "Disk quota exceeded" }',
)
NODES = (
    "[ 812.1] Out of memory: Killed process 20419 (python3) total-vm:91234560kB, anon-rss:65012340kB",
    "(raylet) 4 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons",
    "The node was low on resource: memory. Threshold quantity: 100Mi, available: 97Mi.",
    "=>> PBS: job killed: node 3 (node07) requested job terminate, 'EOF' (code 1099) - received SISTER_EOF",
    "WARN YarnAllocator: Container from a bad node: container_123 on host: node9. Exit status: 137.",
)


OF_MEMORY = re.compile(r"oom_kill|Out Of Memory|OOM|memory|PBS: job killed: mem|MEMLIMIT|h_vmem|quota")
"""Which of them are limits on main memory or what may be kept: of class node, though no node is to blame."""


@pytest.mark.parametrize("line", OWN)
def test_a_limit_of_the_jobs_own_is_held_and_its_owner_told(tmp_path, line):
    (tmp_path / "job.log").write_text(f"{STEPS}{line}\nsrun: error: gpu-001: task 3: Killed\n")
    found = diagnose(tmp_path / "job.log")
    of_memory = bool(OF_MEMORY.search(line))
    assert (found.category == "infrastructure") == of_memory
    assert found.subcategory == ("node" if of_memory else None)
    assert found.should_restart == "no"
    assert found.faulty_components == ()
    held = [] if "by owner" in line else ["hold"]  # what somebody ended does not come back by itself
    assert [action.kind for action in found.actions] == [*held, "notify"]
    assert found.actions[-1].target == "owner"


@pytest.mark.parametrize("line", NODES)
def test_a_machine_that_ran_short_is_still_the_machines(tmp_path, line):
    (tmp_path / "job.log").write_text(f"{STEPS}{line}\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.subcategory) == ("infrastructure", "node")


def test_whose_memory_it_was_is_not_said_so_operators_and_owner_are_told(tmp_path):
    (tmp_path / "job.log").write_text(f"{STEPS}{NODES[1]}\n")
    steps = [(action.kind, action.target) for action in diagnose(tmp_path / "job.log").actions]
    assert steps[-3:] == [("hold", "the job"), ("notify", "operators"), ("notify", "owner")]


def test_who_only_says_that_a_container_was_killed_does_not_say_at_whose_limit(tmp_path):
    (tmp_path / "job.log").write_text(f"{STEPS}{NODES[-1]}\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.failure_id, found.should_restart) == ("spark.container_killed", "yes")
    assert found.confidence < 0.8


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "slurmstepd: error: *** JOB 4711 ON gpu-001 CANCELLED AT 2025-03-01T12:00:00 DUE TO TIME LIMIT ***",
            "its time was over: give it more, or let it go on from a checkpoint",
        ),
        ("Reason: DeadlineExceeded", "its time was over: give it more, or let it go on from a checkpoint"),
        ("srun: error: gpu-001: task 3: Out Of Memory", "a restart would meet the same limit"),
        ("ValueError: bad shape", "a restart would fail again"),
    ],
)
def test_the_headline_says_what_a_restart_needs(tmp_path, line, told):
    (tmp_path / "job.log").write_text(f"{STEPS}{line}\n")
    assert headline(diagnose(tmp_path / "job.log")) == told


def test_the_limit_and_what_was_used_are_told(tmp_path):
    (tmp_path / "job.log").write_text(f"{STEPS}=>> PBS: job killed: mem 68719476736kb exceeded limit 67108864kb\n")
    assert "the limit was 67108864kb, used were 68719476736kb" in diagnose(tmp_path / "job.log").notes
