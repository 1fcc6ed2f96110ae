"""Programs that a script's loop starts side by side: one job where they join, else as many jobs."""

from dataclasses import replace

from schedmate.knowledge.option_names import squashed
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.shell.session import StartedProgram

SIZES = frozenset({"worldsize", "ranksize", "numprocesses", "dmlcnumworker"})
"""Under these names a program is told how many it works with, squashed."""
MEETING = frozenset(
    {"masteraddr", "masterport", "initmethod", "disturl", "ranktablefile", "tfconfig", "coordinatoraddress"}
)
"""And under these where they meet."""


def settle_ranks(launch: Launch, started: StartedProgram) -> None:
    """Take what a loop starts for ranks of one job, as far as the script tells; the program must join them."""
    sizes, meets = told_of_others(launch)
    if started.ranks is None or "1" in sizes or not (started.ranks_from_zero or sizes or meets):
        return
    count = started.ranks.data
    agrees = started.ranks_from_zero and all(size == str(count) or not size.isdigit() for size in sizes)
    launch.by_loop, launch.many = True, started.ranks.src[0]
    launch.total = started.ranks if agrees and isinstance(count, int) else None


def told_of_others(launch: Launch) -> tuple[list[str], bool]:
    """Give of how many processes a program is told that it is one, and whether it is told where they meet."""
    told = {squashed(name): str(value.data) for name, value in launch.environment.items()}
    texts = [str(word.data) for word in launch.words]
    for text, behind in zip(texts, [*texts[1:], ""], strict=False):
        name, equals, inline = text.partition("=")
        if name.startswith("-"):
            told[squashed(name.lstrip("-"))] = inline if equals else behind
    return [told[name] for name in SIZES if name in told], not MEETING.isdisjoint(told)


def is_handed_others(launch: Launch) -> bool:
    """Tell a program that the script tells with how many it works, or where they meet."""
    sizes, meets = told_of_others(launch)
    return meets or any(size != "1" for size in sizes)


def on_its_own(launch: Launch) -> Launch:
    """Give the same start as one of several jobs."""
    own = replace(launch, many=None, total=None, by_loop=False)
    own.launchers, own.words, own.options = [*launch.launchers], [*launch.words], dict(launch.options)
    own.environment, own.asked = dict(launch.environment), dict(launch.asked)
    return own
