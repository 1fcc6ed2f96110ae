"""What accelerator words tell that nobody executes: a README's sentence, a script's name, its first comments."""

import posixpath

import re2

from schedmate.knowledge.accelerators import accelerators_in, is_accelerator, only_accelerator
from schedmate.knowledge.models import written_size
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.batches_of_use import chosen_files
from schedmate.readers.code.fields.words.project_words import READMES
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation

DONE_ON = re2.compile(
    r"(?i)\b(?:(?:train|pre-?train|fine-?tun|experiment|conduct)[a-z]*|perform(?:ed|ing|s)?|run(?:s|ning)?|ran)\b"
    r"[^.|]{0,80}\b(?:on|using|with) "
    r"(a single|a|an|one|single|two|four|eight|[0-9]{1,3})(?: ?[x\x{d7}*])? ?([^.;|]{3,60})"
)

ASIDE = re2.compile(
    r"(?i)\b(?:not|\w+n['\x{2019}]t|cannot|never|no|without|unable|impossible|hardly|barely|out of (?:gpu )?memory|oom"
    r"|fail\w*|crash\w*|too (?:large|big|slow|small)|instead|than|if|would)\b"
)
"""What a sentence says of where a job could not be done, or was not."""
BESIDE = re2.compile(r"(?i)\b(?:inference|infer|evaluat\w*|test(?:s|ed|ing)?|demo|benchmark\w*)\b")
"""What else may be done on an accelerator."""
TRAINING = re2.compile(r"(?i)\btrain(?:ing|s)?\b|\b(?:is|are|was|were|we) (?:\w+ )?trained|fine-?tun|\bexperiments?\b")

NEWS = re2.compile(r"^[^a-zA-Z0-9]*(?:19|20)[0-9]{2}[./-][0-9]")
"""A dated entry: what somebody did then."""
NAME_ENDS = re2.compile(r"(?i)[,()]| (?:for|in|with|and|which|within|over|that|to|at|as|takes?) ")
"""What ends a name within a sentence."""
COUNT = re2.compile(r"(?i)\b([0-9]{1,3}) ?([x\x{d7}*])? ?((?:nvidia )?[a-z][a-z0-9 -]{1,20})")

HARDWARE = re2.compile(r"(?i)^[\s#*>_\-]*hardware\b[\s*_]*(?:[:(]|$)")
"""How a list of the project's hardware begins."""
BELOW = 7
"""In so many lines from there the GPUs stand."""
OTHERWISE = re2.compile(
    r"(?i)\b(?:deploy\w*|demo\w*|serv(?:e[sdr]?|ers|ing)|host(?:ed|ing)|infer\w*|need(?:s|ed)? no|tested|optional\w*)\b"
)
"""What such a list tells of other work, or of what is not needed."""
HEADING = re2.compile(r"^\s*(?:#+ |\*\*[^*]+\*\*:?\s*$|[=-]{3,}\s*$)")
"""How the next part of a README begins."""
ITEM = re2.compile(
    r"(?i)^[\s>*+|-]*(?:hardware\b[\s*_]*(?:\([^()]*\))?[\s*_]*:)?[\s*]*(?:[a-z]+[\s*]*[:|][\s*]*)?"
    r"[0-9]{1,3} ?[x\x{d7}*]"
)
"""A line that begins with what it counts, at most behind a word and a colon."""
NUMBERS = {"a single": 1, "a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "four": 4, "eight": 8}
MOST_LINES, MOST_LETTERS, HEAD = 2_000, 600, 25
MOST_WORDS = 100
FILES = (".py", ".sh", ".json", ".yaml", ".yml", ".toml")


def by_readme_sentence(view: View) -> None:
    """Take the accelerator on which the README says that training is done, where it counts as the job does."""
    gpus = view.get("num_gpus")
    if not isinstance(gpus, int) or gpus < 1 or not view.get("is_training"):
        return
    for path in readmes(view):
        lines = (view.run.repository.readable_text(path) or "").split("\n")[:MOST_LINES]
        spoken = [(number, line) for number, line in enumerate(lines, 1) if not tells_of_another(view, line)]
        told = [(number, kind, count) for number, line in spoken for kind, count in sentences(line)]
        same = {(kind, count) for _, kind, count in told} == {(told[0][1], gpus)} if told else False
        if not told:  # what the whole machine has, of which a job may take a part
            told = listed(lines)
            same = bool(told) and gpus <= told[0][2]
        if same:
            view.keep("hardware", told[0][1], (SourceLocation(path, told[0][0]),), "what the README says of training")
        if told:
            return


WORD = re2.compile(r"\b[A-Za-z0-9][\w.-]*[A-Za-z]\b")


def tells_of_another(view: View, line: str) -> bool:
    """Tell a line on the work with a model of another size than the one that the command names: `LLaMA-7B`."""
    text = line[:MOST_LETTERS]
    if DONE_ON.search(text) is None:
        return False
    told = [word_text(word).rstrip("/").rpartition("/")[2] for word in view.launch.words[1:MOST_WORDS]]
    own = {size for word in told if not word.endswith(FILES) and (size := written_size(word)) is not None}
    named = {size for match in WORD.finditer(text) if (size := written_size(str(match.group(0)))) is not None}
    return bool(own and named) and own.isdisjoint(named)


def readmes(view: View) -> list[str]:
    """Give the READMEs that may speak of the program: in its folder, then above."""
    folder = posixpath.dirname(view.program.entry.path) if view.program.entry is not None else ""
    return [posixpath.join(place, name) for place in dict.fromkeys([folder, ""]) for name in READMES]


def listed(lines: list[str]) -> list[tuple[int, str, int]]:
    """Give what a list of the project's hardware counts: `Hardware: 4 x NVIDIA V100`, or a line below that word."""
    heads = [number for number, line in enumerate(lines, 1) if HARDWARE.search(line) and not is_of_other_work(line)]
    places = sorted({number for head in heads for number in places_below(lines, head)})
    found = [
        (number, kind, count)
        for number in places
        if states_what_trains(line := lines[number - 1])
        for kind, count in counted(line, always=True)
    ]
    return found if len({kind for _, kind, _ in found}) == 1 else []


def places_below(lines: list[str], head: int) -> list[int]:
    """Give the line of a list's heading and those below it, as far as the next heading."""
    last = min(head + BELOW, len(lines) + 1)
    end = next((number for number in range(head + 1, last) if HEADING.search(lines[number - 1])), last)
    return list(range(head, end))


def states_what_trains(line: str) -> bool:
    """Tell an item that counts something, or a plain statement on training."""
    return bool(ITEM.search(line) or TRAINING.search(line)) and not is_of_other_work(line)


def is_of_other_work(line: str) -> bool:
    """Tell a line on other work than training, or on what is not so."""
    return any(aside.search(line) for aside in (OTHERWISE, ASIDE))


def sentences(line: str) -> list[tuple[str, int]]:
    """Give the accelerators on which a line says that work is done, with how many there are."""
    found, text = [], line[:MOST_LETTERS].replace("*", "").replace("`", "")
    for match in DONE_ON.finditer(text) if not NEWS.search(text) else ():
        count, words = str(match.group(1)).lower(), str(match.group(2))
        if tells_otherwise(text[text.rfind(". ", 0, match.start()) + 1 : match.end()]):
            continue
        kinds = accelerators_in(words, asked=is_accelerator(NAME_ENDS.split(words)[0].strip()))
        found += [(kind, NUMBERS.get(count) or int(count)) for kind in kinds]
    return found


def tells_otherwise(sentence: str) -> bool:
    """Tell a sentence of work that failed there, or of other work than training."""
    return bool(ASIDE.search(sentence) or (BESIDE.search(sentence) and not TRAINING.search(sentence)))


def by_script(view: View) -> None:
    """Take the accelerator that a started script is named after."""
    for path in view.launch.scripts:
        named = only_accelerator(posixpath.splitext(posixpath.basename(path))[0], asked=False)
        if named is not None:
            view.keep("hardware", named, (SourceLocation(path, 1),), "what the script is named after")
            return


def by_comments(view: View) -> None:
    """Take the accelerator that the comments over a started script or a configuration count as the job does."""
    gpus, program = view.get("num_gpus"), view.program.entry.path if view.program.entry is not None else ""
    for path in dict.fromkeys([*view.launch.scripts, *sorted(chosen_files(view) - {program})]):
        lines = (view.run.repository.readable_text(path) or "").split("\n")[:HEAD]
        comments = [(number, line) for number, line in enumerate(lines, 1) if line.lstrip().startswith("#")]
        told = [(number, *one) for number, line in comments if "SBATCH" not in line for one in counted(line)]
        fits = all(not isinstance(gpus, int) or gpus % max(1, count) == 0 < gpus for _, _, count in told)
        if told and fits and len({kind for _, kind, _ in told}) == 1:
            view.keep("hardware", told[0][1], (SourceLocation(path, told[0][0]),), "the comments over it")
            return


def counted(line: str, always: bool = False) -> list[tuple[str, int]]:
    """Give what a comment counts: `# 4x A100 80GB`; with a sign of multiplication always, if it is asked for so."""
    found = (
        (only_accelerator(str(match.group(3)), asked=bool(match.group(2))), int(match.group(1)))
        for match in COUNT.finditer(line[:MOST_LETTERS])
        if match.group(2) or not always
    )
    return [(kind, count) for kind, count in found if kind is not None]


RULES = (
    Rule(Subject.HARDWARE, "comments over a configuration", by_comments),
    Rule(Subject.HARDWARE, "the script's name", by_script),
    Rule(Subject.HARDWARE, "the README on training", by_readme_sentence),
)
