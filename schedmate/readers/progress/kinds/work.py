"""Tell what a line is about: training, its evaluation, or other work; and name the stream it belongs to."""

import re
from collections.abc import Sequence

from schedmate.readers.progress.kinds.episodes import RESULTS, is_episode
from schedmate.readers.progress.lines.fields import NO_STREAM, Field, Stream, Work
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.phrases import SOURCE

NUMBERED = re.compile(r"[_-]\d+$")
HEADING = {"step", "epoch", "count", "things", "nothing", "percent", "eval"}
MEASURES = {"loss", "loss_part", "time", "step_time", "steps_rate", "elapsed", "eta", "throughput", "metric", "eval"}
TIMED = {"time", "step_time", "elapsed"}

EITHER = {"metrics"}
"""What an evaluation tells is called so, and so is what each step of training does."""
PROFILED, LISTED = 4, 9

PARTS = {"dataset", "data", "set", "split", "features"}
"""What is named by `train` in the heading of a bar that makes it ready."""
OF_DATA = {"on", "for", "of", "from", "in"}
GOING = {"running", "starting", "continuing", "resuming", "during", "ongoing", "performing", "executing"}
DONE_TO_DATA = {
    "get",
    "build",
    "compute",
    "score",
    "dedup",
    "resize",
    "truncate",
    "format",
    "prepare",
    "create",
    "convert",
}

OVER = {"dataset", "split"}
"""What the data are called that a line went over, whatever phase it names."""
SAVED = {"saved", "saving"}
"""`Checkpoint saved at step 5500, epoch 10` tells of what is done by now."""
NAMELESS = {"nothing", "setting", "percent"}


TAG, TAG_WITHIN = re.compile(r"(?i)\[train(?:ing)?\]"), 80
"""What many loggers set before a line of training, and within so many characters."""
OTHER_TAG = re.compile(r"(?i)\[(?:eval\w*|val\w*|test\w*|dev)\]")
"""What they set before that of an evaluation, which may name the data of the training behind it."""

OF_UPDATES = {"lr", "learning", "gnorm", "gradnorm", "momentum"}
"""What is told of updates alone."""


def is_tagged_training(text: str) -> bool:
    """Tell a line that a tag says to be of training."""
    return TAG.search(text, 0, TAG_WITHIN) is not None and not OTHER_TAG.search(text, 0, TAG_WITHIN)


def tells_rate(fields: Sequence[Field]) -> bool:
    """Tell a line with a rate of learning, which no evaluation has, whatever heading stands above it."""
    return any(not OF_UPDATES.isdisjoint(pieces_of((one.name,))) for one in fields)


def heading_of(line: ParsedLine, fields: list[Field]) -> tuple[str, ...]:
    """Give the words that tell what a line is about: those that name nothing, and names up to the first measure."""
    ordered = sorted(fields, key=lambda one: one.at[0])
    measure = next((place for place, one in enumerate(ordered) if one.role not in HEADING), len(ordered))
    names = [one.name for one in ordered[:measure]]
    names += [one.name for one in fields if one.role in {"step", "epoch"} or is_pass_of(one)]
    free = [word for before, word in line.heads if before <= max(measure, 1) and not word.endswith(SOURCE)]
    tail = (line.tail,) if line.tail else ()  # `... 103 ms/batch (test)`
    return pieces_of((*free, *names, *line.texts.values(), *tail))


def is_pass_of(one: Field) -> bool:
    """Tell the pass of something else than training: `Eval epoch 3`."""
    return one.role == "setting" and pieces_of((one.name,))[1:] == ("epoch",)


def work_of(line: ParsedLine, fields: list[Field], is_bar: bool) -> Work:
    """Tell training from evaluation and from work beside both."""
    heading = heading_of(line, fields)
    measured = [one for one in fields if one.role != "percent"]  # a bar's heading is no value
    learns = any(one.role in {"loss", "loss_part"} or has(pieces_of((one.name,)), "learning") for one in measured)
    counted = any(one.role in {"step", "epoch"} for one in fields)
    timed = any(one.role in TIMED and has(pieces_of((one.name,)), "training") for one in fields)
    timed = timed and not any(map(counts_evaluations, fields))
    either = (EITHER if learns and counted else set()) | (RESULTS if is_scored(fields) else set())
    heading = tuple(piece for piece in heading if piece not in either)
    first = pieces_of(line.items[0].name) if line.items else ()
    if is_over_held_out(line) or (not learns and scatters(line, fields)):
        return "eval"
    if "quantizing" in (*heading, *first):
        return "other"  # layer by layer, with what each loses by it
    if not learns and (is_profile(fields) or (not is_bar and is_listing(fields))):
        return "other"
    begins = is_bar and not learns and has(heading[:1], "evaluation")  # though it may be the set that is trained on
    if begins or (has(heading, "evaluation") and not (has(heading, "training") or timed)):
        return "eval"
    if is_bar and not learns and is_over_split(heading):
        return "other"
    if has(heading, "training") and counted:
        return "train"
    if learns:
        return "train" if counted else "unsaid"
    if any(
        has(pieces_of((word,)), "evaluation") for before, word in line.heads if not before and word.endswith(SOURCE)
    ):
        return "eval"
    if is_bar and is_activity(line):
        return "other"
    handled = {one.name for one in fields if one.role in {"metric", "things", "count"}}
    behind = pieces_of(tuple(word for before, word in line.heads if before and word.isalpha())) if is_bar else ()
    if not has(behind, "training") and (has(behind, "other_work") or has(behind, "checkpoint")):
        return "other"  # what each of its steps did is glued to the bar
    handled = set() if takes_samples(fields) and not is_bar else handled
    heading = (*heading, *(pieces_of((name,))[0] for name in handled if pieces_of((name,))))
    over_data = is_bar and any(one.role == "throughput" for one in fields)
    if has(heading, "other_work") or over_data or any(one.role == "nothing" and "/" in one.unit for one in fields):
        return "other"
    saved = SAVED.intersection(pieces_of(tuple(one.name for one in fields if one.role == "setting")))
    return "checkpoint" if saved or has(heading, "checkpoint") else "unsaid"


def scatters(line: ParsedLine, fields: list[Field]) -> bool:
    """Tell a line whose score is a mean with its spread, `0.71 ± 0.02`: over what was tested, and no step's."""
    at = {item.at for item in line.items if item.scattered}
    return any(one.at in at and one.role in {"metric", "eval", "nothing"} for one in fields)


def is_over_held_out(line: ParsedLine) -> bool:
    """Tell a line that names the data it went over, `Phase: Training, Dataset used: Validation`: those are held out."""
    over = [text for name, text in line.texts.items() if not OVER.isdisjoint(pieces_of(tuple(name.split())))]
    return any(has(pieces_of((text,)), "evaluation") for text in over)


def takes_samples(fields: list[Field]) -> bool:
    """Tell `Step 36 processed 400 samples in 0.44 s`: what a step takes is no work beside it."""
    stepped = any(one.role == "step" and has(pieces_of((one.name,)), "step") for one in fields)
    named = [pieces_of((one.name, one.unit)) for one in fields if one.role in {*TIMED, "things"}]
    return stepped and any(has(pieces, "things") for pieces in named)


def waits_for_data(fields: Sequence[Field]) -> bool:
    """Tell `[350/5000] eta: 0:57:22 time: 0.55 data_time: 0.01`: what waits for its data in each step is a loop that
    trains or evaluates, though it says no word of either.
    """
    ends = any(one.role == "step" and one.total_at >= 0 for one in fields) and any(one.role == "eta" for one in fields)
    return ends and any(one.role == "part_time" and "data" in pieces_of((one.name,)) for one in fields)


def is_scored(fields: list[Field]) -> bool:
    """Tell a line on which a score is what an episode brought, or a pass came to: it counts, and tells the time."""
    counted = any(one.role in {"step", "epoch"} for one in fields)
    return any(map(is_episode, fields)) or (counted and any(one.role in TIMED for one in fields))


def counts_evaluations(one: Field) -> bool:
    """Tell a counter whose very name is an evaluation's, `Val epoch 3`: whatever the time beside it is called."""
    pieces = pieces_of((one.name,))
    return one.role in {"step", "epoch"} and has(pieces, "evaluation") and not has(pieces, "training")


def is_profile(fields: list[Field]) -> bool:
    """Tell a profiler's row: many times and shares of one operation, which no counter of steps stands before."""
    timed = [one.at[0] for one in fields if one.role in {*TIMED, "part_time"}]
    shares = sum(one.role == "percent" for one in fields)
    headed = any(one.role in {"step", "epoch"} and one.at[0] < min(timed, default=0) for one in fields)
    return len(timed) >= PROFILED and shares > 1 and not headed


def is_listing(fields: list[Field]) -> bool:
    """Tell a list of numbers, as counts by class are: many that have no name, and no step or pass is named."""
    named = any(one.role == "epoch" or (one.role == "step" and one.name) for one in fields)
    return not named and sum(not one.name for one in fields) >= LISTED


def is_over_split(heading: tuple[str, ...]) -> bool:
    """Tell a bar of work on a part of the data, as `train: Caching images`: the part is named, and what is done."""
    place = next((at for at, one in enumerate(heading) if one in {"train", "training"}), -1)
    if place < 0:
        return False
    if any(one.endswith("ing") and has((one,), "other_work") for one in heading[place + 1 :]):
        return True
    first = heading[0]
    handled = first not in GOING and (first in DONE_TO_DATA or has((first,), "other_work"))
    trained = place > 0 and has((first,), "training")  # Learning on training data
    if not handled and (trained or has(heading, "epoch") or is_whole(heading, place)):
        return False
    if heading[place + 1 : place + 2] and heading[place + 1] in PARTS and len(heading) > 2:
        return True
    if place == 0 or first in GOING:
        return False
    return handled or (len(first) > 5 and first.endswith("ing"))


def is_whole(heading: tuple[str, ...], place: int) -> bool:
    """Tell the training of something, as `Embedding training`, from work on what it is done with."""
    return place == len(heading) - 1 and heading[place] == "training" and heading[place - 1] not in OF_DATA


def is_activity(line: ParsedLine) -> bool:
    """Tell whether a bar is headed by what is being done, and that is no training: `Getting answers`."""
    named = line.items[0].name if line.items else ()
    head = next((word.lower() for before, word in line.heads if not before), named[0].lower() if named else "")
    if head.startswith("fine"):
        return False  # Fine-tuning
    return len(head) > 5 and head.endswith("ing") and not has((head,), "training")


def stream_of(line: ParsedLine, fields: list[Field], work: Work, is_bar: bool) -> Stream:
    """Name the stream a line belongs to: by its counter, or by its values' names where it has none."""
    counter = next((one for one in fields if one.role == "step"), None)
    counter = counter or next((one for one in fields if one.role == "epoch"), None)
    if counter is not None:
        measure = next((one.name for one in sorted(fields, key=lambda one: one.at[0]) if one.role in MEASURES), "")
        if is_bar:  # by its own heading: what follows a bar may have been glued to it
            measure = " ".join(word for before, word in line.heads if not before and word.isalpha())
        about = measure[:40].lower()
        return Stream("bar" if is_bar else "line", work, counter.role, counter.name.lower()[:60], about)
    named = sorted({NUMBERED.sub("", one.name.lower()) for one in fields if one.role not in NAMELESS})[:4]
    return Stream("beside", work, "", ",".join(named)[:100]) if named else NO_STREAM
