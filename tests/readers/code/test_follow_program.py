"""Follow a program from its first line, and hand back everything that was seen on the way."""

import pytest

from tests.readers.code.programs import WITH_OPTIONS


def test_an_open_value_is_not_made_up(read):
    files = {
        "train.py": WITH_OPTIONS,
        "start.py": """
            import os

            os.system("python train.py --batch " + os.environ["BATCH"] + " --epochs 3")
            """,
    }
    found = read(files, "python start.py")
    assert (found.is_training, found.batch_size, found.epochs) == (True, None, 3)


WRAPPER = """
    import os

    command = "python train.py --batch 6 --lr 0.01 --epochs 4"
    os.system(command)
    """
PARALLEL = WITH_OPTIONS.replace("optimizer =", "torch.distributed.init_process_group('nccl')\n    optimizer =").replace(
    "model = torch.nn.Linear(4, 4)", "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))"
)


def test_what_each_rank_starts_is_started_as_often(read):
    files = {"train.py": PARALLEL, "start.py": WRAPPER}
    found = read(files, "torchrun --nproc_per_node 4 start.py")
    assert (found.num_gpus, found.batch_size, found.global_batch_size, found.distributed) == (4, 6, 24, "DDP")
    alone = read({"train.py": WITH_OPTIONS, "start.py": WRAPPER}, "python start.py")
    assert (alone.batch_size, alone.global_batch_size, alone.distributed) == (6, 6, "none")


STARTS_INSTALLED = {
    "start.py": """
        import os
        import subprocess

        os.environ["SIZE"] = str(24)
        os.environ["RATE"] = str(3e-5)
        for seed in (1, 2):
            subprocess.run(f"allennlp train conf.jsonnet -s out{seed}", shell=True)
        """,
    "conf.jsonnet": """
        {
          "train_data_path": "https://example.org/files/data/river_words/train.jsonl",
          "data_loader": {"batch_size": std.parseInt(std.extVar("SIZE"))},
          "trainer": {"optimizer": {"type": "adamw", "lr": std.extVar("RATE")}, "cuda_device": 0},
        }
        """,
}


def test_an_installed_program_that_a_wrapper_starts_is_read_with_the_variables_that_it_inherits(read):
    found = read(STARTS_INSTALLED, "python start.py")
    assert (found.is_training, found.batch_size, found.learning_rate) == (True, 24, 3e-5)
    assert (found.optimizer, found.dataset_name) == ("AdamW", "river_words")


def test_a_tool_that_trains_nothing_is_not_the_job_that_a_wrapper_starts(read):
    start = """
        import subprocess

        words = open("words.txt").read().split()
        subprocess.Popen(words)
        subprocess.Popen(["tensorboard", "--logdir", "out"])
        """
    assert read({"start.py": start}, "python start.py").is_training is None


def test_what_a_loop_starts_and_waits_for_is_no_rank_of_a_job(read):
    found = read(STARTS_INSTALLED, "python start.py")
    assert (found.num_gpus, found.distributed) == (1, "none")
    beside = STARTS_INSTALLED["start.py"].replace("subprocess.run", "subprocess.Popen")
    assert read(STARTS_INSTALLED | {"start.py": beside}, "python start.py").num_gpus is None


ITSELF = {
    "train.py": """
        import subprocess
        import sys

        import hydra
        import torch
        from torch.nn.parallel import DistributedDataParallel

        def start_workers(args):
            count = torch.cuda.device_count()
            for rank in range(count):
                words = list(sys.argv) + [f"world_size={count}", f"rank={rank}"]
                subprocess.Popen([sys.executable] + words)

        def work(args):
            model = torch.nn.Linear(4, 2).cuda()
            if args.ddp:
                torch.distributed.init_process_group("nccl", world_size=args.world_size, rank=args.rank)
                model = DistributedDataParallel(model)
                args.batch_size //= args.world_size
            optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
            for epoch in range(args.epochs):
                for x in torch.utils.data.DataLoader([0.0], batch_size=args.batch_size):
                    loss = model(x).sum()
                    loss.backward()
                    optimizer.step()

        @hydra.main(config_path="conf/config.yaml")
        def main(args):
            if args.ddp and args.rank is None:
                start_workers(args)
            else:
                work(args)

        main()
        """,
    "conf/config.yaml": "ddp: false\nrank:\nworld_size:\nlr: 3e-4\nepochs: 70\nbatch_size: 96\n",
}


def test_a_program_that_starts_itself_for_each_gpu_is_followed_as_the_first_of_them(read):
    found = read(ITSELF, "python train.py ddp=1 epochs=5")
    assert (found.is_training, found.epochs, found.learning_rate, found.optimizer) == (True, 5, 3e-4, "Adam")
    assert (found.distributed, found.num_gpus, found.global_batch_size) == ("DDP", None, 96)


def test_the_same_program_started_plainly_is_one(read):
    found = read(ITSELF, "python train.py")
    assert (found.distributed, found.num_gpus, found.batch_size) == ("none", 1, 96)


def test_an_open_word_of_a_command_does_not_move_the_others(read):
    files = {
        "train.py": WITH_OPTIONS,
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
        "train.py": WITH_OPTIONS + "    import os\n    os.system('python evaluate.py --checkpoint last')\n",
        "evaluate.py": """
            import torch

            model = torch.load("last")
            with torch.no_grad():
                print(model.eval())
            """,
    }
    found = read(files, "python train.py --batch 5")
    assert (found.is_training, found.batch_size) == (True, 5)


def test_a_wrapper_that_starts_a_launcher_leaves_the_counting_to_it(read):
    files = {
        "train.py": PARALLEL,
        "start.py": WRAPPER.replace("python train.py", "torchrun --nproc_per_node 2 train.py"),
    }
    found = read(files, "srun --ntasks 1 python start.py")
    assert (found.num_gpus, found.global_batch_size) == (2, 12)


def test_of_a_server_of_parameters_and_its_workers_a_worker_is_the_job(read):
    worker = """
        import argparse
        import tensorflow as tf
        p = argparse.ArgumentParser()
        p.add_argument("--job_name")
        args = p.parse_args()
        server = tf.train.Server({"ps": [], "worker": []}, job_name=args.job_name)
        if args.job_name == "ps":
            server.join()
        else:
            step = tf.train.AdamOptimizer(0.002).minimize(tf.reduce_mean(tf.get_variable("w", [4])))
            with tf.Session(server.target) as session:
                for i in range(700):
                    session.run(step)
        """
    start = "import os\nfor role in ('ps', 'worker'):\n    os.system(f'python work.py --job_name={role}')\n"
    job = read({"start.py": start, "work.py": worker}, "python start.py")
    assert (job.is_training, job.learning_rate) == (True, 0.002)


ENDS = {
    "both.py": """
        import shutil, subprocess, sys
        before = ["stdbuf", "-oL"] if shutil.which("stdbuf") is not None else []
        def server():
            return before + [sys.executable, "-m", "ends.server_main", "--rounds", "30"]
        def client(place):
            return before + [sys.executable, "-m", "ends.client_main", "--lr", "0.25"]
        subprocess.Popen(server())
        for place in range(4):
            subprocess.Popen(client(place))
    """,
    "ends/server_main.py": "import torch\nprint(torch.load('sum'))\n",
    "ends/client_main.py": """
        import argparse, torch
        parser = argparse.ArgumentParser()
        parser.add_argument("--lr", type=float)
        net = torch.nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=parser.parse_args().lr)
        net(torch.ones(3)).sum().backward()
        optimizer.step()
    """,
}


@pytest.mark.parametrize(
    "command", ["python both.py", "python ends/server_main.py & python ends/client_main.py --lr 0.25"]
)
def test_of_a_server_and_its_clients_a_client_is_the_job(read, command):
    job = read(ENDS, command)
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 0.25, "SGD")
