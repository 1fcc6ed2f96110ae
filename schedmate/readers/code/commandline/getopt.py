"""getopt: pairs of options and values as the C library's function of that name cuts a command line."""

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.run import Call, Hook, NotModelled, by_names
from schedmate.readers.code.values.value import Value, sequence_of

MOST_WORDS = 500


def cut_words(call: Call) -> Value | None:
    """Model `getopt.getopt(words, "hd:", ["help", "data="])`: the pairs, and the words that are left."""
    words = list(call.need(0, "args", list).data)[:MOST_WORDS]
    short = call.text(1, "shortopts")
    given = call.arg(2, "longopts")
    longs = [word_text(one) for one in sequence_of(given)] if given is not None else []
    if given is not None and isinstance(given.data, str):
        longs = [given.data]
    if not all(isinstance(word.data, str) for word in words):
        raise NotModelled
    pairs, rest = [], []
    while words:
        word = words.pop(0)
        text = word_text(word)
        if text == "--":
            rest += words
            break
        if text.startswith("--"):
            pairs.append(long_option(word, longs, words))
        elif text.startswith("-") and len(text) > 1:
            pairs += short_options(word, short, words)
        elif call.name.endswith("gnu_getopt"):
            rest.append(word)
        else:
            rest += [word, *words]
            break
    return Value((Value(pairs, (call.spot,)), Value(rest, (call.spot,))), (call.spot,))


def long_option(word: Value, longs: list[str], words: list[Value]) -> Value:
    """Give a long option, which may be cut short as far as it is clear, and its value."""
    name, equals, inline = word_text(word)[2:].partition("=")
    fits = [one for one in longs if one.rstrip("=") == name] or [one for one in longs if one.startswith(name)]
    full = fits[0] if fits else name
    value = Value(inline, word.src) if equals else Value("", word.src)
    if full.endswith("=") and not equals and words:
        value = words.pop(0)
    return Value((Value(f"--{full.rstrip('=')}", word.src), value), word.src)


def short_options(word: Value, short: str, words: list[Value]) -> list[Value]:
    """Give the short options of one word, `-vn8`: the first that takes a value takes the rest, or the next word."""
    found, letters = [], word_text(word)[1:]
    for place, letter in enumerate(letters):
        value, takes = Value("", word.src), f"{letter}:" in short
        if takes:
            behind = letters[place + 1 :]
            value = Value(behind, word.src) if behind else words.pop(0) if words else value
        found.append(Value((Value(f"-{letter}", word.src), value), word.src))
        if takes:
            break
    return found


HOOKS: dict[str, Hook] = {**by_names("getopt.getopt getopt.gnu_getopt", cut_words)}
