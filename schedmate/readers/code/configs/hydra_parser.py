"""Hydra's parser of overrides, for programs that sort the command's words themselves."""

from schedmate.readers.code.configs.merging import wrap_guess
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import LibraryObject
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod
from schedmate.readers.code.values.value import Value


class HydraOverride(LibraryObject):
    """One word of the command, as Hydra's parser gives it."""

    def __init__(self, word: Value) -> None:
        self.word = word
        self.key, _, self.text = word_text(word).partition("=")

    def get(self, name: str) -> Value | None:
        """Give what programs ask of an override."""
        known = {"input_line": self.word, "key_or_group": Value(self.key.lstrip("+~"), self.word.src)}
        if name in known:
            return known[name]
        asked = {"is_sweep_override": Value(is_sweep(self.text)), "value": wrap_guess(self.text, self.word.src)}
        return Value(LibraryMethod(lambda call: asked[name], name)) if name in asked else None


def is_sweep(text: str) -> bool:
    """Tell `1,2,3` and `range(...)` from one value, whose commas stand in brackets or quotes."""
    if text.startswith(("range(", "choice(", "interval(", "glob(")):
        return True
    depth, quote = 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            return True
    return False


def parse_overrides(call: Call) -> Value | None:
    """Model `OverridesParser.create().parse_overrides(words)`."""
    words = call.arg(0, "overrides")
    if words is None or not isinstance(words.data, list):
        return None
    return Value([Value(HydraOverride(word), word.src) for word in words.data if isinstance(word.data, str)], words.src)


ENDINGS: dict[str, Hook] = {"parse_overrides": parse_overrides}
