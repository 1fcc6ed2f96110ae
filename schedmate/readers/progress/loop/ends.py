"""Where a run ends, as its command or its code say."""

import re
import shlex
from dataclasses import dataclass

from schedmate.readers.progress.lines.names import role_of
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.tokens import value_of
from schedmate.tools.late_patterns import late

MAX_COMMAND = 1 << 14
WHOLE = dict.fromkeys(("steps", "iters", "iterations", "train_steps", "train_iters", "niter", "n_iters"), "total_steps")
WHOLE |= dict.fromkeys(("epochs", "epoch", "nepochs", "train_epochs"), "total_epochs")
"""What the end of a run is called by options, where a log calls a counter so."""
OPTION = late(r"-{0,2}([A-Za-z][\w.-]*)=(\d[\d_,]*(?:\.\d+)?(?:e\d{1,2})?)")


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a run ends, as its command or its code say."""

    steps: float | None = None
    epochs: float | None = None


NO_ENDS = Ends()


def ends_of(command: str) -> Ends:
    """Read the end of a run from the options of its command: `--max-steps 5000`, `trainer.max_epochs=3`."""
    try:
        words = shlex.split(command[:MAX_COMMAND], comments=False)
    except ValueError:
        words = command[:MAX_COMMAND].split()
    found: dict[str, float] = {}
    for word, following in zip(words, [*words[1:], ""], strict=False):
        match = OPTION.fullmatch(word) or (OPTION.fullmatch(f"{word}={following}") if word.startswith("-") else None)
        if match is None:
            continue
        name = match[1].rpartition(".")[2]
        role = role_of(Item(tuple(re.split(r"[_-]", name)), (0,), (1.0,)))[0]
        found.setdefault(WHOLE.get(name.lower().replace("-", "_"), role), value_of(match[2].replace("_", "")))
    return Ends(found.get("total_steps"), found.get("total_epochs"))


def joined(said: Ends, steps: float | None, epochs: float | None) -> Ends:
    """Put what the code says before what options are called: `--niter 10` may be the passes."""
    taken = epochs is not None and said.steps == epochs
    return Ends(steps or (None if taken else said.steps), epochs or said.epochs)
