"""What repositories that nobody had read taught: launchers, mappings, paths of other machines, evaluations."""

import pytest

LOOP = """
import torch
from torch.utils.data import DataLoader
def fit(lr, steps, data=range(9), batch=4):
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
    for step in range(steps):
        for x in DataLoader(data, batch_size=batch):
            net(x).sum().backward()
            optimizer.step()
"""


def test_processes_of_mindspore_are_counted_by_its_launcher(read):
    job = read({"train.py": LOOP + "fit(0.1, 5)\n"}, "msrun --bind_core=True --worker_num 8 python train.py")
    assert job.num_gpus == 8


@pytest.mark.parametrize("there", ["/scratch/someone/project/pack", "$HOME/code/pack", "~/pack", "${WORK}/a/pack"])
def test_a_configuration_is_found_by_its_path_on_another_machine(read, there):
    code = LOOP + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3, batch=cfg['size'])\n"
    files = {"pack/train.py": code, "pack/configs/base.yaml": "lr: 0.3\nsize: 11\n", "base.yaml": "lr: 9\n"}
    job = read(files, f"python {there}/train.py {there}/configs/base.yaml")
    assert (job.learning_rate, job.batch_size) == (0.3, 11)


@pytest.mark.parametrize("path", ["/elsewhere/base.yaml", "/up/../configs/base.yaml", "/etc/passwd"])
def test_another_machines_file_is_not_taken_for_one_of_the_same_name_alone(read, path):
    code = LOOP + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3)\n"
    job = read(
        {"train.py": code, "base.yaml": "lr: 0.3\n", "configs/base.yaml": "lr: 0.4\n"}, f"python train.py {path}"
    )
    assert job.learning_rate is None


def test_a_class_that_is_named_after_a_model_names_no_data(read):
    code = LOOP + (
        "from torch.utils.data import Dataset\nclass GPTDatasetV1(Dataset):\n"
        "    def __init__(self, text):\n        self.text = text\n"
        "    def __getitem__(self, at):\n        return self.text[at]\n"
        "fit(0.1, 3, GPTDatasetV1(open('/x').read()))\n"
    )
    assert read({"train.py": code}, "python train.py").dataset_name is None
