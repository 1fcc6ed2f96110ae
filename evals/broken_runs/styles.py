"""How rank 0 reports its steps; every style as a usual trainer prints it."""

import json
import logging
import sys
import time
from collections.abc import Callable
from typing import Any

Report = Callable[[int, int, float, float], None]


def plain(step: int, total: int, loss: float, took: float) -> None:
    print(f"step {step}/{total} loss {loss:.4f} time {took * 1000:.1f} ms error_rate {loss / 10:.4f}")


def dictionary(step: int, total: int, loss: float, took: float) -> None:
    print({"loss": round(loss, 4), "grad_norm": 0.41, "learning_rate": 5e-05, "epoch": round(step / total, 2)})


def json_line(step: int, total: int, loss: float, took: float) -> None:
    print(json.dumps({"event": "train", "step": step, "loss": loss, "sec": round(took, 4), "errors": 0}), flush=True)


def records(step: int, total: int, loss: float, took: float) -> None:
    logging.getLogger("trainer").info("step %d of %d | loss %.4f | %.3f s/step", step, total, loss, took)


def lightning(step: int, total: int, loss: float, took: float) -> None:
    done = step * 30 // total
    sys.stdout.write(
        f"\rEpoch 0: {step * 100 // total:3d}%|{'#' * done:30}| {step}/{total} [{1 / max(took, 1e-6):.2f}it/s, v_num=0, train_loss={loss:.3f}]"
    )
    sys.stdout.flush()


class Bar:
    """tqdm's own bar, on standard error."""

    bar: Any = None

    def __call__(self, step: int, total: int, loss: float, took: float) -> None:
        if self.bar is None:
            from tqdm import tqdm  # type: ignore[import-untyped]

            self.bar = tqdm(total=total, desc="train", mininterval=0)
        self.bar.set_postfix(loss=f"{loss:.3f}")
        self.bar.update(1)


STYLES: dict[str, Report] = {
    "plain": plain,
    "dictionary": dictionary,
    "json": json_line,
    "records": records,
    "lightning": lightning,
    "bar": Bar(),
}


def prepare_logging(rank: int) -> None:
    """Let rank 0 log what it does and the others only what goes wrong."""
    form = "%(asctime)s %(levelname)s [%(name)s] %(message)s"
    logging.basicConfig(level=logging.INFO if rank == 0 else logging.WARNING, format=form, force=True)
    time.tzset()
