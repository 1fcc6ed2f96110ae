"""What libraries take when a program does not say; the table is data."""

from functools import lru_cache
from typing import Any

from schedmate.knowledge.tables import table

SAME = {
    "pytorch_lightning": "lightning",
    "lightning.pytorch": "lightning",
    "tensorflow.keras": "keras",
    "tensorflow.compat.v1.keras": "keras",
    "tensorflow.compat.v1": "tensorflow",
    "tensorflow.compat.v2.keras": "keras",
    "keras.api": "keras",
    "tf.keras": "keras",
    "tf_keras": "keras",
    "torch.optim.adamw": "torch.optim",
    "torch.optim.adam": "torch.optim",
    "torch.optim.sgd": "torch.optim",
    "transformers.training_args": "transformers",
    "keras.legacy": "keras",
    "keras.optimizers.legacy": "keras.optimizers",
    "keras.optimizers.experimental": "keras.optimizers",
}
OF_TRAINERS = ("transformers.", "trl.", "sentence_transformers.")


def library_config(name: str) -> dict[str, Any]:
    """Give the defaults of a library's class or function by its dotted name; empty where none are known."""
    for old, new in SAME.items():
        if name.startswith(f"{old}."):
            name = new + name[len(old) :]
    for known in (name, argument_records().get(name.rpartition(".")[2], "")):
        row = table("trainers").get(known)
        if row is not None:
            below = library_config(row["like"]) if "like" in row else {}
            return {**below, **{key: value for key, value in row.items() if key != "like"}}
    return {}


@lru_cache(maxsize=1)
def argument_records() -> dict[str, str]:
    """Give the records of arguments that trainers take by the last parts of their names, which say enough."""
    return {
        name.rpartition(".")[2]: name
        for name in table("trainers")
        if name.startswith(OF_TRAINERS) and name.endswith(("TrainingArguments", "Config"))
    }
