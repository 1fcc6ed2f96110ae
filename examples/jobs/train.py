"""Fit a line by gradient descent: a training job small enough for any machine, with steps, a loss and checkpoints."""

import argparse
import json
import os
import random
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--pause", type=float, default=0.1, help="seconds a step takes")
parser.add_argument("--save", default="", help="where to keep checkpoints")
parser.add_argument("--break-at", type=int, default=-1, help="play a GPU that falls off the bus at this step")
parser.add_argument("--schedule", default="constant")
args = parser.parse_args()

slope, begin = 0.0, 0
if os.environ.get("SCHEDMATE_CHECKPOINT"):
    with open(os.environ["SCHEDMATE_CHECKPOINT"]) as file:
        kept = json.load(file)
    slope, begin = kept["slope"], kept["step"]
    print(f"resumed from {os.environ['SCHEDMATE_CHECKPOINT']} at step {begin}", flush=True)

for step in range(begin + 1, args.steps + 1):
    batch = [random.uniform(-1, 1) for _ in range(args.batch_size)]
    error = [slope * x - 3.0 * x for x in batch]
    slope -= args.lr * sum(2 * e * x for e, x in zip(error, batch, strict=True)) / len(batch)
    loss = sum(e * e for e in error) / len(error)
    time.sleep(args.pause)
    print(f"step {step}/{args.steps} | loss {loss:.4f} | {args.pause:.2f} s/step", flush=True)
    if args.save and step % 10 == 0:
        os.makedirs(args.save, exist_ok=True)
        with open(f"{args.save}/checkpoint-{step}.json", "w") as file:
            json.dump({"slope": slope, "step": step}, file)
        print(f"saved checkpoint to {args.save}/checkpoint-{step}.json", flush=True)
    if step == args.break_at and not begin:
        print("NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, GPU has fallen off the bus.", flush=True)
        sys.exit("RuntimeError: CUDA error: unspecified launch failure")

schedules = {"constant": 1.0, "cosine": 0.5}
print(f"done: slope {slope:.3f}, final rate {args.lr * schedules[args.schedule]}", flush=True)
