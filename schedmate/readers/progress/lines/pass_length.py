"""Read how many steps a pass of training is said to have: `480 steps per epoch`, `len(train_loader) = 480`.

Not from samples and a batch: how many devices share a batch, and what is left over of it, is seldom told beside them.
"""

import re
from dataclasses import dataclass, field

from schedmate.knowledge.evaluation_words import tells_evaluation

HINT = re.compile(r"(?i)epoch|train")
"""What stands in every line that may tell it."""
DIGITS = re.compile(r"[0-9]+")

OF_A_KIND, KINDS = 8, 1 << 12
"""How many lines are read that differ in their numbers alone, and how many kinds: lines of steps come by thousands."""
MOST_READ = 1000
NUMBER = r"(?P<many>\d[\d,]{0,12})(?!\s?%|[\d,]*[.%/:x\w-])"
SAID = r"[)\]\"']{0,3}\s{0,3}(?:is|are|=|:|\.{2,80}|)\s{0,20}"
STEPS = r"(?:mini[- _]?)?(?:batch(?:es)?|steps?|iter(?:ation)?s?|updates?)"
TRAIN = r"(?<![A-Za-z])train(?:ing)?"
OF_TRAINING = rf"{TRAIN}[ _]?(?:data[ _]?set|data[ _]?loader|loader|set|data|split)?"
HAS = r"(?: has| with|)[:=]?"
COUNT = r"(?:num(?:ber)?s?|nb|n|#)[ _]?(?:of[ _])?(?:the )?"
EPOCH = r"epoch(?![A-Za-z])"
EACH = r"(?:per|each|in (?:each|an|one)|/)"
SAYS = tuple(
    re.compile(f"(?i){said}")
    for said in (
        rf"(?<![A-Za-z]){STEPS}[ _-]?{EACH}[ _-]?{EPOCH}{SAID}{NUMBER}",
        rf"(?<![\w.,]){NUMBER}\s{STEPS}\s?(?:an|{EACH})\s?{EPOCH}",
        rf"(?<![A-Za-z]){COUNT}train(?:ing)?[ _](?:mini[- _]?)?batches{SAID}{NUMBER}",
        rf"(?<![A-Za-z]){COUNT}(?:mini[- _]?)?batches in train\w{{0,12}}{SAID}{NUMBER}",
        rf"{OF_TRAINING}{HAS}\s{{1,3}}{NUMBER}\s(?:mini[- _]?)?batches(?! of| per|[ _]?size)",
        rf"{TRAIN}[ _]?(?:data[ _]?)?loader{HAS}\s{{1,3}}{NUMBER}\s{STEPS}(?![A-Za-z])",
        rf"len(?:gth)?(?: of (?:the )?|\(\s?(?:self\.)?)train\w{{0,12}}[ _]?(?:data[ _]?)?loader\)?{SAID}{NUMBER}",
        rf"(?<![A-Za-z]){EPOCH}[^()]{{0,40}}\(\s?{NUMBER}\s{STEPS}\s?\)",
        rf"(?<![A-Za-z])epochs?,?(?: of| with| x)?\s{NUMBER}\s{STEPS} each",
    )
)

BEFORE = 24
"""Characters before such words in which may stand that they are of an evaluation."""


@dataclass(slots=True)
class PassLengths:
    """What a log says of the length of a pass that trains; several values are for who asks to weigh."""

    kinds: dict[int, int] = field(default_factory=dict)

    def said(self, text: str) -> list[float]:
        """Give what a line says of it."""
        if not HINT.search(text):
            return []
        kind = hash(DIGITS.sub("0", text))
        seen = self.kinds.get(kind, 0)
        if seen >= OF_A_KIND or (not seen and len(self.kinds) >= KINDS):
            return []
        self.kinds[kind] = seen + 1
        return lengths_said(text[:MOST_READ])


def lengths_said(text: str) -> list[float]:
    """Give the lengths of a pass that a line states, however it was found."""
    lengths = []
    for found in (one for said in SAYS for one in said.finditer(text)):
        before = re.split(r"[,;|]", text[max(0, found.start() - BEFORE) : found.start()])[-1]
        if not tells_evaluation(before + found.group(), "splits"):
            lengths.append(float(found["many"].replace(",", "")))
    return lengths
