"""What small tools make of a text, as scripts count the GPUs they are given: `echo 0,1,2 | awk -F, '{print NF}'`."""

ESCAPED = {"\\n": "\n", "\\t": "\t"}
MOST_TEXT = 10_000


def filtered(words: list[str], text: str) -> str | None:
    """Give what a tool prints that is fed a text; None where that is not plain."""
    tool = {"awk": fields_counted, "tr": translated, "wc": counted}.get(words[0]) if words else None
    return tool(words[1:], text) if tool is not None and "$" not in text and len(text) <= MOST_TEXT else None


def fields_counted(words: list[str], text: str) -> str | None:
    """Follow `awk -F ',' '{print NF}'`; what else awk prints stays open."""
    between: str | None = None
    if words[:1] == ["-F"] and len(words) > 1:
        between, words = words[1], words[2:]
    elif words and words[0].startswith("-F"):
        between, words = words[0][2:], words[1:]
    if [word.replace(" ", "").strip("{}") for word in words] != ["printNF"] or len(between or " ") != 1:
        return None
    return str(len(text.split(between)) if text else 0)


def translated(words: list[str], text: str) -> str | None:
    """Follow `tr ',' ' '` and `tr -d '[]'`."""
    if len(words) != 2 or "[:" in words[1]:
        return None
    if words[0] == "-d":
        return "".join(letter for letter in text if letter not in words[1])
    first, second = (ESCAPED.get(word, word) for word in words)
    return text.replace(first, second) if len(first) == len(second) == 1 else None


def counted(words: list[str], text: str) -> str | None:
    """Follow `wc -l` and `wc -w`."""
    if words not in (["-l"], ["-w"]):
        return None
    return str(len(text.split("\n")) if words == ["-l"] else len(text.split()))
