"""Find the training stream of a log: the lines of one kind whose counter rises while something is learnt."""

import math
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from schedmate.readers.progress.kinds.episodes import EPISODE
from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read, is_prose, is_text, stream_key
from schedmate.readers.progress.kinds.letters import LETTERED, letters_of
from schedmate.readers.progress.kinds.losses import is_called_loss
from schedmate.readers.progress.kinds.work import is_tagged_training, waits_for_data
from schedmate.readers.progress.lines.fields import Shape, Stream
from schedmate.readers.progress.lines.names import has, is_thing, pieces_of
from schedmate.readers.progress.streams.bars import (
    REPORTS,
    THROUGH,
    alike,
    doubts,
    fastest,
    is_open,
    is_passed,
    longest,
)
from schedmate.readers.progress.streams.mute_rows import UNNAMED
from schedmate.readers.progress.streams.no_loops import (
    LEAST_TOLD,
    ROLE,
    is_batch,
    is_left_behind,
    is_length,
    is_list,
    is_summary,
    is_written_out,
    stands_alone,
)
from schedmate.readers.progress.streams.only_evaluated import steps_evaluated
from schedmate.readers.progress.streams.related_streams import EXPLICIT, NEIGHBOUR, SELDOM, falls, is_loss_told, related

SURE, LIKELY = 3.5, 2.5
"""Scores from which steps are preferred to epochs, and from which a stream is taken for the loop's at all."""
MAX_STREAMS = 400

NOTHING_TOLD = 9.0
"""What a number without a name that rises, and tells of nothing, lacks: layers and shards are listed so."""
UNSPOKEN = 9.0
"""What lines lack that only time what they count."""
PACE = {"time", "throughput"}
"""What of any work is told; without units they may be any numbers."""
UNCOUNTED = (
    *(PACE, {"loss", "throughput"}, {"loss_part", "throughput"}),
    *({"things", "throughput"}, {"percent", "loss"}),
)
"""What lines without a counter tell together when they are the training loop's."""
REPEATED = ({"loss", "time"}, {"loss_part", "time"})
"""What they tell when there are several: any settings name a loss and a time once."""
FAST = 5e3
"""Steps a second that no optimizer makes: a bar that runs so fast is one over data."""
BRIEF_S = 4.0
"""A bar that is through in less is no training: data sets are mapped and shards loaded so."""
COARSE = 4.0
"""What a counter lacks that counts the passes of another."""
LENGTH = -4.0
WORK = {"train": 3.0, "unsaid": 0.0, "eval": -7.0, "other": -9.0, "checkpoint": -7.0}


WORDED = re.compile(r"[^\W\d_]{3}")
"""Three letters in a row: a word, whatever it is."""

FORMAT, TAGGED = 2.0, 1.5
"""What it counts that a known format reads lines, and that they have a tag of training."""


@dataclass(slots=True)
class Streams:
    """All streams of a log, within bounds."""

    known: dict[Stream, LinesOfKind] = field(default_factory=dict)
    order: int = 0

    def take(self, line: Read) -> None:
        """Add a line to its stream."""
        key = stream_key(line)
        stream = self.known.get(key)
        if stream is None:
            if len(self.known) >= MAX_STREAMS:
                self.forget()
            stream = self.known[key] = LinesOfKind(key, line.rank, first_order=line.order)
            epoch = line.shape.find("epoch")
            stream.first_epoch = None if epoch is None else epoch.value(line.numbers)
        if line.rank and stream.rank and line.rank != stream.rank:
            return  # each of many processes prints the same
        stream.lines.append(line)
        stream.count += 1
        self.order = line.order

    def forget(self) -> None:
        """Drop the streams that say least: no step's time or loss, no counter, and few lines."""
        worst = sorted(self.known.values(), key=lambda one: (tells(one), one.counts, one.count))[: MAX_STREAMS // 4]
        for stream in worst:
            del self.known[stream.key]

    def primary(self) -> LinesOfKind | None:
        """Choose the stream that is the training loop's own; None when no line is one's."""
        scored = [(score(one, self.known, self.order), one) for one in self.known.values() if may_train(one)]
        scored = [pair for pair in scored if pair[0] >= LIKELY and not (is_batch(pair[1]) and stands_alone(pair[1]))]
        if any(is_learning(pair[1]) for pair in scored):
            scored = [pair for pair in scored if not tells_nothing(pair[1], self.known)]
        steps = [pair for pair in scored if pair[1].key.counter == "step" and not stands_alone(pair[1])]
        if any(one.key.counter == "epoch" and one.count > LEAST_TOLD and is_loss_told(one) for _, one in scored):
            steps = [pair for pair in steps if pair[1].count > 1 or pair[1].totals()]  # what a checkpoint was, once
        steps = [pair for pair in steps if not is_bare(pair[1], self.known)]
        finer = [pair for pair in steps if pair[0] >= SURE]
        best = max(finer or scored, key=lambda pair: pair[0], default=None)
        if best is None or (best[1].key.counter == "epoch" and not tells(best[1])):
            evaluated = steps_evaluated(self.known.values())
            if evaluated is not None:
                return evaluated
        return best[1] if best else self.uncounted()

    def uncounted(self) -> LinesOfKind | None:
        """Choose among lines without a counter those that print a step's time, or a time and a throughput."""
        telling = []
        for stream in self.known.values():
            shape = stream.lines[-1].shape
            roles = {one.role for one in shape.fields}
            named = names_loss(shape)
            pairs = UNCOUNTED + REPEATED if named and stream.count > LEAST_TOLD else UNCOUNTED
            known = {one.role for one in shape.fields if one.unit_known} | (roles - {"time", "throughput"})
            explicit = bool(roles & EXPLICIT) or any(pair <= (known if pair == PACE else roles) for pair in pairs)
            if shape.work not in {"train", "unsaid"} or stream.counts or stream.repeats():
                continue
            if shape.is_bar and not {"loss", "loss_part"} & roles:
                continue  # a download, or data being mapped
            if explicit and not is_prose(stream.lines[-1]) and not is_list(stream):
                telling.append(stream)
        telling = telling or [one for one in self.known.values() if tells_loss_alone(one)]
        newest = max((stream.lines[-1].place for stream in telling), default=0)
        block = [stream for stream in telling if stream.lines[-1].place >= newest - NEIGHBOUR]
        return max(block, key=lambda stream: (step_s(stream), stream.lines[-1].order), default=None)


def tells_loss_alone(stream: LinesOfKind) -> bool:
    """Tell lines that say nothing but what is learnt, without a counter and a clock."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    alone = is_loss_told(stream) and not (stream.counts or stream.lines[-1].shape.is_bar or is_list(stream))
    return alone and stream.count > LEAST_TOLD and roles.isdisjoint(set(ROLE) - {"loss", "loss_part"})


def tells_any_loss(stream: LinesOfKind) -> bool:
    """Tell lines of a loss alone that name no training: under a heading of an evaluation they are that one's."""
    return tells_loss_alone(stream) and not has(pieces_of((stream.key.name,)), "training")


def step_s(stream: LinesOfKind) -> float:
    """Give the step's time that the last of some lines prints: in one block no part is longer than the whole."""
    one = stream.lines[-1].shape.find("step_time")
    return one.value(stream.lines[-1].numbers) if one is not None else 0.0


def is_pass(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell the only bar that is run through once in each pass, where losses are told: it trains, however brief."""
    began = stream.lines[0].order
    passes = [one for one in known.values() if one.key.counter == "epoch" and may_train(one)]
    often = max((sum(line.order >= began for line in one.lines) for one in passes), default=0)
    rivals = [one for one in alike(stream, known.values()) if one.key.total != stream.key.total and may_train(one)]
    counter = stream.counter()
    runs = len(counter) if counter == stream.totals() else falls(counter) + 1
    once = runs > LEAST_TOLD and often > LEAST_TOLD and abs(runs - often) <= 1
    if not once or any(one.count > LEAST_TOLD for one in rivals):
        return False
    parts = any(one.role == "loss_part" for one in stream.lines[-1].shape.fields)
    return parts or any(map(is_loss_told, known.values()))


def is_learning(stream: LinesOfKind) -> bool:
    """Tell whether lines say what is learnt."""
    return stream.lines[-1].shape.work == "train" and any(one.role == "loss" for one in stream.lines[-1].shape.fields)


def is_bare(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell lines that count and measure nothing, where others that count the same tell what is learnt."""
    if stream.key.counter != "step" or any(one.role in ROLE for line in stream.lines for one in line.shape.fields):
        return False
    kin = related(stream, known.values()) - {stream.key}
    return any(key.counter == "step" and is_learning(known[key]) for key in kin)


def tells_nothing(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell a counter that neither it nor anything beside it says a word of: rounds of a test, folds, files."""
    if stream.lines[-1].shape.work != "unsaid" or stream.key.kind == "bar":
        return False
    kin = related(stream, known.values()) | {stream.key}
    return not any(one.role in ROLE for key in kin for one in known[key].lines[-1].shape.fields if one.role != "epoch")


def tells(stream: LinesOfKind) -> bool:
    """Tell whether even a single line of a kind may be what is looked for."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    return bool(roles & (EXPLICIT | {"loss"})) and not is_list(stream)


def may_train(stream: LinesOfKind) -> bool:
    """Tell whether lines that count can be a training loop's: other work never is, however regular."""
    shape = stream.lines[-1].shape
    learns = any(one.role in {"loss", "loss_part"} for one in shape.fields)
    over_data = stream.key.kind == "bar" and not learns and fastest(stream) > FAST
    shows = is_text(stream.lines[-1]) and not names_loss(shape)  # a step may show what was made up in it
    return stream.counts and shape.work in {"train", "unsaid"} and not (over_data or shows)


def names_loss(shape: Shape) -> bool:
    """Tell whether a line has a value that is called a loss."""
    return any(is_called_loss(one.name) for one in shape.fields if one.role in {"loss", "loss_part"})


def score(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind], order: int) -> float:
    """Weigh what speaks for a stream being the training loop's."""
    shapes = {line.shape for line in stream.lines}
    roles = own = {one.role for shape in shapes for one in shape.fields}
    still = stream.count > 1 and len(set(stream.counter())) == 1
    is_setting = still and own.isdisjoint(ROLE)  # said again and again, and nothing beside it
    if stream.lines[-1].shape.work in {"train", "unsaid"} and not (is_setting and stream.count > LEAST_TOLD):
        kin = related(stream, known.values()) - {stream.key}
        roles = own | {one.role for key in kin for one in known[key].lines[-1].shape.fields}
    roles = roles | {"loss"} if stream.key.about == UNNAMED else roles
    total = WORK[stream.lines[-1].shape.work] + sum(weight for role, weight in ROLE.items() if role in roles)
    total += FORMAT if any(shape.framework for shape in shapes) else 0
    total += TAGGED if is_tagged_training(stream.lines[-1].text) else 0
    within = still and stream.key.counter == "epoch" and is_loss_told(stream)  # lines of one pass
    is_setting = is_setting or is_written_out(stream, own)
    total += LENGTH if is_length(stream) or is_setting else 0.0 if within else rising(through_passes(stream, known))
    ends = stream.totals()
    total += 0.7 if ends else 0
    total += min(1.5, math.log10(stream.count) / 2)
    if ends and max(ends) <= 3 and "loss" not in roles:
        total -= 3
    if ends and stream.key.kind == "bar":
        total += min(2.0, math.log10(max(1.0, *ends)) / 2)
    is_plain = own.isdisjoint(ROLE) or not stream.key.name
    if (is_plain and counts_passes_of(stream, known)) or is_summary(stream, known) or is_scored_between(stream, known):
        total -= COARSE
    if stream.key.counter == "epoch":
        total -= 2.0 if ends and stream.count > LEAST_TOLD else 2.5
    brief = stream.key.kind == "bar" and "loss" not in roles and longest(stream) < BRIEF_S
    if brief and not is_pass(stream, known) and not is_passed(stream, known.values()):
        total -= 3 if is_open(stream) else THROUGH
    if stream.key.kind == "bar":
        total -= doubts(stream, known.values(), bool(own & {"loss", "loss_part"}))
    if is_unspoken(stream, roles):
        total -= UNSPOKEN
    total -= THROUGH if is_left_behind(stream, known) else 0.0
    if is_thing(pieces_of((stream.key.name,))) and stream.key.name != EPISODE:
        total -= 2.5
    if not roles & set(ROLE):
        total -= 2.5 if stream.key.name else NOTHING_TOLD
    return total + (0.5 * stream.lines[-1].order / order if order else 0)


def counts_passes_of(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell a counter that other lines name as their pass, while they count its steps and tell what is learnt."""
    own = set(stream.counter()[-REPORTS:-1]) if stream.key.kind == "line" else set()
    for other in known.values():
        if other is stream or other.key.counter != "step" or not is_learning(other):
            continue
        epochs = [(line, line.shape.find("epoch")) for line in other.lines]
        if own and own <= {one.value(line.numbers) for line, one in epochs if one is not None}:
            return True
    return False


def is_scored_between(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> bool:
    """Tell what sums up an evaluation now and then, among lines that count the same steps finer, and learn."""
    if stream.key.counter != "step" or not any(one.role == "eval" for one in stream.lines[-1].shape.fields):
        return False
    finer = [one for one in known.values() if one.key.counter == "step" and one.count > SELDOM * stream.count]
    finer = [one for one in finer if is_learning(one)]
    steps = stream.counter()
    return any(min(one.counter()) <= steps[-1] and max(one.counter()) >= steps[0] for one in finer)


def is_unspoken(stream: LinesOfKind, roles: Container[str]) -> bool:
    """Tell lines that time what they count, and neither name a step or a pass nor tell of learning: any work may."""
    shapes = {line.shape for line in stream.lines}
    if stream.key.kind == "bar" or stream.key.work == "train" or any(shape.framework for shape in shapes):
        return False
    if not WORDED.search(stream.lines[-1].text):
        return False
    last = stream.lines[-1].shape.fields
    if letters_of(last) >= LETTERED or waits_for_data(last):
        return False  # what is learnt has letters for names
    names = [pieces_of((one.name,)) for shape in shapes for one in shape.fields]
    spoken = any(has(name, kind) for name in names for kind in ("learning", "loss", "step", "epoch", "training"))
    return not spoken and not any(role in roles for role in ("loss", "loss_part", "step_time", "steps_rate"))


def through_passes(stream: LinesOfKind, known: Mapping[Stream, LinesOfKind]) -> Sequence[float]:
    """Give the counter, or the passes where a bar is shown at its end only: once for each of them."""
    counter = stream.counter()
    at_end = counter == stream.totals()
    told = not stream.key.name and stream.lines[-1].shape.find("step_time") is not None
    if at_end and (told or (stream.key.kind == "bar" and is_pass(stream, known))):
        return range(stream.count)
    epochs = [(line, line.shape.find("epoch")) for line in stream.lines]
    passes = [one.value(line.numbers) for line, one in epochs if one is not None]
    return passes if len(passes) == len(counter) and at_end else counter


def rising(counter: Sequence[float]) -> float:
    """Reward a counter that rises, or begins anew; one that stands still over many lines is a setting said again."""
    distinct = len(set(counter))
    if distinct <= 1:
        return -4.0 if len(counter) > 3 else 0.0
    ups = sum(later > earlier for earlier, later in pairwise(counter))
    falls_at = [later for earlier, later in pairwise(counter) if later < earlier]
    downs = sum(later > min(counter) for later in falls_at)
    if ups <= len(falls_at):
        return -2.0
    return min(4.0, 1.0 + math.log2(distinct)) * (ups - downs) / (ups + downs)
