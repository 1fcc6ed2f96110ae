"""The one large code base of the Mars-like set: three programs, their configurations, and many modules beside them."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path

MODELS = {
    # name: billions of parameters, layers, width
    "Qwen/Qwen2.5-0.5B": (0.5, 24, 896),
    "meta-llama/Llama-3.2-1B": (1.2, 16, 2048),
    "Qwen/Qwen2.5-3B": (3.1, 36, 2048),
    "mistralai/Mistral-7B-v0.3": (7.2, 32, 4096),
    "meta-llama/Llama-3.1-8B": (8.0, 32, 4096),
}
TUNING_DATA = ("tatsu-lab/alpaca", "databricks/databricks-dolly-15k", "OpenAssistant/oasst1")
PRETRAINING_DATA = ("allenai/c4", "openwebtext")
TESTS = ("cais/mmlu", "openai/gsm8k")
STEPS = {"pretrain": (2_000, 10_000), "finetune": (500, 3_000), "evaluate": (100, 400)}
MODULES = 240
MODULES_A_PACKAGE = 12

HEAD = '''"""{title}"""
import argparse

import torch
import yaml
from datasets import load_dataset
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer

from lumen.package_0.module_0 import warm_up
from lumen.package_3.module_5 import warm_up as warm_up_more


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--lr", type=float, default=2e-5)
    parser.add_argument("--micro-batch-size", type=int, default=4)
    parser.add_argument("--max-steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output-dir", default="out")
    return parser.parse_args()


def main():
    args = parse()
    with open(args.config) as file:
        config = yaml.safe_load(file)
    torch.manual_seed(args.seed)
    torch.distributed.init_process_group("nccl")
    tokenizer = AutoTokenizer.from_pretrained(config["model"]["name"])
    model = AutoModelForCausalLM.from_pretrained(config["model"]["name"], torch_dtype=torch.bfloat16).cuda()
    data = load_dataset(config["data"]["name"], split="train")
    loader = DataLoader(data, batch_size=args.micro_batch_size, shuffle=True)
'''
TRAIN = """    model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    step = 0
    while step < args.max_steps:
        for batch in loader:
            tokens = tokenizer(batch["text"], max_length=config["data"]["seq_length"], return_tensors="pt")
            loss = model(**tokens, labels=tokens["input_ids"]).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            step += 1
    warm_up(model)
    model.module.save_pretrained(args.output_dir)
"""
EVALUATE = """    model.eval()
    with torch.no_grad():
        for step, batch in enumerate(loader):
            tokens = tokenizer(batch["question"], max_length=config["data"]["seq_length"], return_tensors="pt")
            model.generate(**tokens)
            if step >= args.max_steps:
                break
    warm_up_more(model)
"""
END = """

if __name__ == "__main__":
    main()
"""
TITLES = {
    "pretrain": "Pre-train a language model.",
    "finetune": "Tune a model on instructions.",
    "evaluate": "Test it.",
}
MODULE = '''import torch
from torch import nn


class Block{number}(nn.Module):
    """One of the parts that experiments are put together from."""

    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mix = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        y, _ = self.attention(x, x, x)
        return self.norm(x + self.mix(y))


def warm_up(model, steps={number}):
    for step in range(steps):
        model.train()
    return steps
'''


def config_name(kind: str, model: str, data: str) -> str:
    """Name a configuration as its authors would."""
    return f"configs/{kind}/{model.split('/')[-1].lower()}_{data.split('/')[-1].lower()}.yaml"


def data_of(kind: str) -> tuple[str, ...]:
    """Give what a kind of job works on."""
    return {"pretrain": PRETRAINING_DATA, "finetune": TUNING_DATA, "evaluate": TESTS}[kind]


def write_codebase(root: Path) -> None:
    """Write programs, configurations and modules."""
    for kind in STEPS:
        body = EVALUATE if kind == "evaluate" else TRAIN
        write(root / f"{kind}.py", HEAD.replace("{title}", TITLES[kind]) + body + END)
        for model, data in product(MODELS, data_of(kind)):
            write(root / config_name(kind, model, data), config(kind, model, data))
    for number in range(MODULES):
        package = root / "lumen" / f"package_{number // MODULES_A_PACKAGE}"
        write(package / f"module_{number % MODULES_A_PACKAGE}.py", MODULE.replace("{number}", str(number)))
        write(package / "__init__.py", "")
    write(root / "lumen" / "__init__.py", "")


def config(kind: str, model: str, data: str) -> str:
    """Write one configuration."""
    length = 4096 if kind == "pretrain" else 2048
    sizes: Mapping[str, object] = {"name": model, "layers": MODELS[model][1], "width": MODELS[model][2]}
    lines = ["model:", *(f"  {key}: {value}" for key, value in sizes.items())]
    return "\n".join([*lines, "data:", f"  name: {data}", f"  seq_length: {length}", f"task: {kind}", ""])


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
