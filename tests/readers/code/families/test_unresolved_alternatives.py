"""What the run decides between is no answer: networks, records filled from a checkpoint, accumulation."""

GATHERED = """
import os
import torch

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
batch_size = 16
total = TOTAL
grad_accum_steps = total // batch_size
loader = torch.utils.data.DataLoader(torch.zeros(100, 4), batch_size=batch_size)
for batch in loader:
    for part in range(grad_accum_steps):
        model(batch).sum().backward()
    optimizer.step()
"""


def test_an_accumulation_that_the_run_works_out_leaves_the_whole_batch_open(read):
    job = read({"train.py": GATHERED.replace("TOTAL", "int(os.environ['TOTAL'])")}, "python train.py")
    assert (job.batch_size, job.global_batch_size) == (16, None)
    assert read({"train.py": GATHERED.replace("TOTAL", "64")}, "python train.py").global_batch_size == 64


JUDGED = """
import torch
from torch import nn

class MultiResSpecDiscriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(1, 8, 3)

made = torch.load("/data/made.pt")
judge = MultiResSpecDiscriminator()
optimizer = torch.optim.AdamW(judge.parameters(), lr=1e-3)
judge(made(torch.zeros(1, 1, 8))).sum().backward()
optimizer.step()
"""


def test_a_discriminator_under_any_name_does_not_name_the_job(read):
    job = read({"train.py": JUDGED}, "python train.py")
    assert (job.is_training, job.model_name, job.optimizer) == (True, None, "AdamW")
