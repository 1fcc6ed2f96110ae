"""Fit a line by gradient descent: a training job small enough for any machine, with steps, a loss and checkpoints."""

import argparse
import json
import os
import random
import sys
import time


class Line:
    """What is learned: how steep a line is."""

    def __init__(self, slope: float = 0.0) -> None:
        self.slope, self.gradient = slope, 0.0

    def forward(self, batch: list[float]) -> list[float]:
        """Say how wrong the line is for each of a batch."""
        return [self.slope * x - 3.0 * x for x in batch]

    def backward(self, batch: list[float], error: list[float]) -> None:
        """Work out in which direction it is less wrong."""
        self.gradient = sum(2 * e * x for e, x in zip(error, batch, strict=True)) / len(batch)


class SGD:
    """Take a step in that direction."""

    def __init__(self, model: Line, lr: float) -> None:
        self.model, self.lr = model, lr

    def step(self) -> None:
        """Change the slope."""
        self.model.slope -= self.lr * self.model.gradient


parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--pause", type=float, default=0.1, help="seconds a step takes")
parser.add_argument("--save", default="", help="where to keep checkpoints")
parser.add_argument("--break-at", type=int, default=-1, help="play a GPU that falls off the bus at this step")
parser.add_argument("--schedule", default="constant")
args = parser.parse_args()

model, begin = Line(), 0
if os.environ.get("SCHEDMATE_CHECKPOINT"):
    with open(os.environ["SCHEDMATE_CHECKPOINT"]) as file:
        kept = json.load(file)
    model.slope, begin = kept["slope"], kept["step"]
    print(f"resumed from {os.environ['SCHEDMATE_CHECKPOINT']} at step {begin}", flush=True)

optimizer = SGD(model, lr=args.lr)
for step in range(begin + 1, args.steps + 1):
    batch = [random.uniform(-1, 1) for _ in range(args.batch_size)]
    error = model.forward(batch)
    model.backward(batch, error)
    optimizer.step()
    loss = sum(e * e for e in error) / len(error)
    time.sleep(args.pause)
    print(f"step {step}/{args.steps} | loss {loss:.4f} | {args.pause:.2f} s/step", flush=True)
    if args.save and step % 10 == 0:
        os.makedirs(args.save, exist_ok=True)
        with open(f"{args.save}/checkpoint-{step}.json", "w") as file:
            json.dump({"slope": model.slope, "step": step}, file)
        print(f"saved checkpoint to {args.save}/checkpoint-{step}.json", flush=True)
    if step == args.break_at and not begin:
        print("NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, GPU has fallen off the bus.", flush=True)
        sys.exit("RuntimeError: CUDA error: unspecified launch failure")

schedules = {"constant": 1.0, "cosine": 0.5}
print(f"done: slope {model.slope:.3f}, final rate {args.lr * schedules[args.schedule]}", flush=True)
