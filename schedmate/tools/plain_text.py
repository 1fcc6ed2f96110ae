"""Make text of others fit for a terminal and for messages: nothing in it commands, hides or turns around."""

import re

COMMANDING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters of both kinds, what turns the direction of writing, what has no width, halves of characters."""
SEQUENCE = re.compile(r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\x1b[@-Z\\^_=>78]")
"""What a program writes to colour its output, to move about, or to name the window."""


def encodable(text: str) -> str:
    """Join characters that stand there in halves; `?` is put for a lone half, which no pattern or store can take."""
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return joined.encode("utf-8", "replace").decode("utf-8")
    return text


def plain(text: str) -> str:
    """Show what would command a terminal as it would stand in JSON, where it so keeps its meaning."""
    return text if text.isprintable() else COMMANDING.sub(lambda match: shown(match[0]), text)


def shown(letter: str) -> str:
    """Write a character as JSON does."""
    number = ord(letter)
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


def plain_log(text: str) -> str:
    """Make a log readable: colours and moves go, what overwrites a line begins a new one, the rest is shown."""
    return plain(SEQUENCE.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))
