"""Commands that programs put together as text and start: through shell scripts, with parts that stay open, or aside."""

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


def test_a_wrapper_that_starts_a_launcher_leaves_the_counting_to_it(read):
    files = {
        "train.py": PARALLEL,
        "start.py": WRAPPER.replace("python train.py", "torchrun --nproc_per_node 2 train.py"),
    }
    found = read(files, "srun --ntasks 1 python start.py")
    assert (found.num_gpus, found.global_batch_size) == (2, 12)
