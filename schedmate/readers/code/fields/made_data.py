"""Data that a program makes of random numbers since it was told to, in place of the set of its configuration."""

from collections.abc import Iterator

from schedmate.knowledge.option_names import squashed
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value

KINDS = {"datasettype", "datatype", "datasource", "datasetname", "dataset"}
MADE = {"synthetic", "dummy", "fake", "mock", "random"}
SWITCHES = {"syntheticdata", "usesyntheticdata", "mockdata", "dummydata", "fakedata", "usefakedata", "dummy"}


def by_switch(view: View) -> None:
    """Take the command's word that the data are made up."""
    for name, value in options_of(view):
        kind, data = squashed(name), value.data
        made = (kind in KINDS and str(data).lower() in MADE) or (kind in SWITCHES and data is True)
        if made and value.src and view.is_told(value):
            view.keep("dataset_name", "synthetic data", value.src, "made of random numbers")


def options_of(view: View) -> Iterator[tuple[str, Value]]:
    """Give every option of the command's own, and those that the program was seen to read or to have."""
    yield from view.told.items()
    for name, values in view.run.reads.items():
        for value in values:
            yield name, value
    for mapping in view.namespaces:
        yield from flattened(mapping)
