"""Who tries many settings one after the other says where the next run begins: the end of one is not that of the job."""

import pytest

from schedmate import diagnose

MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 768.00 MiB. GPU 0 has a total of 31.73 GiB"
STACK = [
    "Traceback (most recent call last):",
    '  File "/opt/acme/lib/wandb/agents/pyagent.py", line 306, in _run_job',
    "    self._function()",
    '  File "/home/acme/tune.py", line 220, in train',
    "    out = net(batch)",
]
AGENT = [
    "wandb: ERROR Run a7b8c9d0 errored:",
    *(f"wandb: ERROR {line}" for line in STACK),
    f"wandb: ERROR {MEMORY}",
    "wandb: Agent Starting Run: e1f2g3h4 with config:",
    "wandb: \tbatch_size: 128",
    "wandb: Syncing run deep-sweep-6",
]
HYDRA = ["[2031-04-05 10:00:00,123][HYDRA] \t#3 : lr=0.001 net=wide", "the set is read"]
STEPS = [f"  {n}%|#         | {n}/100 [00:0{n}<09:00,  9.54it/s]" for n in range(1, 8)]
KILLED = "/var/spool/job7/slurm_script: line 22: 1687 Killed                  python ./tune.py"
LIMIT = "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have been OOM Killed."
CANCELLED = "slurmstepd: error: *** JOB 7 ON kiln07 CANCELLED AT 2031-04-05T10:00:00 DUE TO TIME LIMIT ***"


def read(tmp_path, *lines):
    (tmp_path / "job.err").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.err")


@pytest.mark.parametrize("between", [AGENT, HYDRA])
@pytest.mark.parametrize(
    ("end", "category"), [([KILLED, LIMIT], "infrastructure"), ([CANCELLED], "other"), (["KeyError: 'lr'"], "script")]
)
def test_the_end_of_the_last_run_is_the_jobs(tmp_path, between, end, category):
    lines = [*STEPS, *STACK, MEMORY, *between, *end]
    found = read(tmp_path, *lines)
    assert found.category == category
    assert found.root_line > len(STEPS) + len(STACK) + 1


def test_what_ended_the_only_run_is_the_cause(tmp_path):
    lines = [AGENT[-3], *STEPS, *STACK, MEMORY, *AGENT[:7]]
    found = read(tmp_path, *lines)
    assert (found.category, found.root_line) == ("framework", len(STEPS) + len(STACK) + 2)


def test_runs_that_begin_together_are_no_boundary(tmp_path):
    begun = [f"[2031-04-05 10:00:00,123][HYDRA] \t#{n} : seed={n}" for n in range(4)]
    found = read(tmp_path, *begun, *STEPS, *STACK, MEMORY)
    assert (found.category, found.attempts) == ("framework", 1)


@pytest.mark.parametrize("between", [AGENT, HYDRA])
def test_a_run_that_is_at_work_is_no_start_of_the_one_before(tmp_path, between):
    found = read(tmp_path, *STACK, MEMORY, *between, *STEPS)
    assert (found.category, found.running_again_line) == ("none", None)


@pytest.mark.parametrize("between", [AGENT[3:], HYDRA])
def test_a_machine_that_broke_before_stays_told(tmp_path, between):
    broke = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
    found = read(tmp_path, *STACK, broke, *between, *STEPS)
    assert (found.category, found.root_line) == ("infrastructure", len(STACK) + 1)
