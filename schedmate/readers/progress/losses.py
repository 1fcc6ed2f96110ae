"""Tell losses of one line, or of one run, from each other: which is the plainest, which a sum."""

from collections.abc import Collection

from schedmate.readers.progress.names import has, pieces_of

SUMMED = 20.0
SUMS = {"total", "sum", "summed", "running", "cumulative", "accumulated"}


def loss_rank(name: str) -> float:
    """Order the names of losses: the plain one first, then totals, then what is averaged; and of fewer words before."""
    plain = name.replace("train/", "").replace("training", "").replace("train", "").strip(" _-/.")
    order = ("loss", "total_loss", "total loss", "loss_total", "loss total", "lm loss", "lm_loss")
    if plain in order:
        return order.index(plain)
    return (8 if "avg" in plain or "mean" in plain else 6) + len(pieces_of((plain,))) / 100


def plainest(names: Collection[str]) -> str:
    """Give the name of fewest words, and of these the first: `actor/loss` beside `actor/kl_loss`; alone it is any."""
    called = [name for name in names if is_called_loss(name)] if len(names) > 1 else names
    called = [name for name in called if not has(pieces_of(tuple(name.split())), "learning")] or called
    return min(called, key=lambda name: len(pieces_of(tuple(name.split()))), default="")


def is_called_loss(name: str) -> bool:
    """Tell what is called a loss, and no error or cost: those are of anything."""
    return has(pieces_of(tuple(name.split())), "loss_exact") or name.startswith("l_")


def is_sum(name: str, loss: float | None, last: tuple[float, int] | None) -> bool:
    """Tell a loss of a pass that is called a sum and is many times that of its steps; else it is as bad as it looks."""
    summed = not SUMS.isdisjoint(pieces_of(tuple(name.split())))
    return summed and loss is not None and last is not None and abs(loss) > SUMMED * abs(last[0]) > 0
