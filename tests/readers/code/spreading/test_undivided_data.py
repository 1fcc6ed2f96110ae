"""Several processes whose data nothing deals out: each goes over all of them in every epoch."""

import pytest

RING = """
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
(x, y), rest = tf.keras.datasets.mnist.load_data()
net = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
net.compile(loss="mse", optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())))
net.fit(x, y, batch_size=100, epochs=3)
"""


@pytest.mark.parametrize("command", ["horovodrun -np 4 python ring.py", "mpirun -np 2 python ring.py"])
def test_keras_in_a_ring_goes_over_all_samples_in_each_process(read, command):
    assert read({"ring.py": RING}, command).total_steps == 1800


GROUP = """
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler, RandomSampler
{imports}

class Rows(Dataset):
    def __len__(self):
        return 960

dist.init_process_group("nccl")
net = DistributedDataParallel(torch.nn.Linear(4, 4).cuda())
best = torch.optim.SGD(net.parameters(), lr=0.1)
rows = Rows()
loader = DataLoader(rows, batch_size=8{more})
{after}
for epoch in range(5):
    for batch in loader:
        net(batch).sum().backward()
        best.step()
        best.zero_grad()
"""


@pytest.mark.parametrize(
    ("more", "after", "imports", "steps"),
    [
        (", sampler=DistributedSampler(rows)", "", "", 5 * 30),
        (", shuffle=True", "", "", 5 * 120),
        (", sampler=RandomSampler(rows)", "", "", 5 * 120),
        (
            "",
            "loader = accelerator.prepare(loader)",
            "from accelerate import Accelerator\naccelerator = Accelerator()",
            5 * 30,
        ),
    ],
)
def test_a_sampler_deals_samples_out_to_the_processes(read, more, after, imports, steps):
    program = GROUP.format(more=more, after=after, imports=imports)
    found = read({"group.py": program}, "torchrun --nproc_per_node=4 group.py")
    assert (found.batch_size, found.global_batch_size, found.epochs) == (8, 32, 5)
    assert found.total_steps == steps


def test_one_process_alone_has_all_its_batches(read):
    found = read({"group.py": GROUP.format(more="", after="", imports="")}, "torchrun --nproc_per_node=1 group.py")
    assert found.total_steps == 600
