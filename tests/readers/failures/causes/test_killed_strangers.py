"""A process that the kernel killed beside the job explains nothing where the job says itself what it died of."""

import pytest

from schedmate import diagnose

STEPS = "".join(f"step {step}/1000 loss {3 - step / 100:.3f}\n" for step in range(30))
KILL = "{how}: Killed process 999 ({name}) total-vm:91234kB, anon-rss:65012kB, file-rss:0kB\n"
LIMIT, MACHINE = "Memory cgroup out of memory", "Out of memory"
STACK = 'Traceback (most recent call last):\n  File "/w/train.py", line 5, in <module>\n    model(x)\n'
OWN = f"{STACK}torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
TOLD = "srun: error: gpu-001: task 3: Killed\n"


@pytest.fixture
def cause(tmp_path):
    def told(text):
        (tmp_path / "job.log").write_text(STEPS + text)
        return diagnose(tmp_path / "job.log").failure_id

    return told


@pytest.mark.parametrize("how", [LIMIT, MACHINE])
def test_a_strangers_end_is_an_aside(cause, how):
    assert cause(KILL.format(how=how, name="firefox") + OWN) == "cuda.out_of_memory"


@pytest.mark.parametrize(
    "text",
    [
        KILL.format(how=LIMIT, name="python3") + OWN,  # called as jobs are
        KILL.format(how=LIMIT, name="reader") + OWN + TOLD,  # somebody was killed, says the launcher
        KILL.format(how=LIMIT, name="reader"),  # nothing else explains the end
        KILL.format(how=LIMIT, name="reader") + "RuntimeError: no stack\n",
    ],
)
def test_the_jobs_own_end_is_its_cause(cause, text):
    assert cause(text) == "limits.cgroup_memory"


FAULT = "Mar 14 01:27:18 kiln04 kernel: python3[2797]: segfault at 0 ip 00007f sp 00007f error 4 in libplum.so[7f+1]\n"
CANCELLED = "slurmstepd: error: *** STEP 77.0 ON kiln04 CANCELLED AT 2031-03-14T01:39:40 ***\n"
ASIDE = "Mar 14 01:2{}:00 kiln04 kernel: hrtimer: interrupt took 69074 ns\n"


def with_dump(end):
    return f"{end}\n{ASIDE.format(1)}{ASIDE.format(3)}{ASIDE.format(5)}{FAULT}"


def test_a_fault_that_only_the_kernel_tells_did_not_end_a_job_that_was_cancelled(cause):
    assert (
        cause(with_dump(f"{CANCELLED}srun: error: kiln04: tasks 0-3: Terminated\n")) == "scheduler.slurm_step_cancelled"
    )


@pytest.mark.parametrize(
    "end",
    [
        f"srun: error: kiln04: task 3: Segmentation fault (core dumped)\n{CANCELLED}",  # the launcher tells it, too
        "",  # nothing else explains the end
    ],
)
def test_a_fault_that_others_tell_or_nothing_else_explains_did(cause, end):
    assert cause(with_dump(end)) == "python.segfault"


REFUSED = (
    "Mar 14 01:27:18 kiln04 kernel: cgroup: fork rejected by pids controller in /kubepods/besteffort/pod628074f5\n"
)


@pytest.mark.parametrize(
    ("own", "root"),
    [("KeyError: 'plums'\n", "python.key_error"), ("RuntimeError: can't start new thread\n", "limits.processes")],
)
def test_a_pod_that_may_not_fork_may_be_anybodys_unless_the_program_may_not(cause, own, root):
    assert cause(f"{REFUSED}{STACK}{own}") == root


def test_a_fault_behind_the_last_step_is_what_the_job_was_cancelled_for(tmp_path):
    steps = [f"2031-03-14 02:0{n // 6}:{n % 6}0 INFO train: step {n}/1000 loss {3 - n / 100:.3f}" for n in range(30)]
    for moment, own in (("02:04:55", "python.segfault"), ("02:01:15", "scheduler.slurm_step_cancelled")):
        fault = f"[Fri Mar 14 {moment} 2031] python3[4122]: segfault at 0 ip 00007f12 sp 00007ffe error 4 in libplum.so"
        end = "slurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2031-03-14T02:34:56 ***"
        (tmp_path / "job.log").write_text("\n".join([*steps, fault, end]) + "\n")
        assert diagnose(tmp_path / "job.log").failure_id == own


def test_a_fault_stays_what_it_is_where_a_program_ended_by_itself_before_the_job_was_cancelled(cause):
    lost = (
        "torch.distributed.DistBackendError: NCCL error in: a.cpp:9, remote process exited or there was a network error"
    )
    assert cause(with_dump(f"{STACK}{lost}\n{CANCELLED}")) == "python.segfault"
