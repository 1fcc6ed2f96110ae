"""Read units as logs spell them: seconds, seconds per step, steps per second, things per second."""

from functools import lru_cache
from typing import NamedTuple

from schedmate.readers.progress.lines.translated import in_english

SECONDS = {
    **dict.fromkeys(
        (
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "scnd",
            "秒",
            "초",
            "sekunden",
            "segundos",
            "secondes",
            "сек",
            "с",
            "sn",
            "saniye",
            "secondi",
            "seconden",
            "sekund",
            "sekundy",
            "sekunder",
            "giây",
            "detik",
        ),
        1.0,
    ),
    **dict.fromkeys(
        ("ms", "msec", "msecs", "millis", "millisecond", "milliseconds", "millisec", "毫秒", "ミリ秒", "мс"), 1e-3
    ),
    **dict.fromkeys(("us", "µs", "μs", "usec", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nsec", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "分", "分钟", "분", "мин"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours", "小时", "時間", "시간"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
STEPS = {"it", "its", "iter", "iters", "iteration", "iterations", "itr", "step", "steps", "batch", "batches"} | {
    "update", "updates", "upd", "ups", "minibatch", "minibatches", "mini-batch", "mini-batches",
    "global_step", "gstep", "query", "queries",
}  # fmt: skip

DIMENSIONS = {"D", "M", "H"}
"""`box IoU (ground/3D)`, `12M`: no days and no minutes; these are printed in small letters."""
LENGTHS = {"km", "m", "meter", "meters", "mi", "mile", "miles", "cm", "mm", "rad", "deg"}
"""What something moves by: no speed of training."""
BATCH = {"b", "bch", "btch"}
"""A batch, below a time: no byte is timed by itself."""
EPOCHS = {"epoch", "epochs", "ep"}
BYTES = {prefix + kind for prefix in ("", "k", "m", "g", "t", "ki", "mi", "gi", "ti") for kind in ("b", "ib", "bytes")}
BYTES -= {"b", "mb"}
BYTES |= {
    prefix + kind for prefix in ("", "k", "m", "g") for kind in ("bps", "bit", "bits", "bits/s", "bits/sec", "iops")
}
BYTES_EXACT = {"MB", "GB", "kB", "KB", "TB", "B", "MiB", "GiB", "KiB", "Mb", "Gb", "G", "bytes", "Bytes", "byte"}


class Unit(NamedTuple):
    """What a unit measures; `kind` is time, per_step, per_epoch, per_thing, steps_rate, rate, flops, bytes, percent."""

    kind: str
    scale: float = 1.0
    thing: str = ""


NONE = Unit("")


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit:
    """Read a unit by its spelling; a word that is no unit gives a unit without a kind."""
    if text in BYTES_EXACT:
        return Unit("bytes")
    plain = text.lower().strip(".")
    if plain in SECONDS and text not in DIMENSIONS:
        return Unit("time", SECONDS[plain])
    parts = [part.strip(" .") for part in plain.replace("_per_", "/").replace(" per ", "/").split("/")]
    if len(parts) < 2 or not all(parts[1:]):
        return Unit("bytes") if plain in BYTES else NONE
    return ratio_of(parts, text)


def ratio_of(parts: list[str], text: str) -> Unit:
    """Read `a/b` and `a/b/c`: time over things, or things over time."""
    top = (parts[0].partition("(")[0].split() or [""])[-1]
    below = [part.split()[0] for part in parts[1:]]
    seconds = next((SECONDS[part] for part in below if part in SECONDS), None)
    if (seconds is not None and below[-1] in SECONDS) or (seconds is not None and below[0] in SECONDS):
        if top in STEPS or not STEPS.isdisjoint(in_english(top)):
            return Unit("steps_rate", 1 / seconds, text)
        if top.endswith(("flop", "flops")):
            return Unit("flops", thing=text)
        if top in BYTES or top in {"mb", "gb", "kb", "b"}:
            return Unit("bytes", thing=text)
        if top in LENGTHS:
            return Unit("bytes", thing=text)  # as little a pace of training as that of a download
        return Unit("rate", 1 / seconds, text)
    if seconds is not None:  # tokens/s/gpu and tokens/gpu/s both say things per second and device
        return Unit("rate", 1 / seconds, text)
    if top in SECONDS or top in {"time", "t", "cost", "timing"}:
        scale = SECONDS.get(top, 1.0)
        if below[0] in STEPS | BATCH or not STEPS.isdisjoint(in_english(below[0])):
            return Unit("per_step", scale)
        if below[0] in EPOCHS:
            return Unit("per_epoch", scale)
        return Unit("per_thing", scale, below[0])
    return NONE


def is_count(word: str) -> bool:
    """Tell whether a word counts steps, as in `100 batches` or `40.0s/100 iters`."""
    return word.lower() in STEPS or not (word.isascii() or STEPS.isdisjoint(in_english(word)))


def is_counter(word: str) -> bool:
    """Tell whether a word counts steps or epochs."""
    return not (STEPS | EPOCHS).isdisjoint([word.lower()] if word.isascii() else in_english(word))
