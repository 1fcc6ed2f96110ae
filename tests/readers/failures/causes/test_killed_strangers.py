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
