"""Several data sets that one place of a program goes over: all of them are named, or where they are many, none."""

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import squash
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import is_mixed_in, keep_path, names_aside
from schedmate.readers.code.fields.data.likely_data import reads
from schedmate.readers.code.fields.data.telling_paths import telling_part, without_number
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import SourceLocation, Value, sequence_of

MOST_NAMED = 4
"""Of more sets than these none is named."""
JOINED = " + "


def names_of(texts: list[str]) -> list[str]:
    """Give the sets that paths name: known ones, and what else their files or folders are called that tells something.

    Files of one set, as `larks-1` and `larks-2`, are that one set, and so are others of which each says its name, too.
    """
    named = [known.name if (known := known_dataset(text)) is not None else own_part(text) for text in texts]
    found = list(dict.fromkeys(name for name in named if name))
    whole = next((name for name in found if all(squash(name) in squash(text) for text in texts)), None)
    return found if whole is None else [whole]


def own_part(text: str) -> str:
    """Give what a path is called that is no known set's, without the number of one of several files."""
    return without_number(telling_part(text))


def listed_sets(value: Value) -> list[str] | None:
    """Give the several sets that a list of paths names, at least two of them known; nothing where it is one."""
    texts = [path_text(one) for one in sequence_of(value)]
    known = {found.name for text in texts if text and (found := known_dataset(text)) is not None}
    names = names_of(texts) if all(texts) and len(known) > 1 else []
    return names if len(names) > 1 else None


def sets_below(view: View, folder: str) -> list[str] | None:
    """Give the sets whose folders in the told one are surely read, where at least two of them are known."""
    below = folder.rstrip("/") + "/"
    opened = [event for event in view.events if event.sure and reads(event)]
    texts = [path_text(value) for event in opened for value in (*event.args[:2], *event.kwargs.values())]
    rests = (text[len(below) :] for text in texts if text.startswith(below) and not names_aside(text))
    parts = list(dict.fromkeys(rest.partition("/")[0] for rest in rests if "/" in rest))
    known = {found.name for part in parts if (found := known_dataset(part)) is not None and not is_mixed_in(found)}
    whole = known_dataset(folder)
    return names_of(parts) if whole is None and len(known) > 1 else None


def keep_several(view: View, names: list[str], spots: tuple[SourceLocation, ...]) -> None:
    """Keep the names of several sets as one; of many say that none names the whole."""
    if len(names) <= MOST_NAMED:
        view.keep("dataset_name", JOINED.join(names), spots, "several sets")
    else:
        view.rule_out("dataset_name")


def keep_paths(view: View, value: Value) -> None:
    """Keep the data sets that a list of paths names: the one, or each of several."""
    names = listed_sets(value)
    if names is None:
        keep_path(view, value.data[0])
    else:
        keep_several(view, names, value.src or value.data[0].src)
