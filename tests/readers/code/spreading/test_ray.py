"""Ray: what is sent to workers is followed; what trainers are told of workers is counted."""

import pytest


def ray_train(loop, scaling):
    return f"""
import torch
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model

def work(config):
{loop(4, wrap="model = prepare_model(model)", batch='config["size"]', epochs='config["epochs"]')}

trainer = TorchTrainer(work, train_loop_config={{"size": 8, "epochs": 2}}, scaling_config=ScalingConfig({scaling}))
trainer.fit()
"""


def test_ray_train_runs_its_function_on_the_workers(read, loop):
    found = read({"go.py": ray_train(loop, "num_workers=4, use_gpu=True")}, "python go.py")
    assert (found.is_training, found.num_gpus, found.distributed) == (True, 4, "DDP")
    assert (found.batch_size, found.global_batch_size, found.epochs) == (8, 32, 2)
    assert found.num_nodes is None


@pytest.mark.parametrize(
    ("scaling", "gpus", "batch"),
    [
        ("num_workers=2, use_gpu=True, resources_per_worker={'GPU': 2}", 4, 16),
        ("num_workers=6", 0, 48),
        ("num_workers=int(input()), use_gpu=True", None, None),
        ("num_workers=3, use_gpu=bool(input())", None, 24),
    ],
)
def test_gpus_of_workers_are_counted_where_they_are_told(read, loop, scaling, gpus, batch):
    found = read({"go.py": ray_train(loop, scaling)}, "python go.py")
    assert found.num_gpus == gpus
    assert found.global_batch_size == batch


def test_actors_and_remote_functions_are_followed(read, loop):
    program = f"""
import ray
import torch

@ray.remote(num_gpus=1)
class Worker:
    def __init__(self, epochs):
        self.epochs = epochs

    def fit(self):
{loop(8, epochs="self.epochs")}

@ray.remote
def start(epochs):
    workers = [Worker.options(num_cpus=4).remote(epochs) for index in range(2)]
    return ray.get([worker.fit.remote() for worker in workers])

ray.init()
ray.get(start.remote(7))
"""
    found = read({"go.py": program}, "python go.py")
    assert (found.is_training, found.epochs, found.optimizer) == (True, 7, "AdamW")
    assert found.num_nodes is None


def test_a_loop_over_workers_is_no_loop_of_training(read):
    program = """
import ray
import torch

@ray.remote
class Worker:
    def run(self):
        model = torch.nn.Linear(2, 2).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        while True:
            model(1).backward()
            optimizer.step()

for rank in range(8):
    Worker.remote().run.remote()
"""
    found = read({"go.py": program}, "python go.py")
    assert (found.is_training, found.total_steps, found.epochs) == (True, None, None)


def test_a_trainer_whose_workers_lie_further_out_still_trains_as_the_command_says(read):
    files = {
        "go.py": """
            import torch
            import yaml
            from far import group

            class PPOTrainer:
                def __init__(self, config):
                    self.workers = group(config)

                def fit(self):
                    for epoch in range(config["epochs"]):
                        self.workers.update()

            config = yaml.safe_load(open("a.yaml"))
            PPOTrainer(config).fit()
            """,
        "far.py": """
            import ray
            import opaque

            @ray.remote
            class Group:
                def update(self):
                    opaque.go()

            def group(config):
                return Group.remote()
            """,
        "a.yaml": "epochs: 4\nn_gpus_per_node: 8\nnnodes: 2\n",
    }
    found = read(files, "python go.py")
    assert found.is_training is True
    assert "what this trainer does lies further out" in found.evidence["is_training"][0].note
