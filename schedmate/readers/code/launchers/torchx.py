"""`torchx run`: a component's name, its options, and the program's words behind `--`; the common ones stand for
torchrun, Python and a shell.
"""

import re

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value

VALUES = frozenset({"-s", "--scheduler", "-cfg", "--scheduler_args", "--workspace", "--parent_run_id"})
"""Options of `torchx run` itself that take a value."""
PROCESSES = frozenset({"dist.ddp", "dist.spmd"})
COMPONENTS = PROCESSES | {"utils.python", "utils.sh"}

SHAPE = re.compile(r"^(?:\d{1,6}:)?(?:(\d{1,6})x)?(\d{1,6})$")
"""How `-j` tells machines and processes of each: `2x8`, `1:2x8`, `8`."""
USUAL_SHAPE = "1x2"


def torchx_words(words: list[Value]) -> list[Value] | None:
    """Give the words that a component starts; None for its other commands and for components of a site's own."""
    told = [word_text(word) for word in words]
    place = 1
    while place < len(words) and told[place] not in COMPONENTS:
        if not told[place].startswith("-") and told[place] != "run":
            return None
        place += 2 if told[place] in VALUES else 1
    if place >= len(words) or "run" not in told[1:place]:
        return None
    own, behind = split_at_dashes(words[place + 1 :])
    if told[place] == "utils.sh":
        return [*own, *behind] or None
    options, rest = own_options(own)
    program = program_of(options)
    head = torchrun(words[place], options) if told[place] in PROCESSES else [said("python", words[place])]
    return [*head, *program, *rest, *behind] if program else None


def split_at_dashes(words: list[Value]) -> tuple[list[Value], list[Value]]:
    """Part a component's own words from the program's."""
    place = next((at for at, word in enumerate(words) if word_text(word) == "--"), len(words))
    return words[:place], words[place + 1 :]


def own_options(words: list[Value]) -> tuple[dict[str, Value], list[Value]]:
    """Read a component's options, which all take a value; what stands behind them is the program's."""
    options: dict[str, Value] = {}
    place = 0
    while place < len(words) and word_text(words[place]).startswith("-"):
        key, equals, inline = word_text(words[place]).partition("=")
        if not equals and place + 1 >= len(words):
            break
        options[key.lstrip("-")] = Value(inline, words[place].src) if equals else words[place + 1]
        place += 1 if equals else 2
    return options, words[place:]


def program_of(options: dict[str, Value]) -> list[Value]:
    """Give the words by which Python is told what to run: a script, a module or a text."""
    if "script" in options:
        return [options["script"]]
    switch = next((name for name in ("m", "c") if name in options), None)
    return [said(f"-{switch}", options[switch]), options[switch]] if switch else []


def torchrun(component: Value, options: dict[str, Value]) -> list[Value]:
    """Give torchrun's words for the machines and processes that `-j` tells; a shape that is not read stays open."""
    shape = options.get("j", said(USUAL_SHAPE, component))
    found = SHAPE.match(word_text(shape))
    counts = [("--nnodes", found[1] or "1"), ("--nproc_per_node", found[2])] if found else []
    counts = counts or [("--nnodes", word_text(shape)), ("--nproc_per_node", word_text(shape))]
    return [said("torchrun", component), *(said(f"{name}={count}", shape) for name, count in counts)]


def said(text: str, word: Value) -> Value:
    """Give a word that stands for another one."""
    return Value(text, word.src)
