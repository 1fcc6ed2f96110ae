"""Tell what a value is by its name, its unit and its form; the words stand in knowledge/lognames.toml."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from schedmate.knowledge.evaluation_words import evaluation_words
from schedmate.knowledge.tables import table
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.translated import in_english, translations
from schedmate.readers.progress.lines.units import NONE, SECONDS, STEPS, Unit, unit_of

EPISODE = {"len", "length", "ret", "return", "rew", "reward", "rewards", "score"}
Role = Literal[
    "step", "total_steps", "epoch", "total_epochs", "count", "step_time", "steps_rate", "time", "elapsed", "eta",
    "epoch_time", "interval_time", "part_time", "throughput", "flops", "things", "batch_size", "loss", "loss_part",
    "metric", "eval", "percent", "setting", "nothing",
]  # fmt: skip

ALONE = {"ms", "seconds", "sec", "secs", "milliseconds", "msec", "s", "us", "minutes", "mins", "hours", "hrs"}

AT_END = {"ms", "us", "ns", "msec", "usec", "s", "sec", "secs", "seconds", "min", "minutes", "hours"}
"""Units of time by which a value may be called, and with which its name may end."""
VERBS = {"will", "would", "can", "could", "may", "should", "is", "was", "has", "had", "takes", "took", "take", "needs"}
PREPOSITIONS = {"for", "of", "per"}

SLOW = 1 / 3000
"""What is done by the hour or the day is work or wages in a text, unless it is what training takes in."""
NUMBER = {"num", "number", "n", "nb"}
MEASURED = ("loss", "acc", "accuracy", "batch", "step", "iter", "epoch", "time")

MEASURED_OF = {"train", "val", "valid", "test", "eval", "avg", "mean", "total", "epoch", "batch"}
"""What some write without a space: a part of the work, or how a value was put together, and what was measured."""
OF_WHAT_IS_PREDICTED = {("predict", "loss"), ("prediction", "loss")}
"""Losses of training beside those of other parts: data that are set apart are not called so."""
FUNCTION = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")
PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=1)
def words() -> dict[str, frozenset[str]]:
    """Read the word lists once."""
    found = {kind: frozenset(spellings) for kind, spellings in table("lognames").items()}
    return found | {"evaluation": found["evaluation"] | evaluation_words("names", "splits")}


@lru_cache(maxsize=4096)
def pieces_of(name: tuple[str, ...]) -> tuple[str, ...]:
    """Cut a name into lower-case words: `RunningAvgSamplesPerSec`, `train/loss_cls`, `learning rate`."""
    found: list[str] = []
    for word in name:
        if word == "(t)" or not word.isascii():
            found += ["time"] if word == "(t)" else in_english(word)
            continue
        for part in re.split(r"[^\w]|_", word.partition("'")[0].partition("’")[0]):  # it's: the s is no second
            found += [piece.lower() for piece in PIECE.findall(part)] if not part.islower() else unglued(part)
    for at in range(len(found) - 1):
        if found[at : at + 2] == ["cross", "entropy"]:
            found[at : at + 2] = ["xent", ""]
    return tuple(translations().get(piece, piece) for piece in found if piece)


def has(pieces: tuple[str, ...], kind: str) -> bool:
    """Tell whether a word of a list is among the words of a name."""
    return not words()[kind].isdisjoint(pieces)


def unglued(word: str) -> tuple[str, ...]:
    """Part `steptime` and `trainloss`, in which what a value is of is glued to what it is."""
    for measure in MEASURED:
        front = word.removesuffix(measure)
        if front != word and (front in MEASURED_OF or (measure == "time" and front in words()["whole"])):
            return (front, measure)
    return (word,)


@lru_cache(maxsize=4096)
def unit_in_name(name: tuple[str, ...]) -> Unit:
    """Find the unit that a name carries: `time (ms)`, `tokens/s`, `ms/batch`, `seconds_per_step`, `timing in s`."""
    if not name:
        return NONE
    last = name[-1]
    inner = unit_of(last[1:-1]) if last.startswith("(") and last.endswith(")") else NONE
    if inner.kind:
        return inner
    if len(name) >= 3 and name[-2].lower() == "in" and unit_of(last).kind:
        return unit_of(last)
    if len(name) >= 3 and name[-2].lower() in {"per", "x"}:
        unit = unit_of(f"{name[-3].split('_')[-1].split('/')[-1]}/{last}")
        if unit.kind:
            return unit
    if "/" in last and unit_of(last).kind:
        return unit_of(last)
    pieces = pieces_of(name)
    pieces = pieces[:-1] if len(pieces) > 2 and pieces[-1] in words()["typical"] else pieces
    if "per" in pieces[1:-1]:
        place = pieces.index("per")
        unit = unit_of("/".join((pieces[place - 1], pieces[place + 1])))
        if unit.kind == "per_step" and pieces[place - 1] not in SECONDS and pieces[-1] in SECONDS:
            return Unit("per_step", SECONDS[pieces[-1]])  # time per iteration, in ms
        if unit.kind:
            return Unit(unit.kind, unit.scale, f"{pieces[place - 1]}/{pieces[place + 1]}" if unit.thing else "")
    return last_unit(pieces)


def last_unit(pieces: tuple[str, ...]) -> Unit:
    """Find a unit of time that ends a name, or is all of it; `reward_min` is the least, and no time in minutes."""
    if len(pieces) < 2:
        return unit_of(pieces[0]) if pieces and pieces[0] in ALONE else NONE
    timed = pieces[-1] != "min" or has(pieces, "time") or has(pieces, "remaining")
    return unit_of(pieces[-1]) if pieces[-1] in AT_END and timed else NONE


@lru_cache(maxsize=4096)
def steps_in_name(name: tuple[str, ...]) -> float:
    """Give how many steps a column of times is for, as in `time for 100 steps`; nought where it does not say."""
    lowered = [part for word in name for part in word.lower().split("_")]
    for word, following in pairwise(lowered[1:]):
        if word.isdigit() and following in STEPS and has(pieces_of(name), "time"):
            return float(word)
    return 0.0


def role_of(item: Item) -> tuple[Role, Unit]:
    """Tell a value's role and the unit it is in; a value nothing is known of is a metric or nothing."""
    own, named = item.unit, unit_in_name(item.name)
    unit = own if own.kind else named
    pieces = without_s(pieces_of(item.name))
    if item.form == "moment":
        return "nothing", NONE
    if named.kind == "rate" and own.kind == "time":
        return "time", unit  # the value stands under another value's header
    if item.form != "per_count" and (many := steps_in_name(item.name)):
        return "step_time", Unit("per_step", (unit.scale if unit.kind == "time" else 1.0) / many)
    if item.form == "duration" and named.kind == "per_step":
        return "step_time", named  # time_per_update: 00:00:00.25
    if not pieces:
        return nameless(item, unit), unit
    if unit.kind in {"bytes", "percent"} or item.form == "percent":
        return ("eval" if has(pieces, "evaluation") else "percent" if unit.kind == "percent" else "nothing"), unit
    if scatters(item, pieces, unit) or is_of_function(item, pieces):
        return "metric", unit
    if pieces[-2:] in {("loss", "rate"), ("a", "time")} or pieces[-1] == "version":
        return "metric", unit  # of packets that were lost; so many at a time; that of a runtime
    evaluation = has(pieces, "evaluation") and not (has(pieces, "training") or pieces in OF_WHAT_IS_PREDICTED)
    for judge in (by_unit, by_counter, by_time, by_rate, by_learning):
        role = judge(item, pieces, unit)
        if role:
            is_eval = evaluation and role not in {"eta", "setting", "step", "total_steps", "epoch"}
            return "eval" if is_eval else role, unit
    return ("eval" if evaluation else "metric"), unit


def without_s(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out an s amid a name, which only as its end is a unit, and a pronoun: `It will take 3 hours`."""
    if len(pieces) > 1 and pieces[0] == "it" and pieces[1] in VERBS:
        pieces = pieces[1:]
    return (*(piece for piece in pieces[:-1] if piece != "s"), pieces[-1]) if len(pieces) > 1 else pieces


def scatters(item: Item, pieces: tuple[str, ...], unit: Unit) -> bool:
    """Tell whether a time or a rate is a spread or an extreme: `step_time_std`, `slowest: 0.9s`, `min step time`."""
    timed = unit.kind in {"time", "per_step", "steps_rate", "rate"} or has(pieces, "time") or has(pieces, "rate")
    extreme = (pieces[0] == "min" and len(pieces) > 1) or (
        pieces[-1] == "min" and len(pieces) > 2 and has(pieces, "step")
    )
    return timed and item.form != "fraction" and (has(pieces, "spread") or extreme)


def is_of_function(item: Item, pieces: tuple[str, ...]) -> bool:
    """Tell what a function of the program took, `load_index took 0.2 s`, where its name says nothing of a step."""
    if pieces[-1:] != ("took",) or len(item.name) < 2 or not FUNCTION.fullmatch(item.name[-2]):
        return False
    return not any(has(pieces[:-1], kind) for kind in ("step", "epoch", "part", "training"))


def is_slow(unit: Unit) -> bool:
    """Tell a rate by the hour of what no training counts: `120 parts/hour`, and not `90000 samples/hour`."""
    return unit.kind == "rate" and unit.scale <= SLOW and not has(pieces_of((unit.thing,)), "things")


def nameless(item: Item, unit: Unit) -> Role:
    """Tell what a value without a name is by its unit."""
    kinds: dict[str, Role] = {
        "per_step": "step_time", "steps_rate": "steps_rate", "rate": "throughput", "time": "time", "percent": "percent",
        "per_epoch": "epoch_time", "flops": "flops",
    }  # fmt: skip
    if is_slow(unit):
        return "nothing"
    return "interval_time" if item.form == "per_count" else kinds.get(unit.kind, "nothing")


def by_unit(item: Item, pieces: tuple[str, ...], unit: Unit) -> Role | None:
    """Let a unit that says it all decide: s/it, it/s, images/s."""
    if item.form == "per_count" or {"since", "last"} <= set(pieces) <= words()["since_report"]:
        return "interval_time"
    if unit.kind in {"", "time"} and len(pieces) == 2 and pieces[0] == "episode" and has(pieces[1:], "time"):
        return "interval_time"  # `episode_time`: whoever reports each episode tells what it took
    part = has(pieces, "part") and not has(pieces, "rate")
    if unit.kind == "per_step":
        return "part_time" if part and not item.unit.kind and not whole(pieces) else "step_time"
    if unit.kind == "per_epoch":
        return "epoch_time"
    if unit.kind == "per_thing":
        return "part_time"
    if unit.kind == "steps_rate":
        return "steps_rate"
    if unit.kind == "rate":
        return "metric" if is_slow(unit) else "throughput"
    return "flops" if unit.kind == "flops" else None


def whole(pieces: tuple[str, ...]) -> bool:
    """Tell whether a time is that of a whole step in spite of a word such as `train` or `optimizer`."""
    return has(pieces, "whole")


def by_counter(item: Item, pieces: tuple[str, ...], unit: Unit) -> Role | None:
    """Read counters and the settings that are named after them."""
    if not unit.kind and item.form == "plain" and is_thing(pieces) and not has(pieces, "rate") and "per" not in pieces:
        return "things"
    if ("batch" in pieces and "size" in pieces) or has(pieces, "batch_size"):
        return "batch_size"
    steps, epochs = has(pieces, "step"), has(pieces, "epoch")
    if not EPISODE.isdisjoint(pieces) or ("/" in item.name[-1] and (pieces[0] in NUMBER or is_thing(pieces[:-1]))):
        return None  # EpLen, AverageEpRet, n/ep: ep is an episode here; words/batch: how many of them a step takes
    if not (steps or epochs) or unit.kind or has(pieces, "rate") or ("per" in pieces[:-1] and not epochs):
        return None
    last = pieces[-1]
    timed = has(pieces, "time") and last not in {"step", "iteration", "steps"} and not has(pieces[-1:], "step")
    timed = timed or (has(pieces[:1], "time") and not PREPOSITIONS.isdisjoint(pieces[1:-1]))  # time for a batch
    if timed or has(pieces, "loss") or (has(pieces, "learning") and last not in words()["step"] | words()["epoch"]):
        return None
    begun = len(item.name) > 1 and pieces[0] in {"start", "starting"} and has(pieces, "training")
    if "per" in pieces or (has(pieces, "setting") and not (begun or (item.form == "fraction" and steps))):
        return "setting"
    if steps and epochs and last in words()["epoch"] and item.form != "fraction":
        return "step" if "in" in pieces else "epoch"
    so_far = item.name[-1].startswith("total/")  # a group of what was counted so far
    if last == "epochs" and item.form != "fraction" and not steps and not so_far:
        return "total_epochs"
    if has(pieces, "total") and not has(pieces, "time") and item.form != "fraction":
        counted = (
            so_far or "updates" in pieces or (pieces[:1] == ("total",) and last in {"step", "iter", "iteration", "it"})
        )
        counted = counted or (pieces[0] in {"n", "num"} and last in {"updates", "iter", "update"})
        counted = counted or (last in NUMBER and not has(pieces[:-1], "total"))  # step_num is a step's number
        if not counted:
            return "total_steps" if steps and last not in words()["epoch"] else "total_epochs"
    if has(pieces, "micro"):
        return "count"
    return "step" if steps and (last not in words()["epoch"] or "in" in pieces) else "epoch"


def by_time(item: Item, pieces: tuple[str, ...], unit: Unit) -> Role | None:
    """Part step times from elapsed, remaining and partial ones."""
    timed = unit.kind == "time" or item.form == "duration" or (has(pieces, "time") and not unit.kind)
    bare = not unit.kind and has(pieces[-1:], "remaining") and not has(pieces[-1:], "done")  # `Finish 3 epoch` is done
    if has(pieces, "remaining") and (timed or bare):
        return "eta"
    if not timed or has(pieces, "rate"):
        return None
    if "ran" in pieces or pieces[-2:] == ("steps", "taken"):
        return "metric"  # a program that is over; a count
    spoken = unit.kind or has(pieces, "whole") or "time" in pieces
    if has(pieces, "loss") and not spoken and pieces[-1] in words()["loss"]:
        return None
    if pieces[-1] == "time" and has(pieces[-2:-1], "whole") and has(pieces[:-2], "cumulative"):
        return "time" if has(pieces[:-2], "total") else "step_time"  # a step's time, whatever clock it was taken by
    if whole(pieces) and not has(pieces, "cumulative"):
        last_two = pieces[-2:]
        if has(pieces, "part") and not {"train", "iter", "step", "iteration", "batch"} & set(last_two):
            return "part_time"
        inner = set(pieces) & (words()["part"] - {"update", "learning", "sample", "model", "last", "gpu"})
        return "part_time" if inner else "step_time"
    if whole(pieces) and "per" in pieces:
        return "step_time"
    if has(pieces, "epoch"):
        return "epoch_time"
    if has(pieces, "part"):
        return "part_time"
    if has(pieces, "cumulative"):
        return "elapsed"
    return "time"


def by_rate(item: Item, pieces: tuple[str, ...], unit: Unit) -> Role | None:
    """Read rates that carry no unit."""
    if has(pieces, "flops"):
        return "flops"
    if has(pieces, "steps_rate") and (pieces[-1] != "ups" or len(pieces) == 1 or has(pieces[:-1], "training")):
        return "steps_rate"  # push-ups are none
    named = has(pieces, "rate") and pieces != ("rate",) and not unit.kind
    if named and not (has(pieces, "learning") or has(pieces, "share")):
        return "throughput"
    return None


def by_learning(item: Item, pieces: tuple[str, ...], unit: Unit) -> Role | None:
    """Find the loss of the whole; losses of a part are metrics."""
    if item.form == "fraction" or unit.kind not in {"", "time"}:
        return None
    if pieces[0] == "l" and len(pieces) > 1 and item.form == "plain":
        whole = words()["loss_whole"].issuperset(pieces[1:]) and pieces[-1] in {"total", "sum", "all", "overall"}
        return "loss" if whole else "loss_part"  # l_pix, l_g_gan: how some write the losses of parts
    if not has(pieces, "loss"):
        return None
    if "rate" in pieces and has(pieces, "share"):
        return "metric"  # a bit error rate is no loss
    if (has(pieces, "learning") and not has(pieces, "loss_exact")) or has(pieces, "loss_part"):
        return "metric"
    rest = [piece for piece in pieces if piece not in words()["loss"] and not piece.isdigit()]
    return "loss" if all(piece in words()["loss_whole"] for piece in rest) else "loss_part"


def is_thing(pieces: tuple[str, ...]) -> bool:
    """Tell whether a counter counts samples, tokens or frames."""
    return has(pieces, "things")
