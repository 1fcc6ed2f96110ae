"""Follow a program from its first line, and hand back everything that was seen on the way."""

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
