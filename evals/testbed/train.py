"""A small training program, as users have them: reads its options, trains, logs, saves, and goes on from what it saved.

It really fits a linear model, and sleeps for the rest of each step, as long as a GPU would have taken beside whoever
shares it. What GPUs it has, how long steps take, and how it ends, it is told by the testbed that it runs on.
"""

import argparse
import fcntl
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import IO, Any, NoReturn

WIDTH, ROWS = 4, 16
Words = dict[str, Any]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="ResNet50")
    parser.add_argument("--dataset", default="ImageNet")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output-dir", type=Path, default=Path("out"))
    return parser.parse_args()


class Testbed:
    """Stands for the GPUs: who else is on them, and what that costs."""

    def __init__(self, output: Path) -> None:
        self.root = Path(os.environ["TESTBED"])
        self.plan: Words = json.loads((self.root / "tasks" / f"{os.environ['TESTBED_TASK']}.json").read_text())
        self.run = f"{os.environ['SCHEDMATE_JOB_ID']}.{os.environ['SCHEDMATE_RUN']}"
        self.rank, self.world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
        self.profile_s = float(os.environ.get("TESTBED_PROFILE_S", "0"))
        self.output = output
        self.mine = list[tuple[Path, IO[str]]]()

    def meet(self) -> None:
        """Wait until all ranks have begun; only the first goes on from here."""
        (self.output / f"begun-{self.run}-{self.rank}").touch()
        if self.rank:
            while not (self.output / f"done-{self.run}").exists():
                time.sleep(0.2)
            sys.exit(0)
        while len(list(self.output.glob(f"begun-{self.run}-*"))) < self.world:
            time.sleep(0.05)

    def enter(self) -> None:
        """Register on each GPU; the lock tells that this process lives."""
        for part in os.environ["SCHEDMATE_PLACEMENT"].split(";"):
            node, _, slots = part.partition(":")
            for slot in slots.split(","):
                folder = self.root / "gpus" / f"{node}-{slot}"
                folder.mkdir(parents=True, exist_ok=True)
                file = (folder / self.run).open("w")
                fcntl.flock(file, fcntl.LOCK_EX)
                file.write(self.plan["key"])
                file.flush()
                self.mine.append((folder, file))

    def speed(self) -> float:
        """Give the speed beside the neighbours of the slowest of its GPUs."""
        found = 1.0
        for folder, _ in self.mine:
            for name in os.listdir(folder):
                if name != self.run and (key := self.neighbour(folder / name)):
                    found = min(found, float(self.plan["speeds"][key]))
        return found

    @staticmethod
    def neighbour(path: Path) -> str:
        """Give the program of a process that is on the GPU; empty where it has gone."""
        try:
            with path.open() as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    return file.read()
        except OSError:
            return ""
        path.unlink(missing_ok=True)  # its process is gone
        return ""

    def leave(self, words: Words) -> None:
        """Write down how the run went, and let the other ranks go."""
        note = self.root / "notes" / f"{self.run}.json"
        note.write_text(json.dumps(words))
        for folder, file in self.mine:
            (folder / self.run).unlink(missing_ok=True)
            file.close()


class Model:
    """A linear model under gradient descent."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.truth = [self.random.gauss(0, 1) for _ in range(WIDTH)]
        self.weights = [0.0] * WIDTH

    def step(self, rate: float) -> float:
        """Take a batch, give its loss."""
        loss, slope = 0.0, [0.0] * WIDTH
        for _ in range(ROWS):
            row = [self.random.gauss(0, 1) for _ in range(WIDTH)]
            error = sum((w - t) * x for w, t, x in zip(self.weights, self.truth, row, strict=True))
            error += self.random.gauss(0, 0.3)
            loss += error * error / ROWS
            slope = [s + 2 * error * x / ROWS for s, x in zip(slope, row, strict=True)]
        self.weights = [w - rate * s for w, s in zip(self.weights, slope, strict=True)]
        return loss


def last_checkpoint(output: Path) -> tuple[int, Path | None]:
    """Give the newest checkpoint and its step."""
    found = [(int(path.stem.rpartition("-")[2]), path) for path in output.glob("checkpoint-*.json")]
    return max(found) if found else (0, None)


def save(model: Model, step: int, output: Path) -> None:
    """Keep the weights; a reader never sees half a file."""
    path = output / f"checkpoint-{step}.json"
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"step": step, "weights": model.weights}))
    os.replace(part, path)
    print(f"Saving model checkpoint to {path}", flush=True)


def break_infrastructure(kind: str, step: int) -> NoReturn:
    """Die as jobs die when it is not their fault."""
    host, rank = os.environ["SCHEDMATE_NODES"].split(",")[0], 0
    print(f"step {step}: no progress", flush=True)
    if kind == "nccl":
        print(
            f"[rank{rank}]:[E ProcessGroupNCCL.cpp:607] [Rank {rank}] Watchdog caught collective operation timeout: "
            f"WorkNCCL(SeqNum={step}, OpType=ALLREDUCE, NumelIn=25557032, NumelOut=25557032, Timeout(ms)=600000) "
            "ran for 600027 milliseconds before timing out.",
            file=sys.stderr,
        )
        raise RuntimeError("NCCL communicator was aborted on rank 0. Original reason for failure was: watchdog timeout")
    if kind == "ecc":
        raise RuntimeError("CUDA error: uncorrectable ECC error encountered")
    if kind == "xid":
        print(f"{host} kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, GPU has fallen off the bus.", file=sys.stderr)
        raise RuntimeError("CUDA error: unspecified launch failure")
    raise OSError(5, "Input/output error", "/data/imagenet/train/shard-00017.tar")


def break_own(kind: str, args: argparse.Namespace) -> object:
    """Die of a fault in one's own code."""
    if kind == "key":
        batch = {"image": 0}
        return batch["labels"]
    if kind == "shape":
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({args.batch_size}x2048 and 512x1000)")
    if kind == "memory":
        raise RuntimeError(
            "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 23.69 GiB of which "
            "1.12 GiB is free. Including non-PyTorch memory, this process has 22.56 GiB memory in use."
        )
    return Path(f"configs/{args.model.lower()}_eval.yaml").read_text()


def train(args: argparse.Namespace, bed: Testbed, words: Words) -> None:
    """Run the steps that are left, each as long as the GPUs take, and end as it was planned."""
    plan, output = bed.plan, bed.output
    model = Model(args.seed)
    begin, path = last_checkpoint(output)
    if path is not None:
        model.weights = json.loads(path.read_text())["weights"]
        print(f"Resuming from {path} at step {begin}", flush=True)
    total, step_s = plan["steps"], plan["step_s"]
    shown = plan["shown_steps"]
    words["first_s"], words["steps"] = time.time(), 0
    due_s = began_s = time.monotonic()
    last_s = began_s
    save_every = max(1, round(plan["save_s"] / step_s))
    for step in range(begin + 1, total + 1):
        loss = model.step(args.lr)
        due_s += step_s / bed.speed()
        time.sleep(max(0.0, due_s - time.monotonic()))
        now_s = time.monotonic()
        words["late_s"] += now_s - due_s
        words["latest_s"] = max(words["latest_s"], now_s - due_s)
        words["steps"] += 1
        print(
            f"step {step}/{shown} loss: {loss:.4f} lr: {args.lr:g} step_time: {now_s - last_s:.3f}s",
            flush=True,
        )
        last_s = now_s
        if bed.profile_s and now_s - began_s >= bed.profile_s:
            print(f"profiled for {now_s - began_s:.1f} s", flush=True)
            words["profiled"] = True
            return
        if step == plan["fault_step"] and not (output / "faulted").exists():
            (output / "faulted").touch()
            break_infrastructure(plan["fault"], step)
        if step % save_every == 0 and step < total:
            save(model, step, output)
    words["finished"] = True
    if plan["bug"]:
        break_own(plan["bug"], args)
    print("training finished" if total == shown else "early stopping: the loss no longer falls", flush=True)


def main() -> None:
    args = parse()
    args.output_dir.mkdir(parents=True, exist_ok=True)
    bed = Testbed(args.output_dir)
    print(f"rank {bed.rank} of {bed.world}: {args.model} on {args.dataset}, batch size {args.batch_size}", flush=True)
    bed.meet()
    bed.enter()
    words: Words = {"late_s": 0.0, "latest_s": 0.0, "finished": False, "profiled": False}
    try:
        train(args, bed, words)
        (bed.output / f"done-{bed.run}").touch()
    finally:
        words["last_s"] = time.time()
        bed.leave(words)


if __name__ == "__main__":
    main()
