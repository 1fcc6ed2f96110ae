"""Write small training programs, each with a log of its own, and its end where nobody else has it."""

import random
from collections.abc import Callable
from dataclasses import dataclass

LIBRARY = '''
"""Stands for the library: nothing is learnt, and the clock goes on by itself where work would take time."""
import os
import random
import sys
import time
from types import SimpleNamespace

DICE = random.Random(SEED)
NOW = [1_950_000_000.0 + 5.0]
MOMENTS = open(os.environ["MOMENTS"], "w", 1)
written = time.strftime


def work(seconds):
    NOW[0] += seconds


time.time = time.monotonic = time.perf_counter = lambda: NOW[0]
time.sleep = work
time.strftime = lambda form, moment=None: written(form, moment or time.gmtime(NOW[0]))


class Pen:
    encoding = "utf-8"

    def write(self, text):
        data = text.encode()
        MOMENTS.write(f"{NOW[0]:.6f} {len(data)}\\n")
        return os.write(1, data)

    def flush(self):
        pass

    def isatty(self):
        return False


sys.stdout = sys.stderr = Pen()


class Value:
    steps = 0

    def backward(self):
        Value.steps += 1
        work(STEP_S * DICE.lognormvariate(0.0, 0.1) * (6 if Value.steps == 1 else 1))

    def item(self):
        return 0.3 + 3.0 / (1 + Value.steps / 20)

    def sum(self):
        return self

    mean = sum


class Linear:
    def __init__(self, *sizes):
        self.sizes = sizes

    def parameters(self):
        return [Value()]

    def eval(self):
        work(4 * STEP_S)

    def train(self):
        pass

    def __call__(self, data):
        return Value()


class Optimizer:
    def __init__(self, parameters, **options):
        self.options = options

    def step(self):
        pass

    zero_grad = step


def zeros(*sizes):
    return Value()


nn = SimpleNamespace(Linear=Linear)
optim = SimpleNamespace(SGD=Optimizer, AdamW=Optimizer)
'''
HEAD = "import argparse\nimport time\n\nimport torch\n\n"
MODEL = """
model = torch.nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def learn():
    began = time.time()
    optimizer.zero_grad()
    loss = model(torch.zeros(8, 16)).mean()
    loss.backward()
    optimizer.step()
    return loss.item(), time.time() - began

"""


@dataclass
class Program:
    """One program: its files, the command that starts it, and how long its steps take."""

    name: str
    where: str
    """Where its end stands."""
    files: dict[str, str]
    options: str = ""
    step_s: float = 0.02

    @property
    def command(self) -> str:
        """Give what a person would have typed."""
        return f"python train.py {self.options}".strip()


@dataclass
class Size:
    """How large a program's work is."""

    epochs: int
    per_epoch: int
    every: int

    @property
    def steps(self) -> int:
        """Count the steps of the whole run."""
        return self.epochs * self.per_epoch


def by_option(name: str, default: object) -> str:
    """Read one option."""
    flag = name.replace("_", "-")
    return (
        "parser = argparse.ArgumentParser()\n"
        f'parser.add_argument("--{flag}", type=int, default={default})\nargs = parser.parse_args()\n'
    )


def over_steps(end: str, every: int, line: str, head: str = "") -> str:
    """Write a loop over steps."""
    return (
        f"{MODEL}{head}for step in range(1, {end} + 1):\n    loss, took = learn()\n"
        f"    if step % {every} == 0:\n        print({line}, flush=True)\n"
    )


def over_epochs(end: str, size: Size, line: str, first: int = 0, before: str = "", after: str = "") -> str:
    """Write a loop over passes and the steps of each."""
    begin = f"{first}, {end} + {first}" if first else end
    text = (
        f"{MODEL}batches = list(range({size.per_epoch}))\nfor epoch in range({begin}):\n    epoch_began = time.time()\n"
    )
    text += f"    {before}\n" if before else ""
    text += "    for i, batch in enumerate(batches):\n        loss, took = learn()\n"
    text += f"        if i % {size.every} == 0:\n            print({line}, flush=True)\n" if line else ""
    return text + (f"    {after}\n" if after else "") + "    model.eval()\n    model.train()\n"


PLAIN = 'f"step {step} loss {loss:.4f} {took * 1000:.1f} ms/step"'
CLOCK = 'time.strftime("%Y-%m-%d %H:%M:%S") + f",{int(time.time() % 1 * 1000):03d} INFO iter {step} | loss {loss:.4f}"'
IMAGENET = 'f"Epoch: [{epoch}][{i}/{len(batches)}]\\tTime {took:.3f} ({took:.3f})\\tLoss {loss:.4e} ({loss:.4e})"'
TUTORIAL = 'f"Epoch [{epoch + 1}/{args.epochs}], Step [{i + 1}/{len(batches)}], Loss: {loss:.4f}, {took:.4f} s/it"'
UNCOUNTED = 'f"epoch {epoch} batch {i} loss {loss:.4f} batch_time {took:.4f}s"'
GLOBAL = 'f"epoch {epoch} global_step {epoch * len(batches) + i} loss {loss:.4f} step_time {took:.4f}s"'
PARTS = (
    'f"epoch: {epoch + i / len(batches):.3f} | step: {epoch * len(batches) + i} | loss: {loss:.4f} | {took:.4f} s/it"'
)
CLOCKED = 'def clock(seconds):\n    return time.strftime("%H:%M:%S", time.gmtime(seconds))\n\n\n'
PASS_ETA = (
    'f"Epoch: [{epoch}]  [{i:>3}/{len(batches)}]  eta: {clock((len(batches) - i) * took)}  loss: {loss:.4f}'
    '  time: {took:.4f}"'
)


def max_steps_in_command(size: Size) -> Program:
    """Name the last step in the command alone."""
    text = HEAD + by_option("max_steps", 10) + over_steps("args.max_steps", size.every, PLAIN)
    return Program("steps, option given", "command", {"train.py": text}, f"--max-steps {size.steps}")


def max_steps_in_code(size: Size) -> Program:
    """Leave the last step to an option's default."""
    text = HEAD + by_option("max_steps", size.steps) + over_steps("args.max_steps", size.every, PLAIN)
    return Program("steps, default of an option", "code", {"train.py": text})


def max_steps_in_yaml(size: Size) -> Program:
    """Read the last step from a configuration."""
    read = 'import yaml\n\nwith open("config.yaml") as file:\n    config = yaml.safe_load(file)\n'
    text = HEAD + read + over_steps('config["max_steps"]', size.every, CLOCK)
    files = {"train.py": text, "config.yaml": f"lr: 0.1\nmax_steps: {size.steps}\n"}
    return Program("steps, configuration, clock only", "code", files)


def constant_steps(size: Size) -> Program:
    """Write the last step down as a constant, in an imported file."""
    text = HEAD + "from settings import NUM_ITERS\n" + over_steps("NUM_ITERS", size.every, PLAIN)
    return Program(
        "steps, constant of a module", "code", {"train.py": text, "settings.py": f"NUM_ITERS = {size.steps}\n"}
    )


def tutorial(size: Size) -> Program:
    """Tell both ends on each line."""
    text = HEAD + by_option("epochs", size.epochs) + over_epochs("args.epochs", size, TUTORIAL)
    return Program("passes, both ends on the line", "log", {"train.py": text})


def imagenet_command(size: Size) -> Program:
    """Tell the end of a pass; how many there are stands in the command."""
    text = HEAD + by_option("epochs", 2) + over_epochs("args.epochs", size, IMAGENET)
    return Program("passes, option given", "command", {"train.py": text}, f"--epochs {size.epochs}")


def imagenet_code(size: Size) -> Program:
    """Tell the end of a pass; how many there are stands in the code."""
    text = HEAD + f"EPOCHS = {size.epochs}\n" + over_epochs("EPOCHS", size, IMAGENET)
    return Program("passes, constant", "code", {"train.py": text})


def keras_like(size: Size) -> Program:
    """Announce each pass, and count its steps below."""
    line = 'f"{i + 1}/{len(batches)} - {time.time() - epoch_began:.0f}s - {took * 1000:.0f}ms/step - loss: {loss:.4f}"'
    body = over_epochs("args.epochs", size, line, 1, before='print(f"Epoch {epoch}/{args.epochs}", flush=True)')
    return Program("passes, announced", "log", {"train.py": HEAD + by_option("epochs", size.epochs) + body})


def pass_lines(size: Size) -> Program:
    """Print a line a pass."""
    line = 'print(f"epoch {epoch} train_loss {loss:.4f} time {time.time() - epoch_began:.3f}s", flush=True)'
    body = over_epochs("args.epochs", size, "", after=line)
    text = HEAD + by_option("epochs", size.epochs) + body
    return Program("a line a pass", "code", {"train.py": text})


def uncounted(size: Size) -> Program:
    """Count the steps of a pass and never say how many there are."""
    text = HEAD + by_option("epochs", size.epochs) + over_epochs("args.epochs", size, UNCOUNTED)
    return Program("passes of unsaid length", "code", {"train.py": text})


def through(size: Size) -> Program:
    """Count steps through all passes."""
    text = HEAD + by_option("epochs", 2) + over_epochs("args.epochs", size, GLOBAL)
    return Program("passes, steps counted through", "command", {"train.py": text}, f"--epochs {size.epochs}")


def parts(size: Size) -> Program:
    """Print the pass as a number with a fraction."""
    text = HEAD + by_option("num_train_epochs", 3) + over_epochs("args.num_train_epochs", size, PARTS)
    return Program("parts of passes", "command", {"train.py": text}, f"--num-train-epochs {size.epochs}")


def pass_eta(size: Size) -> Program:
    """Print what is left of a pass as `eta`."""
    text = HEAD + CLOCKED + by_option("epochs", size.epochs) + over_epochs("args.epochs", size, PASS_ETA)
    return Program("an eta of the pass", "code", {"train.py": text})


def bar_a_pass(size: Size) -> Program:
    """Draw a bar a pass."""
    body = (
        f"{MODEL}for epoch in range(args.epochs):\n"
        f'    bar = tqdm(range({size.per_epoch}), desc=f"Epoch {{epoch}}")\n'
        '    for batch in bar:\n        loss, took = learn()\n        bar.set_postfix(loss=f"{loss:.3f}")\n'
        "    model.eval()\n    model.train()\n"
    )
    text = HEAD + "from tqdm import tqdm\n\n" + by_option("epochs", size.epochs) + body
    return Program("a bar a pass", "code", {"train.py": text})


def bar_of_all(size: Size) -> Program:
    """Draw one bar over all steps."""
    body = (
        f"{MODEL}bar = tqdm(range(args.max_steps))\n"
        'for step in bar:\n    loss, took = learn()\n    bar.set_postfix(loss=f"{loss:.3f}")\n'
    )
    text = HEAD + "from tqdm import tqdm\n\n" + by_option("max_steps", size.steps) + body
    return Program("one bar", "log", {"train.py": text})


KINDS: tuple[Callable[[Size], Program], ...] = (
    max_steps_in_command, max_steps_in_code, max_steps_in_yaml, constant_steps, tutorial, imagenet_command,
    imagenet_code, keras_like, pass_lines, uncounted, through, parts, pass_eta, bar_a_pass, bar_of_all,
)  # fmt: skip


def write_programs(seed: int) -> list[Program]:
    """Write one program of each kind; the seed says how much each has to do."""
    written = []
    for place, kind in enumerate(KINDS):
        dice = random.Random(f"{seed}/{place}")
        size = Size(dice.randint(3, 7), dice.choice((40, 100, 250)), dice.choice((2, 5, 10)))
        program = kind(size)
        program.step_s = 10 ** dice.uniform(-1.5, 1.0)
        written.append(program)
    return written
