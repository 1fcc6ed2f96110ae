"""Folders and files of weights that are called after when they were saved: `runs/tiny-gpt/step-4000` is a tiny GPT."""

import posixpath

import re2

from schedmate.knowledge.code_words import words

MOMENT = re2.compile(
    r"(?i)^(?:(?:model|weights)[_.=-]?)?(?:checkpoint|ckpt|chkpt|global[_-]?step|step|epoch|ep|iter|iteration|it|update)s?"
    r"[_.=-]*[0-9]{1,12}(?:[_.=-]+(?:(?:global[_-]?)?step|epoch|iter|loss|val)s?[_.=-]*[0-9][0-9.]{0,12}[0-9]?)*$"
)
"""`checkpoint-3000`, `global_step12000`, `epoch=3-step=1000`; a name with another word in it may be a model's."""
STATES = frozenset(words("networks.states")) | {"best_model", "last_model", "final_model", "model_best", "model_final"}

WEIGHTS = (
    ".pt", ".pth", ".ckpt", ".h5", ".hdf5", ".safetensors", ".bin", ".keras", ".onnx", ".pdparams", ".pkl",
)  # fmt: skip
"""Endings of files of weights."""

PLACES = frozenset((*words("networks.saved_places"), ".", "..", "~", ""))
"""Folders in which weights lie whatever they are of."""


def is_moment(name: str) -> bool:
    """Tell a folder or file that is called after the step or epoch at which it was saved."""
    stem, ending = posixpath.splitext(name)
    bare = stem if ending in WEIGHTS else name
    return MOMENT.search(bare) is not None


def saved_under(path: str) -> str:
    """Give the folder that tells what was saved, where the path ends in when it was; nothing where none tells."""
    parts = path.rstrip("/").split("/")
    while parts and (is_moment(parts[-1]) or parts[-1].lower() in PLACES | STATES):
        parts.pop()
    return parts[-1] if parts else ""
