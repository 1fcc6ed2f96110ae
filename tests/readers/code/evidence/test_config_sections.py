"""Configuration files that a command chooses, those that they build on, and which of their sections mean training."""

import pytest

PARTS = {
    "pipeline.py": """
    import tomllib
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    with open("job.toml", "rb") as file:
        config = tomllib.load(file)

    def train(steps, batch_size):
        model = torch.nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        data = draw(batch_size)
        for step in range(steps):
            model(next(data)).sum().backward()
            optimizer.step()
        return model

    def draw(batch_size):
        while True:
            yield torch.rand(batch_size, 3)

    def sample(model, batch_size):
        return model(torch.rand(batch_size, 3))

    sample(train(**config["train"]), batch_size=config["sample"]["batch_size"])
    """,
    "job.toml": "[train]\nsteps = 40\nbatch_size = 16\n[sample]\nbatch_size = 9000\n",
}


def test_what_is_set_for_sampling_is_not_for_training(read):
    workload = read(PARTS, "python pipeline.py")
    assert (workload.batch_size, workload.total_steps) == (16, 40)


LOOKED_ON = """
import torch
import yaml
cfg = yaml.safe_load(open("conf.yaml"))
net = torch.nn.Linear(2, 1)
print(cfg["{section}"]["batch_size"])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in range(9):
    net(x).sum().backward()
    opt.step()
"""


@pytest.mark.parametrize(("section", "size"), [("callbacks", None), ("data", 4)])
def test_what_a_callback_is_told_is_not_what_the_training_is_told(read, section, size):
    files = {"go.py": LOOKED_ON.format(section=section), "conf.yaml": f"{section}:\n  batch_size: 4\n"}
    assert read(files, "python go.py").batch_size == size
