"""How the work is spread over processes and devices."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_threads_of_a_package_for_their_norms_count_their_devices(read):
    program = """
        import torch
        from nets.sync_batchnorm import DataParallelWithCallback

        net = DataParallelWithCallback(torch.nn.Conv2d(3, 3, 3).cuda(), device_ids=[0, 1])
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(3):
            for x in torch.utils.data.DataLoader([], batch_size=6):
                net(x).sum().backward()
                optimizer.step()
    """
    job = read({"train.py": program}, "python train.py")
    assert (job.num_gpus, job.distributed, job.batch_size, job.global_batch_size) == (2, "DataParallel", 3, 6)


def test_a_class_named_as_jaxs_sharding_is_none(read):
    main = FIT_BATCHES + "class NamedSharding:\n    pass\nNamedSharding()\nfit(0.1, 3)\n"
    assert read({"main.py": main}, "python main.py").distributed == "none"


REPLICAS = """
import functools
import jax
import optax
from flax import jax_utils

tx = optax.adam(1e-3)

@functools.partial(jax.pmap, axis_name="batch")
def update(params, state, batch):
    grads = jax.grad(lambda p: p)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state

params = jax_utils.replicate({})
state = jax_utils.replicate(tx.init({}))
batch_size = 48
for step in range(50):
    params, state = update(params, state, range(batch_size))
"""


def test_replicas_of_jax_are_no_process_of_torch(read):
    found = read({"fit.py": REPLICAS}, "python fit.py")
    assert found.distributed == "JAX pmap"
    assert (found.num_gpus, found.total_steps) == (None, 50)


HEAD = """
from transformers import {head}, Trainer, TrainingArguments
model = {head}.from_pretrained("{name}")
Trainer(model=model, args=TrainingArguments("out")).train()
"""


def test_two_gpus_of_one_process_share_the_hugging_face_trainers_batch(read):
    files = {"run.py": HEAD.format(head="AutoModelForMaskedLM", name="roberta-base")}
    job = read(files, "CUDA_VISIBLE_DEVICES=0,1 python run.py")
    assert (job.distributed, job.num_gpus, job.batch_size, job.global_batch_size) == ("DataParallel", 2, 8, 16)


THREADS = """
import argparse
import torch

class SwapModel:
    def __init__(self, opt):
        self.net_g = Translator()
        self.net_g = torch.nn.DataParallel(self.net_g.cuda(), opt.gpu_ids)
        self.optimizer = torch.optim.Adam(self.net_g.parameters(), lr=opt.lr)

class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--dataroot", required=True)
parser.add_argument("--dataset_name", default="unaligned", help="how pictures are paired")
parser.add_argument("--gpu_ids", default="0")
parser.add_argument("--lr", type=float, default=0.1)
opt = parser.parse_args()
ids = opt.gpu_ids.split(",")
opt.gpu_ids = []
for one in ids:
    if int(one) >= 0:
        opt.gpu_ids.append(int(one))
model = SwapModel(opt)
for epoch in range(5):
    for data in torch.utils.data.DataLoader([], batch_size=4):
        model.net_g(data).sum().backward()
        model.optimizer.step()
"""


def test_threads_over_told_devices_count_them_and_one_device_is_no_spreading(read):
    one = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog")
    assert (one.num_gpus, one.distributed, one.batch_size, one.global_batch_size) == (1, "none", 4, 4)
    two = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog --gpu_ids 0,1")
    assert (two.num_gpus, two.distributed, two.batch_size, two.global_batch_size) == (2, "DataParallel", 2, 4)


LENDER = """
import torch

class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(3, 8, 3)
class Large(torch.nn.Module):
    def __init__(self, first):
        super().__init__()
        self.first, self.last = first, torch.nn.Conv2d(8, 8, 3)

lender = torch.nn.DataParallel(Small()).cuda()
lender.load_state_dict(torch.load("small.pt"))
model = MODEL
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
model(torch.ones(2)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(("model", "spread"), [("Large(None).cuda()", "none"), ("Small()", "DataParallel")])
def test_a_network_that_only_lends_its_weights_spreads_nothing(read, model, spread):
    assert read({"train.py": LENDER.replace("MODEL", model)}, "python train.py").distributed == spread


def test_a_network_that_may_be_wrapped_is_not_said_to_be_alone(read):
    code = """
        import torch
        import tideloops
        net = torch.nn.Linear(2, 2)
        if tideloops.told().many:
            net = torch.nn.DataParallel(net).cuda()
        optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
        net(torch.ones(2)).sum().backward()
        optimizer.step()
    """
    assert read({"go.py": code}, "python go.py").distributed is None
    assert read({"go.py": code.replace("DataParallel(net)", "Sequential(net)")}, "python go.py").distributed == "none"


ONE_OF_PADDLE = """
import paddle
net = paddle.nn.Linear(2, 2)
net = paddle.DataParallel(net)
adam = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
for epoch in range(3):
    net(paddle.ones([1, 2])).sum().backward()
    adam.step()
"""


@pytest.mark.parametrize(("gpus", "spread"), [("0", "none"), ("0,1", "PaddlePaddle data parallel")])
def test_a_wrapper_of_one_process_spreads_nothing(read, gpus, spread):
    command = f'python -m paddle.distributed.launch --gpus "{gpus}" train.py'
    assert read({"train.py": ONE_OF_PADDLE}, command).distributed == spread
