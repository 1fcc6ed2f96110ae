"""What the words of a command line say of options, whoever parses them."""

from schedmate.readers.code.libraries.words import guess, is_open, is_option, joined, word_text
from schedmate.readers.code.values.value import COMMAND, Value, unknown

SCRIPTS = (".sh", ".bash", ".slurm", ".sbatch")


def told_words(words: list[Value]) -> dict[str, Value]:
    """Give `--name value`, `--name=value` and `name=value` by the last part of the name; open ones are unknown."""
    found: dict[str, list[tuple[str, Value]]] = {}
    plain = [word for word in words if isinstance(word.data, str)]
    for place, word in enumerate(plain):
        text = word_text(word)
        name, equals, inline = text.lstrip("-+").partition("=")
        behind = plain[place + 1] if place + 1 < len(plain) and is_option(text) and not equals else None
        given = Value(inline) if equals else behind
        if given is None or is_option(word_text(given)):
            continue
        src = joined(word, word if equals else given)
        value = word_text(given)
        said = unknown(f"{value} is not set here") if is_open(value) else Value(guess(value))
        known = found.setdefault(name.rpartition(".")[2].replace("-", "_"), [])
        known.append((name, Value(said.data, src)))
    # `actor.lr=1 critic.lr=2` says two things of two options that end alike; `--lr 1 --lr 2` says the last.
    return {name: said[-1][1] for name, said in found.items() if len({whole for whole, _ in said}) == 1}


def is_told(value: Value) -> bool:
    """Tell a value that a command gave, on the line itself or in a script."""
    return any(spot.path == COMMAND or spot.path.endswith(SCRIPTS) for spot in value.src)
