"""Cut a log line into numbers, words and marks; what remains without the numbers is the line's template.

Progress lines differ in their numbers alone, so all thinking about a line is done once for its template. The patterns
here are fixed, free of nested repetition, and meet lines of bounded length.
"""

import re
from dataclasses import dataclass
from functools import cache

from schedmate.tools.late_patterns import late

MAX_LINE = 4096
"""Characters of a line that are read; a longer one keeps its two ends."""

COUNTERS = ("epoch", "epochs", "iter", "iteration", "step", "batch", "ep", "itr", "update", "round")
AFTER_COUNTERS = "|".join(
    rf"(?<=\b{spelling}.)" for word in COUNTERS for spelling in (word, word.capitalize(), word.upper())
)

AFTER_POINTS = "|".join(
    rf"(?<=\b{spelling}\..)" for word in ("epoch", "iter", "step") for spelling in (word, word.capitalize())
)
"""A counter's name may end with a point, as `Epoch.12` has it: that is no number below one."""

SPACELESS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Scripts that set numbers right behind words: 第100步, 耗时0.5秒."""
AFTER_PART = r"(?<=\b\d[dhmT].)|(?<=\b\d\d[dhmT].)|(?<=\b\d{3}[dhmT].)|(?<=\d{8}T.)"
AFTER_PART += r"|(?<=[dhT]\d[hm].)|(?<=[dhT]\d\d[hm].)|(?:(?<=\b\ds.)|(?<=\b\d\ds.))(?=\d{0,2}ms\b)"
"""Behind such a part the next one of a duration or stamp begins, `1d03h12m`, `3s505ms`; name `6042d69d2` has none."""
EXPONENT = r"(?:[eE][-+]?\d{1,3}(?!\w))?"
GROUPED = r"\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d|,\d)"
DIGITS = rf"""
    (?: (?<![\w.@].) | {AFTER_PART} | (?<=[{SPACELESS}].) | (?:{AFTER_COUNTERS}|{AFTER_POINTS})(?<![-+]) )
    (?: (?<=[0-9]) (?: (?<!\d:.)(?<=[1-9]){GROUPED} | \d*(?:_\d{{3}})*(?:\.\d*)?{EXPONENT} )
      | (?<=[-+]) (?: [1-9]{GROUPED} | \d+(?:\.\d*)?{EXPONENT} | \.\d+{EXPONENT} )
      | (?<=\.)(?<![a-zA-Z]\.) \d+{EXPONENT}
"""
ODD = r"""
      | (?<=[-+]) (?:nan|NaN|NAN|inf|Inf|INF)(?![\w:.])
      | (?<=[nN])[aA][nN](?![\w:.]) | (?<=[iI])[nN][fF](?:inity)?(?![\w:.])
"""
PLAIN_NUMBER = f"([-+.0-9] {DIGITS} ))"
ODD_NUMBER = f"([-+.0-9nNiI] {DIGITS} {ODD} ))"

HAS_ODD = re.compile(r"\b[nNiI][aAnN][nNfF](?:inity)?\b")
"""A number stands alone or behind the name of a counter (`epoch12`): the digits of `fp16` and `Acc@1` are no values.
A dash right behind such a name parts them: `iter-700` counts 700.
It begins with a set of characters, and looks back only then, so that the search can run over all others at once."""

WORD = re.compile(r"[^\W\d]\w*(?:[/.@’'-][^\W\d]\w*|@\d+)*|\S")
"""A word may be joined by `/ . @ - '`, as `train/loss`, `words/sec` and `it's` are; any other character is a mark."""

DRAWN = "█-▏░-▓━╸╺╍■□●○⣿"

BAR = re.compile(
    rf"""
    [|\[{DRAWN}] (?:
        (?<=%\|) [^|/a-zA-Z]{{0,400}}\| | (?<=%\s\|) [^|/a-zA-Z]{{0,400}}\|
      | (?<=[{DRAWN}]) [─{DRAWN}\s]*
      | (?<=\|) [\#=]{{1,400}}>?[\s.\-]{{0,400}}\|
      | (?<=\[) (?: [=>.\#*\-]{{3,400}} | [=\#>]{{1,400}}[\s.\-]{{0,400}} ) \]
    )
    """,
    re.VERBOSE,
)
"""The drawn part of a progress bar, whose length would make each line a template of its own; no letter is part of it:
`12.5% | loss 2.31 | 3.4 it/s` has none."""

BAR_MARK = "▌"

SCALED = late(r"(?<![\w.])(\d{1,4}(?:\.\d{1,3})?)([kMG])(?:it)?/(\d{1,4}(?:\.\d{1,3})?)([kMG]?)(?:it)?(?=[ ,\]]|$)")
SMALLEST = 1e-30

MAGNITUDE = {"k": 1e3, "M": 1e6, "G": 1e9}
"""How bars print large counters (`unit_scale`)."""


@dataclass(frozen=True, slots=True)
class Token:
    """One number, word or mark; `slot` counts the line's numbers and is -1 for what is none."""

    kind: str
    text: str
    start: int
    end: int
    slot: int = -1


LISTED = re.compile(r'(?<=,)"\[[^"\]]*\]"(?=,|$)')
"""A list that is one cell of a row parted by commas."""


def shorten(line: str) -> str:
    """Keep both ends of a line that is too long to be read whole; a list in a cell of a table has no single value."""
    line = LISTED.sub('""', line) if ',"[' in line else line
    return line if len(line) <= MAX_LINE else line[: MAX_LINE // 2] + " … " + line[-MAX_LINE // 2 :]


PATH = re.compile(r"(?<![\w.)\]/:])/(?:[\w.+@=-]{1,120}/){2,30}[\w.+@=-]{0,120}")
"""A file by its whole path; the digits of hashes, sizes and checkpoints in it are no values of the line."""
JULIAN = re.compile(r"(?<![\w.])(\d{1,12}\.\d{1,12})f(-?\d{1,2})(?![\w.])")
"""The exponent of a number of 32 bits, as Julia shows it: `0.128f0`."""
NUMBERED_PART = re.compile(r"[\w.+@=-]*\d[\w.+@=-]*")


def normalise(line: str) -> str:
    """Draw every progress bar alike, and bound the line's length."""
    line = BAR.sub(BAR_MARK, shorten(line))
    if "i/s]" in line and BAR_MARK in line:
        line = line.replace("i/s]", "it/s]")  # Julia's bars; elsewhere `i/s` may count images
    if line.count("/") > 2:  # a path of three parts
        line = PATH.sub(lambda path: NUMBERED_PART.sub("x", path[0]), line)
    if "f0" in line or "f-" in line:
        line = JULIAN.sub(r"\1e\2", line)
    return SCALED.sub(unscaled, line) if "k/" in line or "M/" in line or "it/" in line else line


def unscaled(found: re.Match[str]) -> str:
    """Write a counter of a bar and its end in full: `14.9kit/200kit` is `14900/200000`."""
    ends = (found[1], found[2]), (found[3], found[4])
    return "/".join(f"{float(number) * MAGNITUDE.get(letter, 1):.0f}" for number, letter in ends)


KINDS = {True: "\0", False: "\1"}
"""A template tells whole numbers from others: only the former can be counters."""


def numbers_in(line: str) -> re.Pattern[str]:
    """Choose the pattern for a line: few lines say NaN or inf, and looking for those takes twice the time."""
    hint = "nan" in line or "NaN" in line or "inf" in line or "Inf" in line or "NAN" in line or "INF" in line
    return compiled_number(ODD_NUMBER if hint and HAS_ODD.search(line) else PLAIN_NUMBER)


@cache
def compiled_number(pattern: str) -> re.Pattern[str]:
    """Compile a number's pattern on first use: each takes as long as a hundred others, and many logs need none."""
    return re.compile(pattern, re.VERBOSE)


def split_numbers(line: str) -> tuple[str, list[str]]:
    """Part a normalised line into its template and the numbers that were taken out."""
    parts = numbers_in(line).split(line)
    numbers = parts[1::2]
    parts[1::2] = map(KINDS.get, map(str.isdigit, numbers))
    return "".join(parts), numbers


def tokens_of(line: str) -> list[Token]:
    """Cut a normalised line into tokens in reading order."""
    tokens: list[Token] = []
    place = slot = 0
    for found in numbers_in(line).finditer(line):
        tokens += words_between(line, place, found.start())
        tokens.append(Token("number", found.group(), found.start(), found.end(), slot))
        place, slot = found.end(), slot + 1
    return tokens + words_between(line, place, len(line))


def words_between(line: str, start: int, end: int) -> list[Token]:
    """Cut what stands between two numbers."""
    found = WORD.finditer(line, start, end)
    return [
        Token("word" if m.group()[0].isalpha() or m.group()[0] == "_" else "mark", m.group(), m.start(), m.end())
        for m in found
    ]


def value_of(text: str) -> float:
    """Read a number as it was printed; `1,234` and `1_234` are thousands."""
    try:
        return float(text)
    except ValueError:
        return float(text.replace(",", ""))


def is_measurable(value: float) -> bool:
    """Tell what a counter or a clock can show; of other numbers the squares and the quotients are none any more."""
    return value == 0 or SMALLEST < value < 1 / SMALLEST


def half_unit(text: str) -> float:
    """Give half a unit of the last printed digit: how far the true value may lie from what is printed."""
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0) if exponent[-1:].isdigit() or not exponent else 0
    return float(0.5 * 10.0 ** -min(max(decimals, -300), 300))
