"""Trainers behind Ray's remote classes: each object asks for its own GPUs, and the job takes them together."""

import pytest

LEARNER = """
import ray, torch
from torch.utils.data import DataLoader

{decorator}
class Learner:
    def __init__(self, lr):
        self.net = torch.nn.LSTM(3, 2).cuda()
        self.optimizer = torch.optim.RMSprop(self.net.parameters(), lr=lr)

    def fit(self, epochs):
        for epoch in range(epochs):
            for x in DataLoader(range(9), batch_size=16):
                self.net(x).sum().backward()
                self.optimizer.step()

ray.init()
{made}
ray.get([one.fit.remote(7) for one in learners])
"""


@pytest.mark.parametrize(
    ("decorator", "made", "gpus"),
    [
        ("@ray.remote(num_gpus=2)", "learners = [Learner.remote(0.2) for _ in range(3)]", 6),
        ("@ray.remote", "learners = [Learner.options(num_gpus=1).remote(0.2) for i in range(4)]", 4),
        ("", "learners = [ray.remote(num_gpus=1)(Learner).remote(0.2)]", 1),
        ("@ray.remote(num_gpus=torch.cuda.device_count())", "learners = [Learner.remote(0.2)]", None),
    ],
)
def test_the_gpus_of_remote_objects_are_counted_together(read, decorator, made, gpus):
    job = read({"train.py": LEARNER.format(decorator=decorator, made=made)}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs, job.optimizer) == (True, 0.2, 7, "RMSprop")
    assert (job.batch_size, job.num_gpus) == (16, gpus)


def test_what_ray_is_told_that_there_are_counts_before_what_its_objects_ask_for(read):
    main = """
    import ray
    import torch

    @ray.remote(num_gpus=0.5)
    class Player:
        def play(self):
            model = torch.nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for step in range(9):
                model(torch.zeros(1, 4)).sum().backward()
                optimizer.step()

    ray.init({told})
    players = [Player.remote() for place in range(4)]
    ray.get([player.play.remote() for player in players])
    """
    assert read({"main.py": main.replace("{told}", "num_gpus=3")}, "python main.py").num_gpus == 3
    assert read({"main.py": main.replace("{told}", "")}, "python main.py").num_gpus == 2
