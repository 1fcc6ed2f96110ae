"""LLaMA-Factory: how many samples its configuration names, where their files lie in the repository."""

import json
import posixpath

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.counted_files import count_in_file
from schedmate.readers.code.values.value import Attributes, Items, Value, join_spots

INDEX = "dataset_info.json"
"""The file beside the data that says which name is which file."""
STAGES = ("sft", "rm", "dpo", "kto")
"""Stages that take one entry of a file for one sample."""
PACKING = ("packing", "neat_packing", "streaming", "mix_strategy", "tokenized_path")
"""Settings by which samples are put together, come without an end or are mixed."""


def listed_samples(view: View) -> Value | None:
    """Count the samples of all data sets that a configuration of LLaMA-Factory names, as far as they are used."""
    options = next((one for one in view.namespaces if "dataset" in one and "template" in one), None)
    if options is None or text(options, "stage") not in STAGES or any(is_set(options, name) for name in PACKING):
        return None
    folder = text(options, "dataset_dir") or "data"
    index = view.run.repository.find_file(posixpath.join(folder, INDEX), view.launch.workdir, ".")
    files = files_of(view, index) if index is not None else {}
    most = options.get("max_samples")
    counts = []
    for name in text(options, "dataset").split(","):
        path = files.get(name.strip())
        count = count_in_file(view.run.repository, path) if path is not None else None
        if count is None:
            return None
        limit = most.data if most is not None and type(most.data) is int else count.data
        counts.append(Value(min(count.data, limit), count.src))
    total = sum(count.data for count in counts)
    kept_back = options.get("val_size")
    share = kept_back.data if kept_back is not None and isinstance(kept_back.data, (int, float)) else 0
    return Value(int(total - (total * share if share < 1 else share)), join_spots(*counts))


def files_of(view: View, index: str) -> dict[str, str]:
    """Give the files beside the index by the names of the data in them."""
    try:
        found = json.loads(view.run.read_text(index) or "{}")
    except ValueError:
        return {}
    entries = found.items() if isinstance(found, dict) else ()
    named = {name: entry.get("file_name") for name, entry in entries if isinstance(entry, dict)}
    folder = posixpath.dirname(index)
    return {name: posixpath.join(folder, file) for name, file in named.items() if isinstance(file, str)}


def text(options: Items | Attributes, name: str) -> str:
    """Give what an option says."""
    value = options.get(name)
    return value.data if value is not None and isinstance(value.data, str) else ""


def is_set(options: Items | Attributes, name: str) -> bool:
    """Tell an option that is switched on or given a word other than the usual one."""
    value = options.get(name)
    return value is not None and value.data not in (None, False, "", "concat")
