"""On which device and in which precision a program computes, where text and tables settle it; data that are read."""

import pytest

PROGRAM = """
    import random
    import torch
    from torch.utils.data import DataLoader, Dataset

    def load_sound(path):
        with open(path, "rb") as file:
            return torch.frombuffer(file.read(), dtype=torch.int16)

    class Crops(Dataset):
        def __init__(self, listing):
            self.files = listing

        def __getitem__(self, place):
            sound = load_sound(self.files[place])
            start = random.randint(0, len(sound) - 100)
            return sound[start:start + 100]

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.last = torch.nn.Linear(4, 2)

    {setup}
    model = Net()
    {move}
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        for x in DataLoader(Crops(["a.wav"]), batch_size=4, shuffle=True):
            loss = model(x).sum()
            loss.backward()
            optimizer.step()
    """


def program(setup="", move="model.cuda()"):
    """Give the program with its lines filled in."""
    return {"train.py": PROGRAM.format(setup=setup, move=move)}


@pytest.mark.parametrize(
    "move",
    [
        "model.to(torch.device('cuda:{}'.format(0)))",
        "model.to('cuda:{}'.format(random.choice([0, 1])))",
        "model.to(f'cuda:{random.choice([0, 1])}')",
        "model.to('cuda:%d' % random.choice([0, 1]))",
    ],
)
def test_a_device_whose_number_is_open_is_one(read, move):
    assert read(program(move=move), "python train.py").num_gpus == 1


def test_a_device_that_is_not_known_at_all_is_not_counted(read):
    assert (
        read(program(move="model.to('{}:0'.format(random.choice(['cpu', 'cuda'])))"), "python train.py").num_gpus
        is None
    )


@pytest.mark.parametrize(
    "setup",
    [
        "torch.set_default_dtype({'single': torch.float32, 'exact': torch.float64}['exact'])",
        "torch.set_default_tensor_type(torch.DoubleTensor)",
    ],
)
def test_double_precision_is_told_once_for_all(read, setup):
    assert read(program(setup), "python train.py").precision == "fp64"


def test_a_model_may_be_made_double(read):
    assert read(program(move="model.double()"), "python train.py").precision == "fp64"


def test_random_crops_of_what_is_read_are_no_synthetic_data(read):
    assert "synthetic" not in str(read(program(), "python train.py").dataset_name)


def test_a_script_may_be_named_from_above_the_clone(read):
    files = {f"tools/{name}": text for name, text in program().items()}
    files["job.sbatch"] = "#!/bin/bash\n#SBATCH --nodes=1\nsrun python my_clone/tools/train.py\n"
    assert read(files, "sbatch job.sbatch").epochs == 3


def test_what_lies_elsewhere_is_not_taken_from_here(read):
    files = {"other/train.py": program()["train.py"]}
    assert read(files, "python ../other/train.py --x 1").epochs is None


SEARCHED = """
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    model = torch.nn.Linear(4, 2)

    def fit(rate, epochs):
        optimizer = torch.optim.Adam(model.parameters(), lr=rate)
        for epoch in range(epochs):
            loss = model(torch.zeros(1, 4)).sum()
            loss.backward()
            optimizer.step()
        return float(loss)

    def find_lr():
        fit(args.lr, 1)
        return float(torch.rand(1))

    fit({rate}, 8)
    """


@pytest.mark.parametrize(("rate", "found"), [("find_lr()", None), ("args.lr", 1e-4)])
def test_a_rate_that_is_searched_for_is_open(read, rate, found):
    assert read({"train.py": SEARCHED.replace("{rate}", rate)}, "python train.py").learning_rate == found


def test_a_model_is_turned_to_a_type_and_a_device_at_once(read):
    code = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
model = Net().to("cuda", torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(1).sum().backward()
optimizer.step()
"""
    assert read({"train.py": code}, "python train.py").precision == "bf16"
