"""Read a log's lines from nothing: shapes, tables, streams, then the loop and what it says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from schedmate.readers.progress.kinds.episodes import acts, episodes_found
from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read
from schedmate.readers.progress.kinds.shapes import EMPTY, Shapes
from schedmate.readers.progress.kinds.work import is_tagged_training, tells_rate
from schedmate.readers.progress.lines.columns import Header, find_header, is_rule
from schedmate.readers.progress.lines.fields import Field, Shape, Stream
from schedmate.readers.progress.lines.formats import Format, known_formats
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.options import OptionsSaid
from schedmate.readers.progress.lines.pass_length import PassLengths
from schedmate.readers.progress.lines.settings_said import SettingsSaid
from schedmate.readers.progress.lines.stamp_lines import tells_time
from schedmate.readers.progress.lines.tokens import normalise, shorten, split_numbers, value_of
from schedmate.readers.progress.loop.loop import TrainingLoop
from schedmate.readers.progress.loop.proof import MAKES_TEXTS, proof_of
from schedmate.readers.progress.streams.bars import is_mistakable
from schedmate.readers.progress.streams.counters import counters_found
from schedmate.readers.progress.streams.related_streams import TELLING, redrawn, related, telling_loss
from schedmate.readers.progress.streams.sections import Sections
from schedmate.readers.progress.streams.streams import Streams, tells_any_loss
from schedmate.readers.progress.streams.unnumbered import tells_each
from schedmate.readers.progress.text.dress import Dress
from schedmate.readers.progress.text.said_before import SaidBefore

SETTINGS = {"total_steps", "total_epochs", "batch_size"}

HEADING = {"epoch", "total_epochs", "nothing"}
"""What a line has that heads a pass, and measures nothing."""
BESIDE = {"eval", "other", "checkpoint"}
"""Of what lines may tell whose pass is not the one that is at work."""
SIZES = {"metric", "things", "setting"}
"""As what the tokens of a step are read: they are no counter that rises."""
LEAST_SETTINGS = 5
"""So many signs of equality a line has at least that may be a record of settings."""
DUMP = re.compile(r"[A-Za-z]\((?:\w{1,60}=[^=]{0,200}, ){4}")
"""A record that is written out as an object of Python: `Namespace(epochs=9, batch=4, ...)`."""
SWITCH, SWITCHES = re.compile(r"= ?(?:True|False|None|true|false|null)\b"), 3
"""A setting that is switched on or off, and how many of them make a record of settings, whatever it tells of losses."""
PAIR, PAIRS = re.compile(r"['\"]: "), 10
"""So many names with a value each are written out as a dictionary, that neither counts nor learns: settings."""
SETTINGS_HEAD = re.compile(
    r"(?i)[^=]{0,80}\b(?:hyper-?parameters|arg(?:ument)?s|options|config(?:uration)?|settings)\b"
)
"""What a record of settings is called, whatever it tells of losses."""
OF_TRAINING = {"batch_size", "plain_batch", "token_batch", "total_epochs", "pass_steps"}
"""Settings that nothing but training and evaluation has."""
ENDING = {("train", "steps"), ("iteration", "count")}
"""What some call the end of their steps, as CatBoost does."""
SET = re.compile("oken|train_steps|iteration_count")
"""What stands in lines whose settings are not known by their roles."""
LOSS = re.compile(r"(?:(?<![a-z])loss|Loss)(?:es)?(?![a-z])|LOSS")
"""A loss by its word, be it within a name."""
WHOLE_BATCH = {"global", "total", "effective"}
MAX_HEADERS = 2
MAX_OWN = 256


@dataclass(slots=True)
class ProgressReading:
    """Lines on the way to a loop; kept until the training stream is known."""

    shapes: Shapes
    streams: Streams = field(default_factory=Streams)
    headers: tuple[Header, ...] = ()
    """The names of columns that were seen last: other tables may stand between a header and its rows."""
    settings: SettingsSaid = field(default_factory=SettingsSaid)
    order: int = 0
    sections: Sections = field(default_factory=Sections)
    dress: Dress = field(default_factory=Dress)
    own: dict[str, Shape] = field(default_factory=dict)
    """What this log's templates mean, where that shows only when many lines are seen together."""
    options: OptionsSaid = field(default_factory=OptionsSaid)
    made_texts: int = 0
    """How often a model was said to begin a text."""
    said: SaidBefore = field(default_factory=SaidBefore)
    pass_lengths: PassLengths = field(default_factory=PassLengths)
    place: int = 0
    """How many lines told something new: how far lines stand apart, whatever is said over and over between them."""
    speaks_of_loss: bool = False
    """Whether a line has the word, be it of a setting."""

    def take(self, number: int, text: str) -> Read | None:
        """Read one line; None when it says nothing of progress."""
        self.order += 1
        is_new = self.said.is_new(text)
        self.place += is_new
        if not self.speaks_of_loss and ("oss" in text or "OSS" in text):
            self.speaks_of_loss = LOSS.search(text) is not None
        for steps in self.pass_lengths.said(text) if is_new else ():
            self.settings.keep("pass_steps", steps, number, text)
        line = self.shape(number, text)
        if line is None or not line.shape.stream.kind:
            self.place -= is_new and not self.said.is_new_kind(text)
            return None
        roles = {one.role for one in line.shape.fields}
        dumped = line.text.count("=") >= LEAST_SETTINGS and is_dump(line.text, "loss" in roles)
        dumped = dumped or (line.shape.stream.kind == "beside" and "loss" not in roles and is_dictionary(line.text))
        dumped = dumped or self.options.is_one(line.text, line.shape, line.numbers)
        if (line.shape.stream.kind != "beside" or roles & TELLING or tells_time(line.shape.stream)) and not dumped:
            self.streams.take(line)
        for one in line.shape.fields if roles & SETTINGS or SET.search(line.text) else ():
            if name := setting_of(one):
                self.settings.keep(name, one.value(line.numbers), number, line.quote)
        return line

    def without_lines(self) -> "ProgressReading":
        """Give a reading that has learned what this one has, and keeps none of the lines."""
        return replace(self, streams=Streams(), said=SaidBefore(), pass_lengths=PassLengths())

    def shape(self, number: int, text: str) -> Read | None:
        """Give a line's shape, under the table's header where it is a row."""
        shown = text[: self.dress.width] if self.dress.width else text
        writer = self.dress.rank(text) if self.dress.ranked else ""
        text = shorten(self.dress.off(text))
        line = normalise(text)
        template, numbers = split_numbers(line)
        shape = self.own.get(template) or (self.shapes.read(line, template, numbers) if numbers else EMPTY)
        for header in self.headers if numbers else ():
            row = self.shapes.read_row(header, line, template, numbers)
            if row is not None:
                return Read(number, self.order, row[0], row[1], text, shown, writer, self.place)
        if not numbers:
            self.sections.heading(line, self.order)
        elif shape.stream.counter == "step":
            tagged = is_tagged_training(line) and tells_rate(shape.fields)
            shape = self.sections.place(shape, numbers, tagged)
        elif shape.stream.counter == "epoch" and all(one.role in HEADING for one in shape.fields):
            if shape.work == "eval":
                self.sections.begin_evaluation(self.order)
            else:
                self.sections.begin_pass(is_last_pass(shape, numbers))
        elif shape.stream.counter == "epoch":
            shape = self.sections.told_again(shape, numbers)
        elif shape.stream.kind == "beside":
            shape = self.sections.aside(shape)
        if not shape.stream.counter and len(numbers) - shape.heading <= 3:
            self.made_texts += MAKES_TEXTS in line
            named = find_header(text)
            if named is not None and not is_rule(text):
                self.see_header(named)
        return None if shape is EMPTY else Read(number, self.order, shape, numbers, text, shown, writer, self.place)

    def see_header(self, header: Header) -> None:
        """Remember a table's header, the newest first."""
        if header.key not in {one.key for one in self.headers[:1]}:
            self.headers = (header, *(one for one in self.headers if one.key != header.key))[:MAX_HEADERS]

    def anchor(self, primary: Stream) -> bytes:
        """Give the longest word that all lines of a stream have, by which they can be found in a hurry."""
        lines = self.streams.known.get(primary)
        common = set.intersection(*(words_of(line.text) for line in lines.lines)) if lines else set()
        return max(sorted(common), key=len, default="").encode()

    def find_counters(self) -> None:
        """Read streams without a sure counter anew where a number of theirs turns out to be one."""
        is_training = self.sections.trains or not OF_TRAINING.isdisjoint(self.settings.values)
        for stream in list(self.streams.known.values()):
            is_due = stream.worth_another_look()
            self.read_anew(stream, counters_found(stream, is_training, self.speaks_of_loss) if is_due else {})

    def find_episodes(self) -> LinesOfKind | None:
        """Let episodes count where nothing else does, and choose the training stream again."""
        known = list(self.streams.known.values())
        in_table = any(acts(one.lines[-1].shape) for one in known if one.lines[-1].shape.layout == "cells")
        for stream in known:
            self.read_anew(stream, episodes_found(stream, in_table))
        return self.streams.primary()

    def read_anew(self, stream: LinesOfKind, changed: Mapping[Shape, Shape]) -> None:
        """Take the lines of a stream once more, with other shapes for theirs."""
        if changed:
            del self.streams.known[stream.key]
            for line in stream.lines:
                shape = changed.get(line.shape, line.shape)
                self.streams.take(replace(line, shape=shape))
                if shape is not line.shape and len(self.own) < MAX_OWN:
                    self.own[split_numbers(normalise(line.text))[0]] = shape

    def loop(self) -> TrainingLoop | None:
        """Find the training loop and follow it through the lines that were kept; None when there is none."""
        self.find_counters()
        primary = self.streams.primary()
        if primary is None or not primary.counts:
            primary = self.find_episodes() or primary
        if primary is None or (self.sections.began_before(primary.first_order) and tells_any_loss(primary)):
            return None
        proof = proof_of(primary, self.streams.known.values(), self.sections.trains, self.made_texts)
        if proof == "nothing":
            return None
        kin = related(primary, self.streams.known.values())
        epochs = {key for key in self.streams.known if key.counter == "epoch" and key.work not in BESIDE}
        one_each = tells_each(primary)
        role = "" if one_each else primary.key.counter
        loop = TrainingLoop(primary.key, frozenset(kin | epochs), role, primary.rank, one_each=one_each)
        loop.is_proven = proof == "trains" and not is_mistakable(primary, self.streams.known.values())
        loop.tells_loss = telling_loss(kin | epochs, self.streams.known)
        streams = [self.streams.known[key] for key in kin | epochs | loop.tells_loss]
        loop.passes.first_epoch = min((one.first_epoch for one in streams if one.first_epoch is not None), default=None)
        above = [one for one in streams if one is not primary and one.counts and redrawn(one, primary)]
        inside = merged([one for one in streams if one not in above])
        lines = [*since_first_record(inside, role), *merged(above)]
        for line in (
            lines if role != "epoch" or primary.count == len(primary.lines) else since_next_pass(lines, primary)
        ):
            loop.take(line)
        return loop


def is_dump(text: str, tells_loss: bool = False) -> bool:
    """Tell a record of settings that is written out, `Namespace(epochs=9, batch=4, ...)`: it counts nothing."""
    if len(SWITCH.findall(text)) >= SWITCHES or SETTINGS_HEAD.match(text):
        return True
    return not tells_loss and DUMP.search(text) is not None


def is_last_pass(shape: Shape, numbers: Sequence[str]) -> bool:
    """Tell a heading such as `Epoch 20/20`."""
    epoch = shape.find("epoch")
    return epoch is not None and epoch.total_at >= 0 and epoch.value(numbers) >= value_of(numbers[epoch.total_at])


def is_dictionary(text: str) -> bool:
    """Tell settings that are written out as `{'cuda': True, 'batch_size': 64, ...}`."""
    return text.count(": ") >= PAIRS and len(PAIR.findall(text)) >= PAIRS


def words_of(text: str) -> set[str]:
    """Give a line's plain words."""
    return set(re.findall(r"[A-Za-z_]{3,40}", text))


def setting_of(one: Field) -> str:
    """Name the setting that a value is; the batch of all devices is kept apart from one that may be a device's."""
    pieces = pieces_of((one.name, one.unit))
    if takes_tokens(one, pieces):
        return "token_batch"
    if one.role == "step" and pieces in ENDING and one.total_at < 0:
        return "total_steps"
    if one.role != "batch_size" or not WHOLE_BATCH.isdisjoint(pieces):
        return one.role if one.role in SETTINGS else ""
    return "" if has(pieces, "micro") or has(pieces, "evaluation") else "plain_batch"


def takes_tokens(one: Field, pieces: tuple[str, ...]) -> bool:
    """Tell the tokens of one step of all devices, as `tokens per iteration will be: 491,520`."""
    if "tokens" not in pieces or one.total_at >= 0 or has(pieces, "rate") or has(pieces, "micro"):
        return False
    if one.role == "batch_size":
        return not WHOLE_BATCH.isdisjoint(pieces)
    after = pieces[pieces.index("tokens") + 1 :]
    per_step = bool(after) and (
        after[0] == "per" or "/" in one.name or has(pieces, "optimization") or "optimizer" in pieces
    )
    return one.role in SIZES and pieces[0] in {"tokens", "total", "global"} and per_step and has(after, "step")


def merged(streams: Sequence[LinesOfKind]) -> list[Read]:
    """Put the lines of several streams back into the order they were printed in."""
    return sorted((line for stream in streams for line in stream.lines), key=lambda line: line.order)


def since_first_record(lines: Sequence[Read], role: str) -> Sequence[Read]:
    """Leave out the end of a record whose counter was not kept, where what follows a counter stands nearest to it."""
    counted = [at for at, line in enumerate(lines) if line.shape.find("epoch" if role == "epoch" else "step")]
    if len(counted) < 2 or not counted[0]:
        return lines
    behind = ahead = 0
    for one, other in pairwise(counted):
        beside = [line.place for line in lines[one + 1 : other] if not line.shape.find("epoch")]
        behind += sum(place - lines[one].place for place in beside)
        ahead += sum(lines[other].place - place for place in beside)
    if behind >= ahead:
        return lines
    return [*(line for line in lines[: counted[0]] if line.shape.find("epoch")), *lines[counted[0] :]]


def since_next_pass(lines: Sequence[Read], primary: LinesOfKind) -> Sequence[Read]:
    """Leave out a pass of which only the end was kept: when it began is not known."""
    passes = primary.counter()
    whole = next((place for place, one in enumerate(passes) if one != passes[0]), 0)
    first = primary.lines[whole].order
    return [line for line in lines if line.order >= first]


@lru_cache(maxsize=1)
def usual_shapes() -> Shapes:
    """Share what was learnt of templates among all logs of the process."""
    return Shapes(known_formats())


def shared_shapes(formats: Sequence[Format] | None) -> Shapes:
    """Give the memory of templates that goes with a choice of formats."""
    return usual_shapes() if formats is None else Shapes(formats)
