"""Tell by its words alone of what a line speaks: a fault of which part, or nothing that ends a job.

Each word, and each pair of neighbours, speaks for or against each kind; `python -m evals plain_words` fits how much, on
lines that the project wrote for it.
"""

import json
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import exp, sqrt
from typing import NamedTuple

from schedmate.knowledge.catalogue import Failure
from schedmate.knowledge.own_limits import BY_WORDS, speaks_of_limit
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN
from schedmate.tools.late_patterns import late

NOTHING = "none"

MOST_BYTES, MOST_WORDS = 400, 50
"""How much of a line is read: it says at its beginning what it says."""
LEAST_KNOWN = 4
"""How many of a line's words and pairs must be known."""
SCALE = 4.0
"""How far all words of a line together can move it."""
WORDS = "words."
"""What the ids of entries begin with that only say of what a line's words speak."""
WEIGHT = 0.5
MACHINE = UNKNOWN._replace(
    category="infrastructure",
    restart="elsewhere",
    weight=WEIGHT,
    general=True,
    daemon=True,
    action="Have the part looked at that the line names, and restart without it.",
)
PROGRAM = UNKNOWN._replace(weight=WEIGHT, general=True, action="Read the line: it says what the program asks for.")

ENTRIES = {
    "infrastructure/gpu": MACHINE._replace(subcategory="gpu", meaning="an accelerator"),
    "infrastructure/nvlink": MACHINE._replace(subcategory="nvlink", meaning="the links between accelerators"),
    "infrastructure/network": MACHINE._replace(subcategory="network", meaning="the network"),
    "infrastructure/node": MACHINE._replace(subcategory="node", meaning="a machine, its memory or its storage"),
    "infrastructure/other": MACHINE._replace(subcategory="other", meaning="the site or one of its services"),
    "framework": PROGRAM._replace(category="framework", meaning="a library, or memory that an accelerator lacks"),
    "script": PROGRAM._replace(meaning="the program, its options or its data"),
    "other": PROGRAM._replace(
        category="other",
        meaning="somebody or a limit that ended the job",
        action="Ask who ended it, or look the limit up.",
    ),
}
"""What is known of a line of each kind."""
OF_MACHINES = "infrastructure/node"
OWN_LIMIT = "No entry knows this line; its words speak of a limit of memory that the job was given."
WORD = late(r"[a-z]{2,}")
ENDING = late(r"(?:ing|ed|es|s)$")


class Spoken(NamedTuple):
    """The kind of fault that a line most likely states, and how likely it states one at all."""

    kind: str
    sure: float


class WordWeights(NamedTuple):
    """How much each word and each pair speaks for each kind."""

    kinds: tuple[str, ...]
    bias: tuple[float, ...]
    words: dict[str, tuple[float, ...]]


def told_by_words(text: str) -> Spoken | None:
    """Read a line; None where too few of its words are known to say anything."""
    return told_with(shipped(), text)


def told_with(weights: WordWeights, text: str) -> Spoken | None:
    """Read a line by given weights."""
    known = [row for name in words_of(text) if (row := weights.words.get(name))]
    if len(known) < LEAST_KNOWN:
        return None
    scale = SCALE / sqrt(len(known))
    spoken = [bias + scale * sum(column) for bias, column in zip(weights.bias, zip(*known, strict=True), strict=True)]
    loudest = max(spoken)
    odds = [exp(one - loudest) for one in spoken]
    nothing = weights.kinds.index(NOTHING)
    best = max((place for place in range(len(odds)) if place != nothing), key=odds.__getitem__)
    return Spoken(weights.kinds[best], 1 - odds[nothing] / sum(odds))


def words_of(text: str) -> set[str]:
    """Give a line's words without their endings, and its pairs of neighbours."""
    stems = [stem(word) for word in WORD.findall(text[:MOST_BYTES].lower())[:MOST_WORDS]]
    return {*stems, *(f"{one} {other}" for one, other in pairwise(stems))}


def stem(word: str) -> str:
    """Cut a word's ending: `answers`, `answered` and `answering` say the same."""
    return ENDING.sub("", word) if len(word) > 4 else word


def entry_of(kind: str, text: str = "") -> Failure:
    """Give what is known of a line that states a fault of a kind in its own words; a limit of the job blames nobody."""
    entry = ENTRIES[kind]
    if kind == OF_MACHINES and speaks_of_limit(text):
        return entry._replace(id=BY_WORDS, restart="no", meaning=OWN_LIMIT, action="Use less memory, or ask for more.")
    meaning = f"No entry knows this line; its words speak of {entry.meaning}."
    return entry._replace(id=WORDS + kind.rpartition("/")[2], meaning=meaning)


@lru_cache(maxsize=1)
def shipped() -> WordWeights:
    """Read what was fitted."""
    told = json.loads(files("schedmate.knowledge").joinpath("plain_words.json").read_text("utf-8"))
    words = {name: tuple(value / 100 for value in row) for name, row in told["words"].items()}
    return WordWeights(tuple(told["kinds"]), tuple(told["bias"]), words)
