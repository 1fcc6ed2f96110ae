"""What the run decides between is no answer: networks, records filled from a checkpoint, accumulation."""

PICKED = """
import argparse
import json
import torch
from torch import nn

class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Conv2d(3, width, 3)

class Deep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(3, width)
        self.attention = nn.MultiheadAttention(8, 2)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
known = json.load(open("/data/models.json"))
if "wide" in known:
    kind = Wide
else:
    kind = Deep
model = kind(**known)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
for step in range(10):
    model(torch.zeros(1, 3)).sum().backward()
    optimizer.step()
"""


def test_one_of_several_networks_names_nothing(read):
    job = read({"train.py": PICKED}, "python train.py")
    assert (job.is_training, job.model_name, job.model_type) == (True, None, None)


def test_the_option_still_names_one_of_several_networks(read):
    job = read({"train.py": PICKED}, "python train.py --model ViT-B-32")
    assert (job.model_name, job.model_type) == ("ViT-B-32", "transformer")


SAVED = """
import json
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Config:
    vocab_size: int = 32768
    n_layer: int = 12
    n_head: int = 6
    n_embd: int = 768

class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.vocab_size, config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(config.n_embd, config.n_head)] * config.n_layer)

model = GPT(Config(KWARGS))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model(torch.zeros(1, 3)).sum().backward()
optimizer.step()
"""


def test_a_record_filled_from_what_is_not_known_has_no_defaults(read):
    assert read({"train.py": SAVED.replace("KWARGS", "")}, "python train.py").param_size == "135M"
    saved = SAVED.replace("KWARGS", "**json.load(open('/runs/meta.json'))")
    assert read({"train.py": saved}, "python train.py").param_size is None


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
