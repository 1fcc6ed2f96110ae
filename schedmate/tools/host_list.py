"""Lists of nodes as Slurm and its like write them: gpu[1-3,07],login1."""

from functools import lru_cache

from schedmate.errors import SchedMateError

MOST_HOSTS = 100_000


@lru_cache(maxsize=65_536)
def hosts(text: str) -> tuple[str, ...]:
    """Expand a list of nodes: gpu[1-3,07],login1."""
    found: list[str] = []
    for part in split_list(text):
        found += expand(part)
        if len(found) > MOST_HOSTS:
            raise SchedMateError(f"a list of more than {MOST_HOSTS} nodes: {text[:80]}")
    return tuple(found)


def split_list(text: str) -> list[str]:
    """Cut at commas that are not within brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part]


def expand(part: str) -> list[str]:
    """Expand one name with one or more ranges in it; leading zeros stay."""
    before, bracket, rest = part.partition("[")
    ranges, closed, after = rest.partition("]")
    if not bracket or not closed:
        return [part]
    names = []
    for one in ranges.split(","):
        first, _, last = one.partition("-")
        last = last or first
        if not (first.isdigit() and last.isdigit()) or int(last) - int(first) > MOST_HOSTS:
            return [part]
        names += [f"{before}{number:0{len(first)}d}" for number in range(int(first), int(last) + 1)]
    return [f"{name}{end}" for name in names for end in (expand(after) if after else [""])]
