"""Language models that start from weights, preferences, distillation, proteins; told data and models."""

import pytest

LOOP = (
    "net = {net}\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for batch in DataLoader(Words('x'), batch_size=4):\n    net(batch).sum().backward()\n    optimizer.step()\n"
)
DATA = (
    "import argparse, torch\nfrom torch.utils.data import DataLoader, Dataset\n"
    "class Words(Dataset):\n    def __init__(self, root):\n        self.rows = open(root).read().split()\n"
    "p = argparse.ArgumentParser()\np.add_argument('--train_data_dir')\n"
    "p.add_argument('--pretrained_model_name_or_path')\na = p.parse_args()\n"
)


def test_a_distillation_is_named_after_its_script(read):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    assert read({"run_distillation.py": code}, "python run_distillation.py").task_fine == "knowledge distillation"


@pytest.mark.parametrize(("title", "fine"), [("protein backbone generation", "protein structure generation")])
def test_proteins_are_no_graphs(read, title, fine):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    job = read({"train.py": code, "README.md": f"# folds: a model for {title}\n"}, "python train.py")
    assert (job.task, job.task_fine) == ("other", fine)


def test_a_model_that_the_command_names_is_not_named_after_the_script(read):
    net = "torch.nn.Module()"
    code = (
        DATA + "from diffusers import UNet2DConditionModel\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, path):\n        super().__init__()\n        self.a = torch.nn.Linear(2, 2)\n"
        + LOOP.format(net=net).replace(net, "Model(a.pretrained_model_name_or_path)")
    )
    command = "python textual_inversion.py --pretrained_model_name_or_path acme/stable-diffusion-v1-5"
    assert "stable-diffusion-v1-5" in str(read({"textual_inversion.py": code}, command).model_name)


@pytest.mark.parametrize(("asked", "kind"), [("settings.load().precision == 16", None), ("metrics[0] > 1", "fp32")])
def test_a_precision_that_is_read_from_lost_settings_is_open(read, asked, kind):
    code = (
        "import torch, settings\nmetrics = [2]\nprecision = metrics[0] / 3\nnet = torch.nn.LSTM(2, 2).cuda()\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nif {asked}:\n    print('half')\n"
        "for step in range(40):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    files = {"train.py": code, "settings.py": "import os\ndef load():\n    return eval(os.environ['SETTINGS'])\n"}
    assert read(files, "python train.py").precision == kind
