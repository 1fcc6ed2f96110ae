"""Values among others of their name: of the right loader, at the top of a configuration, of one device's share."""

import pytest

MODULE = """
    import pytorch_lightning as pl
    import torch
    from torch.utils.data import DataLoader

    class Net(pl.LightningModule):
        def __init__(self, rows=24, other=96):
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)
            self.rows, self.other = rows, other

        def setup(self, stage=None):
            self.start = self.rollout(DataLoader(load("start"), batch_size=self.other))

        def rollout(self, loader):
            return [self.layer(batch) for batch in loader]

        def training_step(self, batch, place):
            return self.layer(batch).sum()

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=1e-3)

        def train_dataloader(self):
            return self._loader(load("train"), self.rows)

        def val_dataloader(self):
            return self._loader(load("val"), self.other)

        def _loader(self, data, rows):
            return self._one(data, rows)

        def _one(self, data, rows):
            return DataLoader(data, batch_size=rows)

    pl.Trainer(max_epochs=3, devices=1, accelerator="gpu").fit(Net())
"""


def test_the_loader_that_the_hook_for_training_makes_counts(read):
    assert read({"learn.py": MODULE}, "python learn.py").batch_size == 24


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/one/work/deep/settings", "settings"),
        ("/home/one/deep/conf/all", "conf/all"),
        ("../settings", "settings"),
    ],
)
def test_settings_in_a_folder_of_another_machine_are_found_by_its_end(read, path, folder):
    program = f"""
        import hydra
        import torch

        @hydra.main(config_path="{path}", config_name="base")
        def main(cfg):
            net = torch.nn.Linear(2, 2)
            best = torch.optim.SGD(net.parameters(), lr=cfg.lr)
            for step in range(cfg.max_steps):
                net(torch.zeros(2)).sum().backward()
                best.step()

        main()
    """
    files = {"deep/learn.py": program, f"{folder}/base.yaml": "lr: 0.3\nmax_steps: 900\n"}
    found = read(files, "python deep/learn.py")
    assert (found.learning_rate, found.total_steps) == (0.3, 900)


def test_a_setting_at_the_top_comes_before_one_of_a_part(read):
    program = """
        import hydra
        import torch
        from elsewhere import Agent

        @hydra.main(config_path="settings", config_name="base")
        def main(cfg):
            Agent(cfg, torch.device("cuda")).run_training()

        main()
    """
    settings = "env:\n  args:\n    max_steps: 72\noptimizer: adam\nlr: 0.3\nmax_steps: 9000\n"
    found = read({"learn.py": program, "settings/base.yaml": settings}, "python learn.py optimizer=adam lr=0.2")
    assert found.total_steps == 9000


SHARED = """
    import argparse
    import torch
    from torch.utils.data import DataLoader

    parser = argparse.ArgumentParser()
    parser.add_argument("--per_gpu_train_batch_size", type=int, default=8)
    parser.add_argument("--train_batch_size", type=int, default=8)
    args = parser.parse_args()
    args.n_gpu = torch.cuda.device_count()
    {whole}
    net = torch.nn.Linear(2, 2).cuda()
    if args.n_gpu > 1:
        net = torch.nn.DataParallel(net)
    best = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(3):
        for batch in DataLoader(rows, batch_size=size):
            net(batch).sum().backward()
            best.step()
"""


@pytest.mark.parametrize(
    ("whole", "words", "batch"),
    [
        ("size = args.per_gpu_train_batch_size * max(1, args.n_gpu)", "--per_gpu_train_batch_size 10", None),
        ("size = args.train_batch_size", "--train_batch_size 10", 10),
    ],
)
def test_the_whole_batch_of_unknown_devices_is_unknown_where_each_has_a_share(read, whole, words, batch):
    found = read({"learn.py": SHARED.format(whole=whole)}, f"python learn.py {words}")
    assert (found.batch_size, found.global_batch_size) == (10, batch)


DRAWN = """
    import torch
    from tensorflow.examples.tutorials.mnist import input_data
    mnist = input_data.read_data_sets("MNIST_data")
    size = 48
    weights = torch.randn(784, 10, requires_grad=True)
    best = torch.optim.Adam([weights], lr=1e-3)
    for step in range(9000):
        rows, told = {call}
        (torch.from_numpy(rows) @ weights).sum().backward()
        best.step()
    {after}
"""


@pytest.mark.parametrize(
    ("call", "after", "batch"),
    [
        ("mnist.train.next_batch(size)", "", 48),
        ("mnist.train.next_batch(batch_size=size)", "mnist.test.next_batch(500)", 48),
        ("mnist.test.next_batch(size)", "", None),
        ("mnist.train.next_batch(pick())", "", None),
    ],
)
def test_what_a_step_asks_its_data_for_is_a_batch_and_a_torch_program_that_moves_nothing_is_on_the_cpu(
    read, call, after, batch
):
    found = read({"learn.py": DRAWN.format(call=call, after=after)}, "python learn.py")
    assert (found.batch_size, found.num_gpus, found.total_steps) == (batch, 0, 9000)
