"""How many samples standard data sets hold; the table is data."""

from collections.abc import Callable

import re2

from schedmate.knowledge.tables import table

CUT = re2.compile(r"^(\w+)\[(\d*):(\d*)(%?)\]$")
"""A split of which only a part is asked for: `train[:10%]`, `train[100:200]`."""


def library_sets() -> list[str]:
    """Name the sets that torchvision and Keras make."""
    return list(table("data_sizes")["libraries"])


def size_in_library(name: str, trains: bool) -> int | None:
    """Give the samples of a set that torchvision or Keras makes by its class's or module's name."""
    sizes = table("data_sizes")["libraries"].get(name)
    return int(sizes[0 if trains else 1]) if sizes is not None else None


def size_of_library_split(name: str, split: str | None) -> int | None:
    """Give the samples of a set that torchvision makes by its class's name, of a split or of the one without a word."""
    sizes: dict[str, int] = table("data_sizes")["split_libraries"].get(name, {})
    return next(iter(sizes.values()), None) if split is None or "" in sizes else sizes.get(split)


def size_of_part(callee: str, told: Callable[[str, int], object]) -> int | None:
    """Give the samples of a set that a library makes of what it is told, an argument by its name and place.

    What is told is None where nothing is said, and anything that is neither a text nor yes or no where it is not known.
    """
    row = table("data_sizes")["parts"].get(callee.rpartition(".")[2])
    if row is None or not callee.startswith(f"{row['library']}."):
        return None
    words = [(usual if (one := told(name, place)) is None else one) for name, place, usual in row["told"]]
    known = all(isinstance(word, (str, bool)) for word in words)
    size: int | None = row["sizes"].get(
        " ".join(word if isinstance(word, str) else str(word).lower() for word in words)
    )
    return size if known else None


def size_of_list(path: str) -> int | None:
    """Give how many samples a file lists that comes with a standard set, by how its path ends."""
    sizes: dict[str, int] = table("data_sizes")["lists"]
    parts = path.replace("\\", "/").split("/")
    return next((sizes[end] for count in (1, 4) if (end := "/".join(parts[-count:])) in sizes), None)


def standard_size(name: str) -> int | None:
    """Give the samples for training of a set that is hardly ever cut otherwise."""
    size: int | None = table("data_sizes")["standard"].get(name)
    return size


def words_of_other_items(name: str) -> list[str]:
    """Give the words that mean other samples of a set than those that its usual size counts."""
    told: list[str] = table("data_sizes")["other_items"].get(name, [])
    return told


def edition_of(name: str) -> str:
    """Give what names the edition of a set that has the usual size, where others have another."""
    edition: str = table("data_sizes")["editions"].get(name, "")
    return edition


def size_on_hub(path: str, configuration: str | None, split: str) -> int | None:
    """Give the samples of a hub's set in one of its splits, or in a part of one."""
    owner, _, name = path.lower().rpartition("/")
    known = table("data_sizes")
    wanted = name if configuration in (None, *known["hub_whole"]) else f"{name}/{configuration}"
    is_told = (
        not owner or owner in known["hub_owners"] or name in known["hub_own"].get(owner, ())
    )  # else somebody's own set of that name, or a folder
    row = known["hub"].get(wanted) if is_told else None
    return part_of(row, split)


def size_in_tensorflow(name: str, split: str) -> int | None:
    """Give the samples of a set that TensorFlow Datasets loads by name, in one of its splits or in a part of one."""
    bare = name.partition(":")[0]
    return part_of(table("data_sizes")["tensorflow"].get(bare), split)


def text_sets() -> list[str]:
    """Name the sets that torchtext loads."""
    return list(table("data_sizes")["texts"])


def text_splits(name: str) -> dict[str, int]:
    """Give the splits of a set that torchtext loads, and how many samples they hold."""
    sizes: dict[str, int] = table("data_sizes")["texts"][name]
    return sizes


def part_of(row: dict[str, int] | None, split: str) -> int | None:
    """Give the samples of a split, or of a part of one: `train[:10%]`."""
    cut = CUT.match(split)
    whole = row.get(cut.group(1) if cut is not None else split) if row is not None else None
    if cut is None:
        return whole
    first, last, share = int(cut.group(2) or 0), cut.group(3), cut.group(4)
    if not share and last:
        return min(int(last), whole or int(last)) - first
    if whole is None:
        return None
    end = int(last) if last else (100 if share else whole)
    return (end - first) * whole // 100 if share else end - first
