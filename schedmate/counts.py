"""How many of something there are, in words: 1 job, 2 jobs, 1,200 entries."""

ENDINGS = {"y": (1, "ies"), "s": (0, "es"), "x": (0, "es"), "ch": (0, "es"), "sh": (0, "es")}
"""What a plural takes off a word's end and puts there."""
PLAIN = ("ay", "ey", "oy", "och")
"""Ends of words that only take an s: days, epochs."""


def how_many(number: float, one: str, many: str = "") -> str:
    """Write a number and what it counts; `many` where the plural is more than another ending, as a verb's is."""
    shown = f"{int(number):,}" if float(number).is_integer() else f"{number:g}"
    return f"{shown} {one if number == 1 else many or plural(one)}"


def plural(one: str) -> str:
    """Write a word as more than one of it."""
    for end, (off, ending) in ENDINGS.items():
        if one.endswith(end) and not one.endswith(PLAIN):
            return one[: len(one) - off] + ending
    return f"{one}s"
