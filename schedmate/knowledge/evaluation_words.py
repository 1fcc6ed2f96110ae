"""Words by which names say that something is for evaluation and not for training; the table is data."""

from functools import cache, lru_cache

from schedmate.knowledge.tables import table
from schedmate.knowledge.tasks import words_of


@cache
def evaluation_words(*lists: str) -> frozenset[str]:
    """Give the words of some of the lists: `names`, `splits`, `uses`."""
    return frozenset(word for name in lists for word in table("evaluation_words")[name])


@lru_cache(maxsize=4096)
def tells_evaluation(text: str, also: str = "names") -> bool:
    """Tell a text with a word of evaluation by itself, as part of a name, numbered, or glued before what it is of."""
    known = evaluation_words("names", also)
    said = (word.rstrip("0123456789") for word in words_of(text))
    return any(word in known or is_glued(word, known) for word in said)


def is_measured_on(text: str) -> bool:
    """Tell a name of a set on which results are measured alone: `Set12`, `Set5_x3.h5`."""
    parts = text.lower().replace("-", "_").replace(".", "_").split("_")
    return not evaluation_words("sets").isdisjoint(parts)


def is_glued(word: str, known: frozenset[str]) -> bool:
    """Tell `valloader` and `testset`."""
    return any(word.removesuffix(end) in known for end in table("evaluation_words")["glued"] if word.endswith(end))
