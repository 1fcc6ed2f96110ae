"""Read TOML as plain data; a key of more parts than any file has is refused, since each part costs all before it."""

import tomllib
from itertools import islice

from schedmate.tools.late_patterns import late_re2

MOST_PARTS = 32
MOST_PIECES = 20_000
PART = r"""(?:[A-Za-z0-9_\-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""

LONG_KEY = late_re2(rf"{PART}(?:[ \t]*\.[ \t]*{PART}){{{MOST_PARTS}}}")
"""tomllib keeps each beginning of a dotted key: 40 kB in one key would take 1.6 GB."""

PIECE = late_re2(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\(?s:.))*?(?:"{3,5}|\z)'
    r"|'''(?s:.)*?(?:'{3,5}|\z)"
    rf"|(?P<key>{LONG_KEY.pattern})"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'[^'\n]*'?"
)
"""A comment, a text of lines, a key of too many parts, or another text; each begins where the one before has ended."""


def has_long_key(text: str) -> bool:
    """Tell a key, or a table's head, of too many parts; dots in texts and comments are none of it."""
    if not LONG_KEY.search(text):
        return False
    pieces = list(islice(PIECE.finditer(text), MOST_PIECES))
    return len(pieces) == MOST_PIECES or any(piece.group("key") for piece in pieces)


def plain_toml(text: str) -> dict[str, object] | None:
    """Read a text; None where it is broken, or nested as only an attack is."""
    if has_long_key(text):
        return None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
