"""Programs that are started in odd ways: by a file with another's ending, as one that spawns, by gin's folders."""

SPAWN = """
import torch
import torch.multiprocessing as mp
def work(rank, size):
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).to(rank))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model(1)[0].sum().backward()
        optimizer.step()
size = torch.cuda.device_count()
mp.spawn(work, nprocs=size, args=(size,))
"""


def test_one_process_that_spawns_one_for_each_gpu_leaves_their_number_open(read):
    job = read({"train.py": SPAWN}, "torchrun --nproc_per_node=1 train.py")
    assert (job.is_training, job.num_gpus, job.num_nodes) == (True, None, 1)


TRAIN = """
import sys, torch
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]))
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_a_program_that_exits_with_what_its_main_gives_back_is_followed_first(read):
    body = TRAIN.lstrip("\n").replace("\n", "\n    ").replace("import sys, torch", "    import sys, torch")
    program = f"def main():\n{body}\nif __name__ == '__main__':\n    raise SystemExit(main())\n"
    job = read({"train.py": program}, "python train.py 0.3")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.3, 3)
