"""Find lists of hosts as schedulers and launchers write them: gpu-[001-004,007], a1/0*8+a2/0*8, a1:8,a2:8."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby, islice, product

import re2

from schedmate.knowledge.public_names import counted_words
from schedmate.tools.late_patterns import late

MOST_HOSTS = 1024
"""Names that one list is taken apart into; of a longer one the rest is hidden, too, but not looked for elsewhere."""
TELLS_RANGE = re2.compile(r"\w[.-]?\[\d[\d,-]*\]")
NAME = r"[A-Za-z][\w.-]{0,62}"

BRACKETED = late(
    r"(?<![\w.\]/-])([A-Za-z][\w.-]{0,62}?)((?:\[\d[\d,-]{0,4000}\](?:[\w.-]{0,40}[\w-])?){1,4})(?![\w\[(])"
)
"""Slurm's short form: a name with one range or several, and what may stand behind each."""
PIECE = late(r"\[([\d,-]+)\]|([^\[\]]+)")
LAUNCHES = re2.compile(r"\b(?:srun|sbatch|SBATCH|salloc|pdsh|clush|mpirun|mpiexec|horovodrun|deepspeed)\b")
TELLS_LIST = re2.compile(r"(?i)host|node|master_addr|topology_addr|endpoint")
KEYED = late(
    r"(?:(?i:\b\w{0,40}(?:hosts?|host_?names?|host_?lists?|node_?lists?|node_?names?|node_?addr|exec_vnode|master_addr"
    r"|topology_addr|rdzv_endpoint|alloc_?node:sid)[\"']?\s{0,3}(?:=>|[=:])\s{0,3})|\b(?:Nodes|nodes)=)"
    r"[\"'(\[{]{0,3}(?=[A-Za-z])"
)

OPTION = late(r"(?<![\w-])(?:-w|-x|-H|--(?:nodelist|exclude|hosts?|include|machines?))(?:=|\s{1,3})[\"']?(?=[A-Za-z])")
"""What stands before one host or a list of them: a variable, a field of scontrol's, an option of srun's or mpirun's."""
RANKS_OF = re2.compile(r"(?i)world[ _]info|rank_mapping")

WITH_RANKS = late(rf"'({NAME})': \[\d[\d, ]{{0,4000}}\]")
"""How DeepSpeed tells which boards or ranks each host has."""
ITEM = late(rf"[\"'(]{{0,2}}({NAME}(?:\[[\d,-]{{1,4000}}\][\w.-]{{0,40}}){{0,4}})([\w:/*=.-]{{0,80}}[\"')]{{0,2}})")

BETWEEN = late(r"\s{0,2}[,+@;]\s{0,2}|\\n|\s(?:\d{1,4}\s)?(?=[A-Za-z][\w.-]{0,62}\d)")
"""Commas in most lists, a plus in those of PBS, an at in DeepSpeed's; LSF puts blanks, and may say how many slots."""
NUMBER = re.compile(r"\d+")
NUMBERED = rf"{NAME}\d[\w.-]{{0,20}}(?::\d{{1,5}})?"
COMMAED = late(rf"(?<![\w.@/-]){NUMBERED}(?:(?:[\"']?, ?[\"']?|\+){NUMBERED})+")
NAMES = re.compile(NAME)


def named_lists(text: str) -> Iterator[str]:
    """Give the hosts, in plain and in short form, that a name for hosts introduces."""
    if TELLS_LIST.search(text):
        yield from lists_at(text, [key.end() for key in KEYED.finditer(text)])
    if LAUNCHES.search(text):
        yield from lists_at(text, [option.end() for option in OPTION.finditer(text)])
    if RANKS_OF.search(text):
        yield from (match[1] for match in WITH_RANKS.finditer(text))


def lists_at(text: str, starts: list[int]) -> Iterator[str]:
    """Give the hosts of the lists that begin here, in order; of one inside another only what the other left out."""
    read = 0
    for start in starts:
        for name, end in list_at(text, start):
            yield name
            if end < read:
                break
            read = end


def list_at(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Give the hosts of the list that begins here, and each one's end.

    Behind a blank stands only one that differs by its number alone.
    """
    shape = ""
    for _ in range(MOST_HOSTS):
        item = ITEM.match(text, at)
        if not item or not any(map(str.isdigit, item[1])):
            return
        if shape and text[at - 1] == " " and "," not in text[at - 3 : at] and shape != shape_of(item[1]):
            return
        shape = shape_of(item[1])
        yield item[1].rstrip(".-"), item.end()
        between = BETWEEN.match(text, item.end())
        if not between:
            return
        at = between.end()


def shape_of(name: str) -> str:
    """Write a name without its numbers: hosts of one kind are alike in it."""
    return NUMBER.sub("#", name)


def beside_known(text: str, is_host: Callable[[str], bool]) -> Iterator[str]:
    """Give the names in a list beside a known host that differ from it by their numbers alone."""
    for listed in COMMAED.finditer(text) if "," in text or "+" in text else ():
        names = [name.rstrip(".-") for name in NAMES.findall(listed[0])]
        shapes = {shape_of(name) for name in names if is_host(name)}
        yield from (name for name in names if shape_of(name) in shapes)


def short_forms(text: str, tells_known: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Give the place of each of Slurm's short forms that names hosts; what costs most is asked last."""
    if not TELLS_RANGE.search(text):
        return
    introduced = set(named_lists(text))
    for match in BRACKETED.finditer(text):
        told = looks_like_hosts(match[1], match[2]) and stands_alone(text, *match.span())
        if told or match[0] in introduced or tells_known(match[0]):
            yield match.span()


def looks_like_hosts(stem: str, ranges: str) -> bool:
    """Tell numbered hosts from whatever else a job numbers: by the word, and by numbers that are padded or ranges."""
    padded = re.search(r"[\[,-]0\d", ranges) is not None
    word = stem.lower() if padded else stem.lower().rstrip("-_.")
    counted = word in counted_words() or word.endswith(long_counted_words())
    return len(stem) > 1 and not counted and (padded or "-" in ranges)


@lru_cache(maxsize=1)
def long_counted_words() -> tuple[str, ...]:
    """Give the words that are counted even at the end of another."""
    return tuple(one for one in counted_words() if len(one) > 4)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Tell a field of its own from a part of an expression."""
    before = text[max(0, start - 8) : start]
    if before.endswith(" ") and before.rstrip().endswith(("=", "+", "-", "*")):
        return False
    return before[-1:] in ("", *" \t=:,|\"'(\n;") and text[end : end + 1] in ("", *" \t,|\"').;:\r\n")


def shape_of_form(text: str) -> str:
    """Write a short form as what its hosts have in common."""
    return shape_of(PIECE.sub(lambda piece: "0" if piece[1] else piece[2], text))


def expanded(text: str, most: int = MOST_HOSTS) -> list[str]:
    """Take a short form apart: n[1-2,4] is n1, n2, n4; one that cannot be read has no hosts."""
    parts: list[list[str]] = []
    count = 1
    for piece in PIECE.finditer(text):
        choices = list(numbers(piece[1], most // count)) if piece[1] else [piece[2]]
        count *= max(1, len(choices))
        parts.append(choices)
    return ["".join(each) for each in islice(product(*parts), most)]


def numbers(text: str, most: int) -> Iterator[str]:
    """Read a list of ranges, leading zeros kept; no more than asked for."""
    left = max(1, most)
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()) or len(first) > 9 or len(last) > 9:
            continue
        end = min(int(last or first), int(first) + left - 1)
        yield from (str(number).zfill(len(first)) for number in range(int(first), end + 1))
        left -= max(0, end - int(first) + 1)
        if left <= 0:
            return


def shortened(names: list[str]) -> str:
    """Write hosts as Slurm does, those of one stem in one pair of brackets."""
    told = [re.fullmatch(r"(.*?)(\d+)", name) for name in dict.fromkeys(names)]
    if len(told) < 2 or any(match is None for match in told):
        return ",".join(dict.fromkeys(names))
    split = sorted({(match[1], len(match[2]), int(match[2])) for match in told if match})
    written = []
    for (stem, width), group in groupby(split, key=lambda one: one[:2]):
        found = [one[2] for one in group]
        runs: list[list[int]] = []
        for number in found:
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        spans = [str(run[0]).zfill(width) + (f"-{str(run[-1]).zfill(width)}" if run[1:] else "") for run in runs]
        written.append(f"{stem}[{','.join(spans)}]" if len(found) > 1 else stem + spans[0])
    return ",".join(written)
