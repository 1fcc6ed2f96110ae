"""PyTorch-Ignite: steps that engines call, trainers that it makes itself, processes that it starts."""

import pytest

from tests.readers.code.programs import mnist_job

BY_HAND = """
    import torch
    from ignite.engine import Engine
    from torch.utils.data import DataLoader
    from torchvision.datasets import MNIST

    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def train_step(engine, batch):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
        return loss.item()

    def check_step(engine, batch):
        return model(batch[0]), batch[1]

    trainer, checker = Engine(train_step), Engine(check_step)
    train_loader = DataLoader(MNIST("data", train=True), batch_size=64, shuffle=True)
    checker.run(train_loader, max_epochs=1)
    trainer.run(train_loader, max_epochs=12)
"""
MADE = """
    import ignite.distributed as idist
    import torch
    from ignite.engine import create_supervised_trainer
    from torchvision.datasets import CIFAR10

    def training(local_rank, rate):
        model = idist.auto_model(torch.nn.Linear(3072, 10))
        optimizer = idist.auto_optim(torch.optim.Adam(model.parameters(), lr=rate))
        train_loader = idist.auto_dataloader(CIFAR10("data", train=True), batch_size=256, shuffle=True)
        loss = torch.nn.CrossEntropyLoss()
        trainer = create_supervised_trainer(
            model, optimizer, loss, amp_mode="amp", gradient_accumulation_steps=4, device=idist.device()
        )
        trainer.run(train_loader, max_epochs=5)

    with idist.Parallel(backend="nccl", nproc_per_node=4) as parallel:
        parallel.run(training, 0.002)
"""


def test_the_engine_whose_step_goes_backward_trains(read):
    workload = read({"train.py": BY_HAND}, "python train.py")
    assert workload.is_training
    assert (workload.epochs, workload.batch_size) == (12, 64)
    assert (workload.optimizer, workload.learning_rate) == ("SGD", 0.05)
    assert workload.framework == "PyTorch-Ignite, PyTorch"


def test_an_engine_that_only_checks_does_not_train(read):
    checks = BY_HAND.replace("    trainer.run(train_loader, max_epochs=12)\n", "")
    workload = read({"check.py": checks}, "python check.py")
    assert not workload.is_training
    assert workload.epochs is None


def test_a_trainer_that_ignite_makes_on_processes_that_it_starts(read):
    workload = read({"train.py": MADE}, "python train.py")
    assert workload.is_training
    assert (workload.epochs, workload.precision, workload.num_gpus) == (5, "fp16", 4)
    assert (workload.optimizer, workload.learning_rate) == ("Adam", 0.002)
    assert workload.distributed == "DDP"
    assert workload.extra["gradient_accumulation_steps"] == "4"


def test_a_workflow_of_monai_is_told_all_when_it_is_made(read):
    code = """
import torch
from monai.engines import SupervisedTrainer
net = torch.nn.Linear(2, 2)
loader = torch.utils.data.DataLoader(open_rows(), batch_size=4)
optimizer = torch.optim.Adam(net.parameters(), 0.25)
SupervisedTrainer(max_epochs=7, train_data_loader=loader, network=net, optimizer=optimizer).run()
"""
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate, job.batch_size) == (True, 7, 0.25, 4)


@pytest.mark.parametrize(("told", "steps"), [("", 250), ("epoch_length=7", 35), ("epoch_length=some()", None)])
def test_an_engine_of_ignite_runs_over_a_loader(read, told, steps):
    code = f"""
import torch
from ignite.engine import create_supervised_trainer
from torchvision.datasets import CIFAR10
loader = torch.utils.data.DataLoader(CIFAR10("here", train=True), batch_size=1000)
net = torch.nn.Linear(2, 2)
engine = create_supervised_trainer(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.nn.NLLLoss())
engine.run(loader, max_epochs=5, {told.lstrip(", ")})
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (5, steps)


ENGINE = """
from ignite.engine import Engine, Events
def step(engine, batch):
    x, y = batch
    STEP
trainer = Engine(step)
@trainer.on(Events.ITERATION_COMPLETED)
def stop(engine):
    if engine.state.iteration > 500:
        {end}
trainer.run(loader, max_epochs=5)
"""


@pytest.mark.parametrize(("end", "steps"), [("print(engine)", 4690), ("engine.terminate()", None)])
def test_an_engine_that_is_ended(read, end, steps):
    assert mnist_job(read, ENGINE.format(end=end)).total_steps == steps
