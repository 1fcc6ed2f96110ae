"""nnU-Net: the data set that its training command names by a number."""

from itertools import islice

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.whole_numbers import whole_count

PROGRAMS = {"nnUNetv2_train": (1, "Dataset"), "nnUNet_train": (3, "Task")}
"""At which place of its words a command names the data, and how the folders of data sets begin."""
MOST_SEARCHED = 20_000


def by_number(view: View) -> None:
    """Name the data after the folder of that number, as nnU-Net finds them: `702` is `Dataset702_AbdomenMR`."""
    place, start = PROGRAMS.get(view.launch.name.rpartition("/")[2], (0, ""))
    word = view.launch.words[place] if 0 < place < len(view.launch.words) else None
    text = word_text(word) if word is not None else ""
    if word is None or not (text.startswith(start) or text.isdigit()):
        return
    known = whole_count(text)
    begins = f"{start}{known:03d}" if known is not None else text
    folder = next((name for name in folders_of(view) if name.startswith(f"{begins}_")), begins)
    view.keep("dataset_name", folder, word.src or view.command_spot, "nnU-Net's number of the data set")


def folders_of(view: View) -> set[str]:
    """Give the names of the folders that files of the repository lie in."""
    return {part for path in islice(view.run.repository.walk(), MOST_SEARCHED) for part in path.split("/")[:-1]}


RULES = (Rule(Subject.DATA, "nnU-Net's command", by_number),)
