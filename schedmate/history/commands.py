"""What a command runs, without what differs from run to run: ids, dates, seeds, output paths, ports.

Two commands that come out equal are runs of the same thing. What changes the work (learning rate, batch size, data,
model, number of steps) stays, so a mask is only laid over what is known to be a mark of one run.
"""

import re
import shlex
from functools import lru_cache

from schedmate.knowledge.run_options import run_options

LONGEST = 16_384
"""Characters that are looked at; what follows is compared as it stands."""

MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = r"(?:19|20)\d\d[-_./]?(?:0[1-9]|1[0-2])[-_./]?(?:0[1-9]|[12]\d|3[01])"
CLOCK = r"(?:[01]\d|2[0-3])[-_.:h]?[0-5]\d(?:[-_.:m]?[0-5]\d(?:[.,]\d{1,9})?)?s?"
EDGE = r"(?<![A-Za-z0-9.])"

MASKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9A-Za-z])"), "<id>"),
    (re.compile(rf"(?<![\d.]){DATE}(?:[-_T/ .]{{0,2}}{CLOCK})?(?:Z|[+-]\d\d:?\d\d)?(?!\d)"), "<time>"),
    (re.compile(rf"{EDGE}(?:{MONTHS})[-_]?[0-3]?\d(?:[-_]{CLOCK})?(?![A-Za-z0-9])"), "<time>"),
    (re.compile(r"(?<![\d:.])(?:[01]\d|2[0-3])[:h-][0-5]\d[:m-][0-5]\d(?![\d:])"), "<time>"),
    (re.compile(r"(?<![\w.-])1[4-9]\d{8}(?:\.\d{1,6}|\d{3})?(?![\w.])"), "<time>"),
    (re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?(?![\d.])"), "<address>"),
    (re.compile(r"(?<=[\w}]):\d{4,5}(?=$|/)"), ":<port>"),
    (re.compile(r"(?:/private)?/(?:tmp|var/tmp|dev/shm|local_scratch|localscratch)/[^\s'\",;:]{1,4096}"), "<tmp>"),
    (
        re.compile(r"(?<![A-Za-z0-9])(?=[0-9a-f]{0,39}[0-9])(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![A-Za-z0-9])"),
        "<id>",
    ),
)

COUNTED = re.compile(
    r"(?i)(?<![a-z0-9])(job|jobid|slurm|run|trial|exp|version|attempt|pid|task|try)(?:[-_.]?id)?[-_.=]?\d{1,20}(?![a-z0-9])"
)
"""A run that is counted: only looked for where a value is a path, as `run 3` may be what is run."""
ROUND = "00000"
"""A number of tokens or steps, whatever its length; moments are not round."""
SEED_IN_JSON = re.compile(r"(\bseed[\"']?:)[0-9]{1,20}")
BLANK = re.compile(r"[ \t\n]")
DIGIT = re.compile(r"[0-9]")
QUOTING = re.compile(r"['\"\\]")
PUNCTUATION = re.compile(r"[;|]+")
REDIRECTS = frozenset({">", ">>", "2>", "2>>", "&>", "&>>", "1>", "1>>", "tee"})
REDIRECTED = re.compile(r"^(?:[12&]?>{1,2})(?!&)(.+)$")
LAUNCHER_OUTPUT = frozenset({"sbatch", "srun", "bsub", "qsub"})
SLURM_SHORT = {"-o": "<path>", "-e": "<path>", "-J": "<run>", "-w": "<address>", "-x": "<address>"}
SCIENTIFIC = re.compile(r"^[0-9.]{1,30}e[-+]?[0-9]{1,4}$")


@lru_cache(4096)
def normalise_command(command: str) -> str:
    """Mask what marks one run; equal results mean runs of the same thing."""
    tokens = split(command[:LONGEST])
    return " ".join(mask_tokens(tokens)) + command[LONGEST:]


def split(command: str) -> list[str]:
    """Split like a shell, or at blanks where the quotes do not close."""
    if not QUOTING.search(command):
        # Python's shell lexer goes character by character: most of the time of an import.
        return PUNCTUATION.sub(r" \g<0> ", command).split()
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=";|")
        lexer.whitespace_split, lexer.commenters = True, ""
        return list(lexer)
    except ValueError:
        return command.split()


def mask_tokens(tokens: list[str]) -> list[str]:
    """Mask token by token; an option without `=` speaks of the token behind it."""
    masked: list[str] = []
    option = ""
    slurm = False
    for token in tokens:
        if token in {";", "|", "||", "&&", "&"}:
            masked.append(token)
            option, slurm = "", False
            continue
        slurm = slurm or token.rpartition("/")[2] in LAUNCHER_OUTPUT
        if option and not is_option(token):
            masked.append(mask_value(option, token))
            option = ""
            continue
        option = ""
        if slurm and token in SLURM_SHORT:
            masked.append(token)
            option = token
        elif token in REDIRECTS:
            masked.append(token)
            option = "output"
        elif found := REDIRECTED.match(token):
            masked.append(token[: found.start(1)] + "<path>")
        else:
            name, equals, value = token.partition("=")
            if equals and is_name(name):
                masked.append(f"{name}={mask_value(name, value)}")
            elif is_option(token) or (token.isupper() and mask_of(token)):
                masked.append(token)
                option = token
            else:
                masked.append(mask_value("", token))
    return masked


def is_option(token: str) -> bool:
    """Tell an option from a value; `-1` and `-1e-5` are values."""
    return len(token) > 1 and token[0] == "-" and not (token[1].isdigit() or token[1] == ".")


def is_name(text: str) -> bool:
    """Tell whether what stands before `=` names a setting, as in `--lr=`, `+trainer.seed=`, `SEED=`."""
    bare = text.lstrip("-+~")
    return 0 < len(bare) <= 200 and bare.replace(".", "").replace("_", "").replace("-", "").replace("/", "").isalnum()


def mask_value(option: str, value: str) -> str:
    """Mask a value by what its option says it is, else by what it looks like."""
    mask = mask_of(option) if option else ""
    if mask == "<devices>":
        return f"<{value.count(',') + 1} devices>" if value else value
    return mask or mask_text(value)


@lru_cache(4096)
def mask_of(option: str) -> str:
    """Say what an option's value is, where it marks a run; empty where it does not."""
    if option in SLURM_SHORT:
        return SLURM_SHORT[option]
    path = option.lstrip("-+~").lower().replace("-", "_").replace("/", ".")
    parent, _, last = path.rpartition(".")
    known = run_options()
    if last in known.seed or last.endswith("_seed"):
        return "<seed>"
    if last in known.run or (last in known.within_run and parent.rpartition(".")[2] in known.run_parents):
        return "<run>"
    if last in known.output or path in known.output:
        return "<path>"
    if last in known.address or last.endswith("_port"):
        return "<address>"
    return "<devices>" if last in known.devices else ""


def mask_text(value: str) -> str:
    """Mask what looks like a mark of one run; a quoted command is masked like a command."""
    if BLANK.search(value):
        return "'" + " ".join(mask_tokens(split(value) if "'" in value or '"' in value else value.split())) + "'"
    if not DIGIT.search(value) and "/tmp/" not in value:
        return value
    if SCIENTIFIC.match(value) or (value.isdigit() and (len(value) not in {10, 13, 14} or value.endswith(ROUND))):
        return value
    for pattern, mask in MASKS:
        value = pattern.sub(mask, value)
    if "seed" in value:
        value = SEED_IN_JSON.sub(r"\1<seed>", value)
    return COUNTED.sub(r"\1<run>", value) if "/" in value else value
