"""Read how long a pass is said to be, in steps or samples: `500 batches per epoch`, `# training images = 900`."""

import re
from collections.abc import Iterator
from typing import Literal

from schedmate.knowledge.evaluation_words import tells_evaluation

Length = Literal["pass_steps", "pass_samples"]

HINT = re.compile(r"(?i)epoch|batches|train")
"""What stands in every line that may tell it."""
NUMBER = r"(?P<many>\d[\d,]{0,12})(?![\d,]*[.%/:x\w-])"
SAID = r"[)\]\"']{0,3}\s{0,3}(?:is|are|=|:|\.{2,80}|)\s{0,20}"
STEPS = r"(?:mini[- _]?)?(?:batch(?:es)?|steps?|iter(?:ation)?s?|updates?)"
SAMPLES = r"(?:samples|examples|images|sentences|sequences|records|instances|pairs|graphs|utterances|clips)"
TRAIN = r"(?<![A-Za-z])train(?:ing)?"
OF_TRAINING = rf"{TRAIN}[ _]?(?:data[ _]?set|data[ _]?loader|loader|set|data|split)?"
HAS = r"(?: has| with|)[:=]?"
COUNT = r"(?:num(?:ber)?s?|nb|n|total|#)[ _]?(?:of[ _])?(?:the )?(?:total )?"
EPOCH = r"epoch(?![A-Za-z])"
EACH = r"(?:per|each|in (?:each|an|one)|/)"
OF_STEPS = (
    rf"(?<![A-Za-z]){STEPS}[ _-]?{EACH}[ _-]?{EPOCH}{SAID}{NUMBER}",
    rf"(?<![\w.,]){NUMBER}\s{STEPS}\s?(?:an|{EACH})\s?{EPOCH}",
    rf"(?<![A-Za-z]){COUNT}(?:train(?:ing)?[ _])?(?:mini[- _]?)?batches(?: in train\w{{0,12}})?{SAID}{NUMBER}",
    rf"{OF_TRAINING}{HAS}\s{{1,3}}{NUMBER}\s(?:mini[- _]?)?batches(?! of| per|[ _]?size)",
    rf"{TRAIN}[ _]?(?:data[ _]?)?loader{HAS}\s{{1,3}}{NUMBER}\s{STEPS}(?![A-Za-z])",
    rf"len(?:gth)?(?: of (?:the )?|\(\s?(?:self\.)?)train\w{{0,12}}[ _]?(?:data[ _]?)?loader\)?{SAID}{NUMBER}",
    rf"(?<![A-Za-z]){EPOCH}[^()]{{0,40}}\(\s?{NUMBER}\s{STEPS}\s?\)",
    rf"(?<![A-Za-z])epochs?,?(?: of| with| x)?\s{NUMBER}\s{STEPS}(?: each|[.;)]|$)",
)
OF_SAMPLES = (
    rf"{OF_TRAINING}[ _](?:size|{SAMPLES}){SAID}{NUMBER}",
    rf"(?<![\w.,]){NUMBER}\strain(?:ing)?\s{SAMPLES}",
    rf"{OF_TRAINING}(?: on|{HAS})\s{{1,3}}{NUMBER}\s{SAMPLES}",
    rf"len(?:gth)?(?: of (?:the )?|\(\s?(?:self\.)?)train\w{{0,12}}[ _]?(?:data)?set\)?{SAID}{NUMBER}",
)
SAYS: dict[Length, tuple[re.Pattern[str], ...]] = {
    "pass_steps": tuple(re.compile(f"(?i){said}") for said in OF_STEPS),
    "pass_samples": tuple(re.compile(f"(?i){said}") for said in OF_SAMPLES),
}
BEFORE = 24
"""Characters before such words in which may stand that they are of an evaluation."""


def lengths_said(text: str) -> Iterator[tuple[Length, float]]:
    """Give what a line says of the length of a pass that trains; several values are for who asks to weigh."""
    if not HINT.search(text):
        return
    for length, patterns in SAYS.items():
        for found in (one for said in patterns for one in said.finditer(text)):
            before = re.split(r"[,;|]", text[max(0, found.start() - BEFORE) : found.start()])[-1]
            if not tells_evaluation(before + found.group(), "splits"):
                yield length, float(found["many"].replace(",", ""))
