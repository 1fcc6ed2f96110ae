"""Words of a command line: convert them, split options from values, and remember where each stood."""

from schedmate.readers.code.libraries.environment import give_arguments
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_constant

YES = frozenset({"true", "yes", "on", "1", "t", "y"})
NO = frozenset({"false", "no", "off", "0", "f", "n"})


def word_text(word: Value) -> str:
    """Give a word as text; a value that a shell could not settle stays as it is written."""
    return word.data if isinstance(word.data, str) else str(word.data) if is_constant(word) else ""


def joined(option: Value, value: Value | None) -> tuple[SourceLocation, ...]:
    """Give the place of an option with its value: from the command, the two words as they stand there."""
    spot = option.src[0] if option.src else SourceLocation(COMMAND, 1)
    if spot.path != COMMAND:
        return (value.src if value is not None and value.src else ()) or (spot,)
    text = word_text(option)
    quote = f"{text} {word_text(value)}" if value is not None and value is not option else text
    return (SourceLocation(COMMAND, spot.line, quote),)


def is_open(text: str) -> bool:
    """Tell a word that holds a variable nobody has set."""
    return "${" in text or (text.startswith("$") and len(text) > 1) or "$(" in text


def guess(text: str) -> str | int | float | bool | None:
    """Read a word as YAML and fire would: number, boolean, null, or text."""
    low = text.strip().lower()
    if low in ("true", "yes", "on"):
        return True
    if low in ("false", "no", "off"):
        return False
    if low in ("null", "none", "~", ""):
        return None if text else ""
    return number(text) if number(text) is not None else text


def number(text: str) -> int | float | None:
    """Read a number; underscores as in `1_000` count as Python's."""
    cleaned = text.strip()
    if not cleaned or len(cleaned) > 40 or cleaned.lower() in ("nan", "inf", "-inf", "infinity"):
        return None
    try:
        return int(cleaned)
    except ValueError:
        pass
    try:
        return float(cleaned)
    except ValueError:
        return None


def as_bool(text: str) -> bool | None:
    """Read a yes or a no."""
    low = text.strip().lower()
    return True if low in YES else False if low in NO else None


def is_option(text: str) -> bool:
    """Tell an option from a value, as `-1` and `-1e-3` are."""
    return text.startswith("-") and len(text) > 1 and number(text) is None


def arguments_of(run: Run) -> list[Value]:
    """Give the words after the program's name, as the program may have changed them."""
    return [word for word in give_arguments(run).data[1:] if isinstance(word, Value)]
