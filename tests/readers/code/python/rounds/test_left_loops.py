"""Loops over data that are left at a number of steps: the counter that their body raises, and the bound it meets."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, lasts

EPOCHS = """
def main():
    step = 0
    for epoch in range({epochs}):
        for place, rows in enumerate({data}):
            {before}
            work(rows)
            step += 1
            {after}
        {end}
main()
"""


@pytest.mark.parametrize(
    ("epochs", "data", "before", "after", "end", "found"),
    [
        (9, "known", "", "", "", (9, 99)),
        (9, "known", "", "if step >= 20: return", "", (None, 20)),
        (2, "known", "", "if step >= 20: return", "", (2, 20)),
        (9, "known", "", "if step >= 200: return", "", (9, 99)),
        (9, "known", "", "if step >= 20: break", "", (9, None)),
        (9, "known", "", "if step >= 20: break", "if step >= 20: break", (None, 20)),
        (9, "known", "", "if place >= 4: break", "", (9, 45)),
        (9, "known", "if place >= 4: break", "", "", (9, 36)),
        (9, "known", "if place >= 40: break", "", "", (9, 99)),
        (9, "known", "if place >= len(known): break", "", "", (9, 99)),
        (9, "known", "", "if rows.sum() > 4: break", "", (9, None)),
        (9, "known", "", "if place >= 4 and rows.sum() > 4: break", "", (9, None)),
        (9, "known", "if rows.size(0) < 4: continue", "", "", (9, 99)),
        (9, "known", "if len(rows) != batch_size: continue", "", "", (9, 90)),
        (9, "known", "if rows.shape[0] < args.batch_size: continue", "", "", (9, 90)),
        (9, "known", "if rows.max() < 4: continue", "", "", (9, 99)),
        (9, "unknown", "", "if step >= 20: return", "", (9, None)),
        (5000, "unknown", "", "if step >= 20: return", "", (None, 20)),
        (5000, "unknown", "", "if place >= 20: return", "", (5000, None)),
    ],
)
def test_loops_are_left_at_a_number_of_rounds(read, epochs, data, before, after, end, found):
    parts = [part or "pass" for part in (before, after, end)]
    code = EPOCHS.format(epochs=epochs, data=data, before=parts[0], after=parts[1], end=parts[2])
    assert lasts(read, code) == found


GATHERED = """
import math
from accelerate import Accelerator
accelerator = Accelerator(gradient_accumulation_steps=4)
model, optimizer, data = accelerator.prepare(model, optimizer, {data})
most, step = {most}, 0
each = math.ceil(len(data) / 4)
for epoch in range(math.ceil(most / each)):
    for rows in data:
        with accelerator.accumulate(model):
            accelerator.backward(model(rows).sum())
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            step += 1
        if step >= {end}:
            break
"""


@pytest.mark.parametrize(
    ("data", "most", "end", "found"),
    [
        ("known", 10, "most", (4, 10)),
        ("known", 10, "most - 8", (4, None)),
        ("known", 10, "most + 8", (4, 12)),
    ],
)
def test_a_counter_of_steps_ends_the_last_epoch(read, data, most, end, found):
    assert lasts(read, GATHERED.format(data=data, most=most, end=end)) == found


TOP = (
    TORCH_HEAD
    + """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=700)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""
)
BY_FLAG = """
class Log:
    def __init__(self):
        self.total_steps = 0

    def push(self):
        self.total_steps += 1

log = Log()
scaler = torch.cuda.amp.GradScaler(enabled=args.half)
total_steps = 0
going = True
while going:
    for number, data in enumerate(DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3)):
        scaler.scale(model(data).sum()).backward()
        scaler.step(optimizer)
        log.push()
        print(log.total_steps)
        total_steps += 1
        if total_steps > args.rounds:
            going = False
            break
"""


def test_a_loop_goes_on_until_its_flag_falls(read):
    workload = read({"train.py": TOP + BY_FLAG}, "python train.py --rounds 900")
    assert (workload.total_steps, workload.epochs) == (900, None)
