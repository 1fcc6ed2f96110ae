"""Logs in a folder: whose are they?"""

import gzip

import pytest

import schedmate
from schedmate.errors import InputError
from schedmate.readers.failures.job_logs.folder_jobs import jobs_in
from schedmate.readers.failures.job_logs.log_names import ranks_of

STEPS = "".join(f"step {step}/100 loss {3 - step / 100:.2f}\n" for step in range(1, 9))
BROKEN = "Traceback (most recent call last):\n  File \"train.py\", line 3, in main\nKeyError: 'lr'\n"
XID = "May  1 12:34:50 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n"


def at(hour, minute=0, text=STEPS):
    """Let a log begin at an hour, a line a second."""
    return "".join(
        f"2024-05-01 {hour:02}:{minute:02}:{second:02} {line}\n" for second, line in enumerate(text.splitlines())
    )


@pytest.fixture
def folder(tmp_path):
    def fill(logs):
        for name, text in logs.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return tmp_path

    return fill


def sorted_into(path):
    """Give the names of each job's logs, and whether that is sure."""
    found = jobs_in(str(path))
    names = [[file.removeprefix(f"{path}/") for file in job.paths] for job in found.jobs]
    return names, found.is_sure


@pytest.mark.parametrize(
    ("logs", "jobs", "sure"),
    [
        ({f"slurm-{n}.out": STEPS for n in (47, 48, 49)}, [["slurm-47.out"], ["slurm-48.out"], ["slurm-49.out"]], True),
        (
            {"train-7.out": STEPS, "train-7.err": BROKEN, "train-8.out": STEPS, "train-8.err": ""},
            [["train-7.err", "train-7.out"], ["train-8.out"]],
            False,
        ),
        (
            {"slurm-9.out": STEPS, "slurm-9.err": BROKEN, "slurm-10.out": STEPS},
            [["slurm-9.err", "slurm-9.out"], ["slurm-10.out"]],
            True,
        ),
        ({"slurm-7_1.out": STEPS, "slurm-7_2.out": STEPS}, [["slurm-7_1.out"], ["slurm-7_2.out"]], True),
        ({"train.o4711": STEPS, "train.e4711": BROKEN, "train.o4712": STEPS},
         [["train.e4711", "train.o4711"], ["train.o4712"]], True),
        ({f"a_{n}.log": f"SLURM_JOB_ID=3{n}\n{STEPS}" for n in range(2)}, [["a_0.log"], ["a_1.log"]], True),
        ({f"rank_{n}.log": STEPS for n in range(3)}, [["rank_0.log", "rank_1.log", "rank_2.log"]], True),
        ({f"r{n}/rank0.log": STEPS for n in (1, 2)}, [["r1/rank0.log"], ["r2/rank0.log"]], False),
        ({"slurm-5.out": STEPS, "r/rank0.log": STEPS, "r/rank1.log": STEPS},
         [["r/rank0.log", "r/rank1.log", "slurm-5.out"]], True),
        ({"llm-master-0.log": STEPS, "llm-worker-0.log": STEPS, "llm-worker-1.log": STEPS},
         [["llm-master-0.log", "llm-worker-0.log", "llm-worker-1.log"]], True),
        ({f"none_ab12cd3{n}/attempt_0/0/stderr.log": STEPS for n in (4, 5)},
         [[f"none_ab12cd3{n}/attempt_0/0/stderr.log" for n in (4, 5)]], True),
        ({"4711_x1y2z3ab/attempt_0/0/stderr.log": STEPS, "4712_x1y2z3ab/attempt_0/0/stderr.log": STEPS},
         [["4711_x1y2z3ab/attempt_0/0/stderr.log"], ["4712_x1y2z3ab/attempt_0/0/stderr.log"]], False),
        ({"a_0.log": at(9), "a_1.log": at(9)}, [["a_0.log", "a_1.log"]], False),
        ({"a_0.log": at(9), "a_1.log": at(9, 2)}, [["a_0.log"], ["a_1.log"]], True),
        ({"a_0.log.gz": at(9), "a_1.log.gz": at(15)}, [["a_0.log.gz"], ["a_1.log.gz"]], True),
        ({f"a_{n}.log": STEPS for n in range(4)}, [[f"a_{n}.log" for n in range(4)]], False),
        ({f"a_{n}.log": STEPS for n in (900, 1700)}, [["a_900.log"], ["a_1700.log"]], False),
        ({f"seed{n}.log": at(9) for n in range(2)}, [["seed0.log"], ["seed1.log"]], False),
        ({f"a_{n}.log": f"[rank0]: {STEPS}" for n in range(2)}, [["a_0.log"], ["a_1.log"]], True),
        ({"bert.log": STEPS, "gpt.log": BROKEN}, [["bert.log"], ["gpt.log"]], False),
        ({"bert.log": at(3), "gpt.log": at(8)}, [["bert.log"], ["gpt.log"]], True),
        ({"train.log": STEPS, "dmesg.txt": XID}, [["dmesg.txt", "train.log"]], True),
        ({"train.out": STEPS, "train.err": BROKEN}, [["train.err", "train.out"]], True),
    ],
)  # fmt: skip
def test_logs_are_sorted_into_jobs(folder, logs, jobs, sure):
    found, is_sure = sorted_into(folder(logs))
    assert (sorted(map(sorted, found)), is_sure) == (sorted(map(sorted, jobs)), sure)


def test_a_jobs_number_is_no_rank(folder):
    path = folder({"slurm-48213.out": STEPS, "slurm-48213.err": BROKEN})
    found = schedmate.diagnose(path, engine="built-in")
    assert found.root_rank is None
    assert found.job_id == "48213"


@pytest.mark.parametrize(
    ("names", "ranks"),
    [
        (["a/rank_3.log", "a/rank_900.log"], [3, 900]),
        (["a/0.log", "a/1.log"], [0, 1]),
        (["a/run-48211.out", "a/run-48212.out"], [None, None]),
        (["a/rank_3.log"], [None]),
        (["slurm-7.out", "slurm-7.err"], [None, None]),
    ],
)
def test_ranks_are_told_by_names(names, ranks):
    assert ranks_of(names) == ranks


def test_a_folder_of_several_jobs_is_never_read_as_one(folder):
    path = folder({"slurm-1.out": STEPS, "slurm-2.out": STEPS + BROKEN})
    with pytest.raises(InputError, match="logs of 2 jobs"):
        schedmate.diagnose(path, engine="built-in")
    causes = [schedmate.diagnose(logs, engine="built-in").failure_id for logs in schedmate.jobs_in(path)]
    assert causes == [None, "python.key_error"]
    assert schedmate.diagnose(path, engine="built-in", one_job=True).failure_id == "python.key_error"


def test_what_only_lies_beside_logs_is_none(folder):
    path = folder({"run": "#!/bin/sh\nexit 1\n", "README.txt": "x", "requirements.txt": "torch", "job": STEPS})
    assert sorted_into(path) == ([["job"]], True)
