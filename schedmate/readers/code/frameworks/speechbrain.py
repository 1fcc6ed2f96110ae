"""SpeechBrain: its Brain runs the training loop itself."""

from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value


def brain_fit(call: Call) -> Value | None:
    """Note that SpeechBrain's `fit` trains, and follow nothing more."""
    call.run.about(TrainingSigns).surely = call.spot
    call.run.about(ProcessSigns).joins = call.spot
    return Value(None)


ENDINGS: dict[str, Hook] = {"Brain.fit": brain_fit}
