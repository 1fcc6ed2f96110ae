"""Why a value is not known, where what follows is decided by it; the words of each are what people are told."""

from enum import Enum


class Reason(Enum):
    """A way in which a value came to be unknown that later steps tell from all others."""

    ALTERNATIVES = "depends on what only the run knows"
    """Of two ways through the program; `parts` has what each of them gives."""
    DIVIDED = "divided by what is not known"
    MULTIPLIED = "a product with what is not known"
    FAILS = "cannot be computed"
    """Where the program guards against an error, it goes on there."""
    NUMBER = "a number made of what is not known"
    LISTED = "a list of what is not known"
    FILED = "what a file holds"
    """Such as the checkpoint that a run goes on from."""
    UNCOUNTED = "a list whose length is not known"
    """Made by one expression for each of what is not known; `parts` has one of its items."""
    UNCOUNTED_TABLE = "a mapping whose keys are not known"
    """Likewise, with one of what it holds."""
    PART = "part of what is not known"
    """Samples that were cut out of others."""
    LATER_ITEM = "an item of the loop"
    """A loop's own variable in its later rounds, of which one stands for all."""
    ENDLESS_GENERATOR = "a generator without end"
    EARLIER_RUN = "whether an earlier run left its state"
    """Whether a file is there that only a run of the same job leaves: a first run finds none."""
    OPEN_PATH = "a path that is not known"
    """Of which some parts are: these are kept in their order."""
    TYPED = "what a person types"
    """Asked for on the terminal; a batch job types nothing, and what stands in counts."""
    MULTIPLYING_ALIASES = "an alias of a document whose aliases multiply"
