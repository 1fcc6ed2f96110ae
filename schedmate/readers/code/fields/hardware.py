"""What accelerator a job asks for by name."""

import re2

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches import chosen_files
from schedmate.readers.code.launchers.batch_requests import gpus_of
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant

HARDWARE = re2.compile(
    r"(?i)(?:^|[^a-z0-9])((?:nvidia[-_ ]?)?(?:v100|a100|h100|h200|h800|a800|b200|gb200|a10g?|a40|a6000|l40s?|l4|t4|p100"
    r"|k80|rtx[-_ ]?[0-9]{4}(?:ti)?|gtx[-_ ]?[0-9]{4}(?:ti)?|mi[0-9]{3}x?|tpu[-_ ]?v[2-6]\w*|volta(?:16|32)(?:gb)?"
    r"|ampere|hopper))(?:$|[^a-z0-9])"
)
COUNTED = re2.compile(
    r"(?i)\b[0-9]+ ?[x×*]? ?((?:nvidia )?(?:v100|a100|h100|h200|a6000|a40|l40s?|t4|p100|tpu ?v[2-6]))s?\b"
)


def no_device(view: View) -> None:
    """Take the CPU where no GPU is used."""
    gpus = view.values.get("num_gpus")
    if gpus is not None and gpus.value == 0:
        view.keep("hardware", "CPU", gpus.spots)


def asked_of_scheduler(view: View) -> None:
    """Take the kind that a request to the scheduler states."""
    for name in ("gres", "gpus", "gpus_per_node", "constraint", "gpus_per_task", "partition"):
        value = view.launch.asked.get(name)
        if value is not None and "," not in str(value.data):  # of several partitions any may be given
            keep_named(view, str(value.data).replace(":", " ").replace("_", " "), value)
            kind, _ = gpus_of(str(value.data))
            if kind and HARDWARE.search(f" {kind} "):
                view.keep("hardware", hardware_name(kind), value.src)


def asked_in_code(view: View) -> None:
    """Take the kind that the program asks for when it submits itself."""
    asked = view.run.about(ProcessSigns).asked
    for key in ("slurm_constraint", "constraint", "slurm_gres", "slurm_partition"):
        value = asked.get(key)
        if value is not None and is_constant(value) and isinstance(value.data, str):
            keep_named(view, value.data, value)


def keep_named(view: View, text: str, value: Value) -> None:
    """Keep the accelerator that a text names."""
    match = HARDWARE.search(f" {text} ")
    if match is not None:
        view.keep("hardware", hardware_name(str(match.group(1))), value.src)


def hardware_name(text: str) -> str:
    """Write an accelerator's name as its maker does; `volta32gb` is a V100 of 32 GB."""
    name = text.upper().removeprefix("NVIDIA").strip("-_ ")
    if name.startswith("VOLTA"):
        return f"V100 {name[5:].removesuffix('GB')}GB".replace(" GB", "")
    return name


def from_head_comments(view: View) -> None:
    """Take the accelerator that the comment over a chosen configuration says it is meant for."""
    for path in chosen_files(view):
        if path == (view.program.entry.path if view.program.entry else ""):
            continue
        for number, line in enumerate(view.run.repository.read_text(path).split("\n")[:20], 1):
            if not line.lstrip().startswith("#") or line.startswith("#SBATCH"):
                continue
            match = COUNTED.search(line)
            if match is not None:
                view.keep("hardware", hardware_name(str(match.group(1))), (SourceLocation(path, number),))


RULES = (
    Rule("hardware", Certainty.ENGINE, "no GPUs", no_device),
    Rule("hardware", Certainty.NAMED, "requests to the scheduler", asked_of_scheduler),
    Rule("hardware", Certainty.SEEN, "requests in the code", asked_in_code),
    Rule("hardware", Certainty.LIKELY, "comments over a configuration", from_head_comments),
)
