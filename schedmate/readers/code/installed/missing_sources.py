"""Trainers whose source is not in the repository: told by the script's name and by the options that they are given."""

import posixpath

import re2

from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.programs import ProgramRow, programs
from schedmate.readers.code.commandline.given_options import split_words
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.likelihood import ASIDE

TRAINER = re2.compile(r"(?i)(^|[_\-.])(pre-?train\w*|train\w*|fine-?_?tun\w*|sft|dpo|orpo|kto|grpo|rlhf)($|[_\-.])")
"""How scripts are called that train."""
OF_TRAINING = frozenset({
    "learning_rate", "epochs", "total_steps", "batch_size", "global_batch_size", "accumulation", "optimizer", "warmup",
    "weight_decay"
})  # fmt: skip
LAUNCHERS_OF_TORCH = ("torch", "deepspeed", "accelerate")


def row_of_absent(launch: Launch) -> ProgramRow | None:
    """Find how a program that is not here is read: by a known signature of options, else as any trainer."""
    if launch.kind not in ("script", "module") or launch.name.endswith((".sh", ".ipynb")):
        return None
    stem, given = stem_of(launch), given_names(launch)
    for row in programs().values():
        signature = row.get("signature", ())
        if signature and sum(name in given for name in signature) >= row.get("signature_least", len(signature)):
            return row
    told = {field for name in given if (field := field_of_name().get(name, ("", 0))[0]) in OF_TRAINING}
    is_named = bool(TRAINER.search(stem)) and not ASIDE.search(stem)
    return programs()["any trainer"] if is_named and (told or launch.ranks) else None


def stem_of(launch: Launch) -> str:
    """Give a script's or module's own name."""
    if launch.kind == "module":
        return launch.name.rpartition(".")[2]
    return posixpath.basename(launch.name).removesuffix(".py")


def given_names(launch: Launch) -> set[str]:
    """Name the options that the program is given."""
    options, _ = split_words(list(launch.words[1:]))
    return {squashed(one.name) for one in options}


def tell_framework(view: View) -> None:
    """Take the framework of which the launcher starts nothing else."""
    for name, spot in view.launch.launchers:
        if any(part in name for part in LAUNCHERS_OF_TORCH):
            view.keep("framework", "PyTorch", (spot,), f"started by {name}")
