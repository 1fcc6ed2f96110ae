"""What a program is told to do instead of training, and the trainer's options that it picks out of its own."""

import pytest

MODES = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--mode", choices=["train", "test", "export"])
args = parser.parse_args()
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
update = [lambda: (model(torch.rand(2, 3)).sum().backward(), optimizer.step())]
for step in range(9):
    update[0]()
"""


@pytest.mark.parametrize(("mode", "trains"), [("train", True), ("test", False), ("export", False)])
def test_a_mode_that_is_told_decides(read, mode, trains):
    workload = read({"job.py": MODES}, f"python job.py --mode {mode}")
    assert workload.is_training is trains
    assert (workload.learning_rate is None) is not trains


PICKS = {
    "main.py": """
    import inspect
    import hydra
    from lightning.pytorch import LightningModule, Trainer
    from omegaconf import OmegaConf
    import torch

    class Net(LightningModule):
        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=0.002)

        def training_step(self, batch, number):
            return batch.sum()

    @hydra.main(config_path=".", config_name="job")
    def main(cfg):
        told = OmegaConf.to_container(cfg)
        valid = inspect.signature(Trainer.__init__).parameters
        told = {name: told[name] for name in valid if name in told}
        told.update({"logger": None})
        Trainer(**told).fit(Net())

    main()
    """,
    "job.yaml": """
    name: mine
    max_epochs: 12
    devices: [0, 1]
    num_nodes: 1
    strategy: ddp
    precision: 16
    """,
}


def test_options_picked_by_the_trainers_signature(read):
    workload = read(PICKS, "python main.py num_nodes=2")
    assert (workload.epochs, workload.num_nodes, workload.num_gpus) == (12, 2, 4)
    assert (workload.distributed, workload.precision) == ("DDP", "fp16")
