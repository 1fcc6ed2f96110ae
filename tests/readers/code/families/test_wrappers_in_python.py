"""Commands that programs put together as text and start: through shell scripts, with parts that stay open, or aside."""

import pytest

TRAIN = """
    import argparse

    import torch
    from torch.utils.data import DataLoader

    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--tag", default="")
    args = parser.parse_args()
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        for batch in DataLoader(list(range(8)), batch_size=args.batch):
            model(batch).sum().backward()
            optimizer.step()
    """
SCRIPT = """
    WORKDIR="your_checkout_path"
    RATE=${2}
    python ${WORKDIR}/train.py --batch ${1} --lr ${RATE}e-5 --epochs ${3} --tag ${4}
    """


def test_a_script_that_a_program_starts_with_formatted_arguments(read):
    files = {
        "train.py": TRAIN,
        "sh/one.sh": SCRIPT,
        "sh/start.py": """
            import os

            def command(batch, rate, epochs, name):
                return 'bash one.sh %d %d %d %s' % (batch, rate, epochs, name)

            os.system(command(48, 5, 15, '{}/{}_{:03d}.txt'.format('results', 'a', 7)))
            """,
    }
    found = read(files, "python start.py", "sh")
    assert (found.is_training, found.batch_size, found.learning_rate, found.epochs) == (True, 48, 5e-5, 15)
    assert found.optimizer == "AdamW"


def test_an_open_part_of_a_command_leaves_the_rest_known(read):
    files = {
        "train.py": TRAIN,
        "start.py": """
            import os
            import subprocess
            from datetime import datetime

            now = datetime.now().strftime("%d")
            words = ["python train.py", "--tag", f"run-{now}", "--batch", "6"]
            subprocess.run(" ".join(words) + f" --lr {1e-3:.0e} --epochs " + "{}".format(4), shell=True)
            """,
    }
    found = read(files, "python start.py")
    assert (found.batch_size, found.learning_rate, found.epochs) == (6, 1e-3, 4)


def test_an_open_word_of_a_command_does_not_move_the_others(read):
    files = {
        "train.py": TRAIN,
        "start.py": """
            import subprocess
            import sys
            import uuid

            subprocess.check_call(["python", "train.py", "--tag", str(uuid.uuid4())[:4] + "-x", "--batch", "6"])
            """,
    }
    assert read(files, "python start.py").batch_size == 6


def test_an_open_value_is_not_made_up(read):
    files = {
        "train.py": TRAIN,
        "start.py": """
            import os

            os.system("python train.py --batch " + os.environ["BATCH"] + " --epochs 3")
            """,
    }
    found = read(files, "python start.py")
    assert (found.is_training, found.batch_size, found.epochs) == (True, None, 3)


def test_what_a_training_starts_aside_is_not_the_job(read):
    files = {
        "train.py": TRAIN + "    import os\n    os.system('python evaluate.py --checkpoint last')\n",
        "evaluate.py": """
            import torch

            model = torch.load("last")
            with torch.no_grad():
                print(model.eval())
            """,
    }
    found = read(files, "python train.py --batch 5")
    assert (found.is_training, found.batch_size) == (True, 5)


WRAPPER = """
    import os

    command = "python train.py --batch 6 --lr 0.01 --epochs 4"
    os.system(command)
    """
PARALLEL = TRAIN.replace("optimizer =", "torch.distributed.init_process_group('nccl')\n    optimizer =").replace(
    "model = torch.nn.Linear(4, 4)", "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))"
)


def test_what_each_rank_starts_is_started_as_often(read):
    files = {"train.py": PARALLEL, "start.py": WRAPPER}
    found = read(files, "torchrun --nproc_per_node 4 start.py")
    assert (found.num_gpus, found.batch_size, found.global_batch_size, found.distributed) == (4, 6, 24, "DDP")
    alone = read({"train.py": TRAIN, "start.py": WRAPPER}, "python start.py")
    assert (alone.batch_size, alone.global_batch_size, alone.distributed) == (6, 6, "none")


def test_a_wrapper_that_starts_a_launcher_leaves_the_counting_to_it(read):
    files = {
        "train.py": PARALLEL,
        "start.py": WRAPPER.replace("python train.py", "torchrun --nproc_per_node 2 train.py"),
    }
    found = read(files, "srun --ntasks 1 python start.py")
    assert (found.num_gpus, found.global_batch_size) == (2, 12)


def test_a_long_list_of_words_is_made_text_one_by_one(read):
    files = {
        "train.py": TRAIN,
        "start.py": """
            import subprocess

            told = ["--tag", "a"] * 40 + ["--batch", 6, "--lr", 0.5, "--epochs", 3]
            subprocess.call(["python", "train.py"] + list(map(str, told)))
            """,
    }
    found = read(files, "python start.py")
    assert (found.batch_size, found.learning_rate, found.epochs) == (6, 0.5, 3)


@pytest.mark.parametrize("folder", ["..", "../", "Path(__file__).parent.parent", "work"])
def test_a_command_is_started_in_the_folder_that_the_program_names(read, folder):
    told = folder if "(" in folder else repr(folder)
    inner = "train.py" if folder != "work" else "../train.py"
    files = {
        "train.py": "print('not this one')",
        "work/train.py": "print('nor this one')",
        "jobs/train.py": TRAIN,
        "jobs/work/notes.txt": "a folder",
        "jobs/sh/start.py": f"""
            import subprocess
            from pathlib import Path

            subprocess.run(["python", "{inner}", "--batch", "6"], cwd={told}, check=True)
            """,
    }
    workdir = "jobs" if folder == "work" else "jobs/sh"
    found = read(files, "python sh/start.py" if folder == "work" else "python start.py", workdir)
    assert (found.is_training, found.batch_size) == (True, 6)


def test_a_folder_above_the_repository_is_counted_from_the_script(read):
    files = {
        "train.py": TRAIN,
        "sh/train.py": "print('not this one')",
        "sh/start.py": """
            import subprocess

            subprocess.call(["python", "train.py", "--batch", "6"], cwd="../")
            """,
    }
    assert read(files, "python sh/start.py").batch_size == 6
