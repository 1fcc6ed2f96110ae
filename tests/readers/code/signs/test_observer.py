"""Watch a program while it is followed, and keep the signs of training that no library's call gives."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

LOST = """
import torch
from elsewhere import make
model = make()
for x in torch.randn(100, 4):
    model.{call}
"""


@pytest.mark.parametrize(
    ("call", "trains"), [("optimize_parameters()", True), ("get_parameters()", None), ("train()", None)]
)
def test_a_method_that_optimizes_parameters_trains(read, call, trains):
    assert read({"go.py": LOST.format(call=call)}, "python go.py").is_training is trains


def test_a_loop_from_an_unseen_table_trains_if_it_gets_the_optimizer(read):
    program = f"""
{TORCH_HEAD}
from graphlib_of_others import loops

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
loops["{{name}}"](model, optimizer)
"""
    seen = read({"main.py": program.replace("loops", "train_dict")}, "python main.py")
    assert seen.is_training
    unsure = read({"main.py": program}, "python main.py")
    assert unsure.is_training is None, "a table of any loops is no proof"


WARMED_BY_HAND = """
import argparse
import math
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=1024)
parser.add_argument("--base-rate-of-weights", type=float, default=0.2)
args = parser.parse_args()


def adjust(optimizer, loader, step):
    warmup = 10 * len(loader)
    base = args.batch_size / 256
    if step < warmup:
        rate = base * step / warmup
    else:
        rate = base * 0.5 * (1 + math.cos(math.pi * step / (100 * len(loader))))
    optimizer.param_groups[0]["lr"] = rate * args.base_rate_of_weights


net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0)
loader = torch.utils.data.DataLoader([], batch_size=args.batch_size)
for epoch in range(100):
    for step, image in enumerate(loader, start=epoch * len(loader)):
        adjust(optimizer, loader, step)
        net(image).sum().backward()
        optimizer.step()
"""


def test_the_peak_of_a_schedule_written_by_hand_is_worked_out(read):
    job = read({"train.py": WARMED_BY_HAND}, "python train.py")
    assert job.learning_rate == pytest.approx(0.8)
    cosine = WARMED_BY_HAND.replace("rate = base * step / warmup", "rate = base * 0.5 * (1 + math.cos(step))")
    assert read({"train.py": cosine}, "python train.py --batch-size 512").learning_rate == pytest.approx(0.4)
    hidden = WARMED_BY_HAND.replace("args.batch_size / 256", "len(loader)").replace("args.base_rate_of_weights", "step")
    assert read({"train.py": hidden}, "python train.py").learning_rate is None


@pytest.mark.parametrize(("base", "answer"), [("", True), ("(torch.nn.Module)", None)])
def test_an_engine_of_the_projects_own_trains_where_it_is_told_to(read, base, answer):
    code = f"""
        import sys
        import torch
        import yaml
        settings = yaml.safe_load(open(sys.argv[1]))
        class Engine{base}:
            def prepare(self):
                self.loop = eval(settings["loop"])(self)
            def train(self, mode=True):
                self.loop.start()
        engine = Engine()
        engine.prepare()
        engine.train()
        """
    assert read({"tools/go.py": code}, "python tools/go.py <plan>").is_training is answer


def test_a_rate_that_is_multiplied_by_itself_and_a_part_has_no_peak_in_that_part(read):
    main = """
    import torch
    model = torch.nn.Linear(4, 2)
    def groups(rate):
        told = []
        for name, weights in model.named_parameters():
            more = {"lr": rate}
            if "weight" in name:
                more["lr"] = more["lr"] * 0.1
            told.append({"params": [weights], **more})
        return told
    optimizer = torch.optim.SGD(groups(float(input())))
    for step in range(9):
        model(torch.zeros(1, 4)).sum().backward()
        optimizer.step()
    """
    assert read({"main.py": main}, "python main.py").learning_rate is None
