"""How fast a job is read from its source, and how little of a repository it takes: on repositories made for this."""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks import Figure
from schedmate.graphs.extract import run_extract
from schedmate.tools.file_tree import file_tree
from schedmate.tools.reading_trace import CHARACTERS_A_TOKEN
from schedmate.tools.repository import Repository

RUNS = 7
MODULES_A_PACKAGE = 25

TRAIN = """
import argparse
import torch
import yaml
from torch.utils.data import DataLoader
from package_0.module_0 import Model_0 as Model, Data_0 as Data
from package_1.module_3 import warm_up

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/base.yaml")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    with open(args.config) as file:
        config = yaml.safe_load(file)
    model = Model(config["model"]["width"], config["model"]["depth"]).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loader = DataLoader(Data(), batch_size=config["batch_size"], shuffle=True)
    for epoch in range(args.epochs):
        for batch in loader:
            loss = model(batch.cuda()).mean()
            loss.backward()
            optimizer.step()
    warm_up(model)

if __name__ == "__main__":
    main()
"""
MODULE = '''
import torch
from torch import nn

class Model_{i}(nn.Module):
    """One of many models that a repository of this size has."""

    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(width, 8) for _ in range(depth)])
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)

class Data_{i}(torch.utils.data.Dataset):
    def __len__(self):
        return 1000 + {i}

    def __getitem__(self, index):
        return torch.zeros({i} + 1)

def warm_up(model, steps={i}):
    for step in range(steps):
        model.train()
    return steps
'''
CONFIG = "batch_size: {batch}\nmodel:\n  width: 512\n  depth: {depth}\n"


def make_repository(root: Path, files: int) -> None:
    """Write a repository with one training script, many modules, and a configuration for every fourth."""
    (root / "configs").mkdir(parents=True)
    (root / "train.py").write_text(TRAIN)
    (root / "configs" / "base.yaml").write_text(CONFIG.format(batch=64, depth=12))
    written = 2
    number = 0
    while written < files:
        package = root / f"package_{number // MODULES_A_PACKAGE}"
        if not package.is_dir():
            package.mkdir()
            (package / "__init__.py").write_text("")
            written += 1
        (package / f"module_{number % MODULES_A_PACKAGE}.py").write_text(
            MODULE.replace("{i}", str(number % MODULES_A_PACKAGE))
        )
        written += 1
        if number % 4 == 0:
            (root / "configs" / f"c{number}.yaml").write_text(CONFIG.format(batch=number + 1, depth=2))
            written += 1
        number += 1


def cpu_seconds(root: Path, command: str) -> tuple[float, int]:
    """Give the median CPU time of a reading, and the tokens that it took in."""
    seconds, tokens = [], 0
    for _ in range(RUNS):
        started = time.process_time()
        tokens = run_extract(root, command, engine="built-in").tokens_read
        seconds.append(time.process_time() - started)
    return median(seconds), tokens


def measure() -> list[Figure]:
    """Read repositories of three sizes, with a command and without one, and draw a monorepo's tree."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for files, goal in ((500, 0.3), (2_000, 1.0)):
            root = Path(folder) / str(files)
            make_repository(root, files)
            whole = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // CHARACTERS_A_TOKEN
            with_command, tokens = cpu_seconds(root, "python train.py --lr 3e-4")
            without, _ = cpu_seconds(root, "")
            what = f"extract, {files:,} files"
            figures.append(Figure(what, with_command, "CPU s", goal=goal, less_is_better=True))
            figures.append(Figure(f"{what}, no command given", without, "CPU s", goal=goal, less_is_better=True))
            figures.append(
                Figure(f"{what}, share of tokens read", 100 * tokens / whole, "%", goal=5, less_is_better=True)
            )
        wide = Path(folder) / "500" / "wide.py"
        modules = sorted((Path(folder) / "500").glob("package_*/module_*.py"))
        wide.write_text("".join(f"import {path.parent.name}.{path.stem}\n" for path in modules) + TRAIN)
        everything, _ = cpu_seconds(Path(folder) / "500", "python wide.py")
        what = f"extract, a program that imports {len(modules)} modules"
        figures.append(Figure(what, everything, "CPU s", goal=0.3, less_is_better=True))
        cold = cold_seconds(Path(folder) / "500", "python train.py")
        figures.append(Figure("extract, 500 files, a process of its own", cold, "CPU s", goal=1, less_is_better=True))
        figures.append(
            Figure("file_tree, 30,000 files", tree_seconds(Path(folder) / "mono"), "CPU s", goal=3, less_is_better=True)
        )
    return figures


def cold_seconds(root: Path, command: str) -> float:
    """Give the CPU time of the whole command line, from starting Python to the card."""
    words = [sys.executable, "-m", "schedmate", "extract", str(root), "--engine", "built-in", "--command", command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(3):
        subprocess.run(words, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 3


def tree_seconds(root: Path) -> float:
    """Time the tree of a folder with very many files."""
    for number in range(300):
        folder = root / f"p{number % 30}" / f"q{number}"
        folder.mkdir(parents=True)
        for name in range(100):
            (folder / f"m{name}.py").touch()
    started = time.process_time()
    file_tree(Repository(root))
    return time.process_time() - started
