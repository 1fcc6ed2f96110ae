"""What marks one run is masked, what changes the work is not; a resubmission is found by the rest."""

from contextlib import closing
from pathlib import Path

import pytest

from schedmate.history.admission import DAY_S, find_resubmissions
from schedmate.history.commands import normalise_command
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.schemas import Job, PastJob

SAME = [
    ("python t.py --seed 1", "python  t.py --seed 2"),
    ("python t.py --seed=1 +trainer.seed=9", "python t.py --seed=2 +trainer.seed=3"),
    ("python t.py --data_seed 1", "python t.py --data_seed 31"),
    ("python t.py --output_dir out/a", "python t.py --output_dir out/b"),
    ("python t.py --output-dir=/data/run_1", "python t.py --output-dir=/data/run_2"),
    ("python t.py --run_name first", "python t.py --run_name second"),
    ("python t.py --wandb-name a7", "python t.py --wandb-name b"),
    ("WANDB_RUN_ID=3kf02ma1 python t.py", "WANDB_RUN_ID=x python t.py"),
    ("python t.py trainer.logger.name=a", "python t.py trainer.logger.name=b"),
    ("torchrun --master_port 29500 t.py", "torchrun --master_port=29501 t.py".replace("=", " ")),
    ("torchrun --rdzv_endpoint=n1:29500 t.py", "torchrun --rdzv_endpoint=n7:29511 t.py"),
    ("python t.py --dist-url tcp://10.0.0.1:2345", "python t.py --dist-url tcp://10.0.0.9:2399"),
    ("python t.py logs/2024-05-01_12-30-00/c.yaml", "python t.py logs/2024-06-02_01-02-03/c.yaml"),
    ("python t.py conf-20240501.yaml", "python t.py conf-20240502.yaml"),
    ("python t.py runs/May01_12-30-00", "python t.py runs/Jun11_02-33-10"),
    ("python t.py --id 1714560000", "python t.py --id 1714561234"),
    ("python t.py --id 1b4e28ba-2fa1-11d2-883f-0016d3cca427", "python t.py --id 6fa459ea-ee8a-3ca4-894e-db77e160355e"),
    ("python t.py /tmp/tmpab12/c.yaml", "python t.py /tmp/tmpzz99/c.yaml"),
    ("python t.py /scratch/job_4711/c.yaml", "python t.py /scratch/job_4712/c.yaml"),
    ("python t.py > log1.txt 2>&1", "python t.py > log2.txt 2>&1"),
    ("python t.py 2>err1 | tee a.log", "python t.py 2>err2 | tee b.log"),
    ("sbatch -J one -o a-%j.out --job-name=x t.sh", "sbatch -J two -o b-%j.out --job-name=y t.sh"),
    ("bash -c 'python t.py --seed 1'", "bash -c 'python t.py --seed 2'"),
    ("python t.py --resume ckpt/step_100.pt", "python t.py --resume ckpt/step_900.pt"),
    ("CUDA_VISIBLE_DEVICES=0,1 python t.py", "CUDA_VISIBLE_DEVICES=4,5 python t.py"),
    ("python t.py SEED 3 OUTPUT_DIR out/a", "python t.py SEED 4 OUTPUT_DIR out/b"),
    ('python t.py --config \'{"lr":0.1,"seed":3}\'', 'python t.py --config \'{"lr":0.1,"seed":4}\''),
    ("python t.py --commit a81bc81d", "python t.py --commit 99fe0c1b"),
]

DIFFERENT = [
    ("python t.py --lr 1e-4", "python t.py --lr 1e-5"),
    ("python t.py --lr=0.0001", "python t.py --lr=0.0002"),
    ("python t.py --batch_size 16", "python t.py --batch_size 32"),
    ("python t.py --max_steps 1000000000", "python t.py --max_steps 2000000000"),
    ("python t.py --tokens 1500000000", "python t.py --tokens 1600000000"),
    ("python t.py SOLVER.BASE_LR 0.1", "python t.py SOLVER.BASE_LR 0.2"),
    ('python t.py --config \'{"lr":0.1,"seed":3}\'', 'python t.py --config \'{"lr":0.2,"seed":3}\''),
    ("python t.py --epochs 3", "python t.py --epochs 30"),
    ("python t.py --model gpt2", "python t.py --model gpt2-xl"),
    ("python t.py model.name=resnet50", "python t.py model.name=resnet101"),
    ("python t.py experiment=cifar", "python t.py experiment=imagenet"),
    ("python t.py conf/a.yaml", "python t.py conf/b.yaml"),
    ("python train.py", "python eval.py"),
    ("python t.py --rank 8", "python t.py --rank 64"),
    ("CUDA_VISIBLE_DEVICES=0,1 python t.py", "CUDA_VISIBLE_DEVICES=0 python t.py"),
    ("python t.py --data c4-000001", "python t.py --data c4-000002"),
    ("python t.py", "python t.py --resume a.pt"),
    ("torchrun --nproc_per_node=4 t.py", "torchrun --nproc_per_node=8 t.py"),
    ("python t.py llama-7b", "python t.py llama-13b"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_marks_of_a_run_are_masked(one, other):
    assert normalise_command(one) == normalise_command(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_changes_the_work_is_not(one, other):
    assert normalise_command(one) != normalise_command(other)


@pytest.mark.parametrize(
    "text", ["", "'", "a 'b", "--seed", "=", "-- ;|", "\0", "x" * 100_000, "a/" * 50_000, "1" * 30_000]
)
def test_any_text_has_a_normal_form(text):
    assert normalise_command(text) == normalise_command(text)


@pytest.mark.parametrize("piece", ["0-", "a0", "1.", ":1", "/tmp", "exp", "2024-", "May", "f0-", "job_", "' ", "> "])
def test_long_repeats_take_no_time(piece):
    import time

    started = time.process_time()
    normalise_command(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 10


def run(job_id, end_s=1000.0, **more):
    given = {
        "user": "ann",
        "workdir": Path("/code"),
        "command": "python t.py --seed 1",
        "git_branch": "main",
        "gpus": 8,
    }
    times = {"submit_s": end_s - 200, "start_s": end_s - 100, "end_s": end_s, "status": "completed"}
    return Job(job_id=job_id, **{**given, **times, **more})


@pytest.fixture
def connection(tmp_path):
    with closing(open_database(tmp_path)) as opened:
        yield opened


def found(connection, job, **more):
    return [past.job.job_id for past in find_resubmissions(connection, job, **more)]


def asked(**more):
    given = {"command": "python t.py --seed 5", "submit_s": 5000.0, "start_s": None, "status": "pending"}
    return run("new", **{**given, **more}).model_copy(update={"end_s": None})


def test_runs_of_the_same_thing_are_found_latest_first(connection):
    others = [
        run("user", user="bob"),
        run("dir", workdir=Path("/elsewhere")),
        run("command", command="python t.py --seed 1 --lr 3"),
        run("branch", git_branch="fix"),
        run("gpus", gpus=16),
        run("going", status="running"),
    ]
    same = [run("a", 1000.0), run("b", 2000.0), run("unknown branch", 1500.0, git_branch="")]
    add_jobs(connection, [PastJob(job=job) for job in [*others, *same]])
    assert found(connection, asked()) == ["b", "unknown branch", "a"]
    assert found(connection, asked(), limit=1) == ["b"]
    assert found(connection, asked(workdir=Path("/code/"))) == ["b", "unknown branch", "a"]
    assert found(connection, asked(), now_s=1999.0) == ["unknown branch", "a"]
    assert found(connection, asked(submit_s=1600.0)) == ["unknown branch", "a"]
    assert found(connection, asked(), now_s=2000.0 + 91 * DAY_S) == []
    assert found(connection, asked(command="")) == []
    assert found(connection, run("b", 2000.0), now_s=1e6) == ["unknown branch", "a"]


def test_a_history_of_one_job_and_of_none(connection):
    assert found(connection, asked()) == []
    add_jobs(connection, [PastJob(job=run("only"))])
    assert found(connection, asked()) == ["only"]
