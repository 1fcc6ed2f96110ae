"""Weigh by names how likely a program is a training job."""

import posixpath

import re2

from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.script_lookup import find_script
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.tools.repository import Repository

TRAINS = re2.compile(
    r"(?i)(^|[/_\-.])(pre-?train\w*|train\w*|finetun\w*|fine_tun\w*|sft|dpo|ppo|grpo|rlhf|main|run\w*|launch\w*|learn)"
)


ASIDE = re2.compile(
    r"(?i)(preprocess|prepare|download|convert|tokeniz|eval|test|infer|generat|predict|export|setup|build|merge|score|plot|binarize|make_|create_)"
)


def likelihood(repository: Repository, launch: Launch) -> int:
    """Weigh how likely a started program is the job itself."""
    name = launch.name if launch.kind != "code" else ""
    arguments = " ".join(word_text(word) for word in launch.words[1:8])
    score = 4 if launch.kind in ("script", "module") else 0
    score += 3 * bool(launch.ranks) + 2 * bool(TRAINS.search(name)) + bool(TRAINS.search(arguments))
    score += 2 * bool(launch.kind == "script" and find_script(repository, launch))
    return score - 3 * bool(ASIDE.search(posixpath.basename(name))) - (not launch.sure)
