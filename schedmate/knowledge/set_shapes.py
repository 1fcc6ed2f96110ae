"""How many features and classes the samples of data sets have that libraries load by name; the tables are data."""

from typing import NamedTuple

from schedmate.knowledge.tables import table


class SetShape(NamedTuple):
    """Samples (none: not known), features of one, classes (none: numbers are predicted)."""

    samples: int
    features: int
    classes: int


def shape_of_graphs(short: str, name: str) -> SetShape | None:
    """Give what is known of a set of graphs by its class and the name that the class is told."""
    rows = table("set_shapes")["graphs"]
    found = rows.get(f"{short}/{name.lower()}") or rows.get(short)
    return SetShape(*(found[2:] or [0]), *found[:2]) if found is not None else None


def tables_of_scikit() -> dict[str, SetShape]:
    """Give scikit-learn's own tables by the functions that load them."""
    return {name: SetShape(*row) for name, row in table("set_shapes")["tables"].items()}


def classes_of_graphs() -> list[str]:
    """Name the classes that make sets of graphs."""
    return sorted({name.partition("/")[0] for name in table("set_shapes")["graphs"]})


def shape_of_pictures(name: str) -> tuple[int, ...]:
    """Give the shape of the pictures of a set by the name of Keras' module for it; an empty one of anything else."""
    return tuple(table("set_shapes")["pictures"].get(name, ()))
