"""Read TOML as plain data; a key of more parts than any file has is refused, since each part costs all before it."""

import tomllib

import re2

MOST_PARTS = 32
PART = r"""(?:[A-Za-z0-9_\-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""

LONG_KEY = re2.compile(rf"{PART}(?:[ \t]*\.[ \t]*{PART}){{{MOST_PARTS}}}")
"""tomllib keeps each beginning of a dotted key: 40 kB in one key would take 1.6 GB."""


def plain_toml(text: str) -> dict[str, object] | None:
    """Read a text; None where it is broken, or nested as only an attack is."""
    if LONG_KEY.search(text):
        return None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
