"""Read the words of other languages as the English ones that the word lists hold."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

LATIN = re.compile(r"[a-z]+")

LAST_ALPHABET = 0x2E80
"""From here on scripts do not part words by spaces."""


@lru_cache(maxsize=1)
def translations() -> dict[str, str]:
    """Read once how other languages say the words of the lists; the longest first, as some write without spaces."""
    text = (files("schedmate.knowledge") / "lognames_translated.toml").read_text("utf-8")
    pairs = {word: english for english, spellings in tomllib.loads(text).items() for word in spellings}
    return dict(sorted(pairs.items(), key=lambda pair: -len(pair[0])))


def in_english(word: str) -> list[str]:
    """Translate a word; one of a script without spaces is read as the words that it is made of."""
    lowered = word.lower()
    if lowered in translations():
        return [translations()[lowered]]
    found = {
        lowered.find(other): english
        for other, english in reversed(translations().items())
        if not other.isascii() and ord(other[0]) > LAST_ALPHABET and other in lowered
    }
    if ord(lowered[0]) > LAST_ALPHABET or ord(lowered[-1]) > LAST_ALPHABET:  # 当前epoch: another script goes on
        found |= {one.start(): one.group() for one in LATIN.finditer(lowered)}
    return [found[place] for place in sorted(found)] or [lowered]
