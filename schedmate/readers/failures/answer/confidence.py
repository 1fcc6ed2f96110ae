"""How sure a diagnosis is, by how it is built: what was outranked or outlived, and how often such were right."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from math import exp

from schedmate.knowledge.catalogue import Failure
from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.case import LEAST_SCORE, Suspect
from schedmate.readers.failures.causes.contest import is_seen_from_afar
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.causes.proofs_of_health import proves_health
from schedmate.readers.failures.lines.exceptions import TELLING, innermost
from schedmate.readers.failures.places.part_words import PATTERNS, TROUBLE
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import LOUD, is_end, is_trackers, tone_of
from schedmate.readers.failures.sightings.scan import SURE_WEIGHT
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN_ID
from schedmate.schemas import Diagnosis

CLEAR, GUESS = 0.97, 0.3
CONFIDENCE_IN = {"root": 1.0, "cascade": 0.6, "teardown": 0.3, "health": 0.0}

MOST_DOUBT, SURVIVED_SHARE = 0.35, 0.5
"""How much a line of another class that speaks as loud takes away, and what is left when the job got on after it."""
LEAST, MOST = 0.02, 0.97

DOUBTFUL_BELOW = 0.9
"""An answer that is built like this one is wrong more often than one in ten."""
OPEN_MOST = 0.79
"""How sure an answer can be that rests on words, a symptom, a process's silence, or a library's unknown exception."""

SIGNS = {
    "unknown": "no known failure: the line is classed by its words or by what it resembles",
    "effect": "the line is an effect, and no line names its cause",
    "outlived": "the job got on after the line",
    "outranked": "a line about the machine or an end from outside was outranked",
    "strange_part": "an unknown line before it speaks of trouble with the machine",
    "rival": "another class speaks nearly as loud",
    "symptom": "the line names a symptom of several causes, and no other line says which",
    "no_stack": "an exception without its stack",
    "mere_warning": "the line is a warning, and nothing says that the job ended of it",
    "silence": "others talked on after the line, and nobody says that its own process failed",
    "after_success": "the job had said before that it was done",
    "led_far": "it was led back over a long way to a line that shares no name with the end",
    "unproven": "nothing says that the job ended well",
}
"""The signs of doubt that a user is told of."""
LED_BACK, FAR_LINES = frozenset({"led to", "first in a chain"}), 200
"""The rules that lead an end back to a quiet first statement, and over how many lines that is less sure."""
LED_SHARE = 0.9
"""How much of the sureness is left then."""
LEFT_OPEN = ("symptom", "silence", "mere_warning", "after_success")
"""Those with which no answer is sure."""


def confidence_of(verdict: CauseVerdict) -> float:
    """Say how sure the class is: what the line is worth by itself, less what speaks for another class."""
    root = verdict.root
    if not root or not root.failure:
        return GUESS
    own = verdict.chosen or next((one for one in verdict.suspects if one.sighting is root), None)
    if own is None:
        return GUESS
    base = root.failure.weight * CONFIDENCE_IN[root.failure.role] * (SURVIVED_SHARE if own.survived else 1.0)
    others = (one for one in verdict.suspects if one.sighting.kind[0] != root.kind[0])
    rival = max((one.score for one in others if not is_explained(one, own)), default=0.0)
    doubt = MOST_DOUBT * min(1.0, rival / own.score) if own.score else MOST_DOUBT
    return round(min(CLEAR, base * (1 - doubt)), 2)


def is_explained(one: Suspect, own: Suspect | None) -> bool:
    """Tell what an end or another's death produces where the answer is a cause: it speaks for no other class."""
    return one.effect and own is not None and not own.effect


def signs_of(found: Diagnosis, verdict: CauseVerdict, readings: Sequence[FailureReading]) -> dict[str, float]:
    """Describe how a diagnosis is built, in numbers from 0 to 1."""
    root, own = verdict.root, verdict.chosen
    alive = [one for one in verdict.suspects if one.heard]
    signs = dict.fromkeys((*SIGNS, "no_entry", "earlier"), 0.0) | {
        "raw": found.confidence,
        "restarted": float(found.attempts > 1),
    }
    if root is None or root.failure is None:
        quiet = not any(one.score >= LEAST_SCORE for one in verdict.suspects)
        return signs | {"none": 1.0, "unproven": float(verdict.healthy is None), "quiet": float(quiet)}
    failure, score = root.failure, own.score if own else 0.0
    others = [one for one in verdict.suspects if one.sighting.kind != root.kind and not agrees(one, failure)]
    rival = max((one.score for one in others if not one.survived and not is_explained(one, own)), default=0.0)
    apart = set(map(id, others))
    before = (one for one in alive if id(one) in apart and one.sighting.start < root.start and not one.effect)
    strange = [one for one in alive if is_strange(one) and (one.dumped or one.sighting.start < root.start)]
    return signs | {
        "strange_part": float(any(names_part(one.sighting.line.text) for one in strange)),
        "no_entry": float(is_classed_by_likeness(failure) or is_foreign(root)),
        "telling": float(is_telling(root)),
        "symptom": float(speaks_of_symptom(root) and not any(confirms(one, root) for one in alive)),
        "mere_warning": float(all(is_soft(one.sighting) for one in alive) and is_soft(root)),
        "unknown": float(failure.id == UNKNOWN_ID),
        "entry": failure.weight * CONFIDENCE_IN[failure.role],
        "effect": float(failure.role != "root"),
        "outlived": float(bool(own and own.survived)),
        "outranked": float(any(counts_outside(one) for one in others)),
        "rival": min(1.0, rival / score) if score else 1.0,
        "earlier": float(any(True for _ in before)),
        "no_stack": float(root.raised is None and failure.general),
        "silence": float(bool(own and own.silent)),
        "led_far": float(was_led_far(verdict)),
        "after_success": float(is_behind_success(root, readings[root.source])),
        "stack": float(bool(root.raised and root.raised.fatal and root.raised.qualified)),
        "machine": float(blames_machine(failure.category, failure.id)),
        "alone": float(len(alive) <= 1),
        "moved_on": float(any(mark.start > root.start for mark in readings[root.source].marks)),
    }


def was_led_far(verdict: CauseVerdict) -> bool:
    """Tell an end that was led back over many lines to a first statement that names nothing."""
    steps = zip(verdict.moves, verdict.moves[1:], strict=False)
    led = ((one.to, later.to) for one, later in steps if later.rule in LED_BACK)
    return any(end.number - first.number > FAR_LINES and not first.named for end, first in led)


def is_behind_success(root: Sighting, own: FailureReading) -> bool:
    """Tell what was met when the run had said that it was done, with no step since: by its script, or as it ended."""
    proofs = (item.start for item in own.suspects() if proves_health(item))
    done = max((start for start in proofs if start < root.start), default=None)
    return done is not None and not any(done < mark.start < root.start for mark in own.marks)


def is_classed_by_likeness(failure: Failure) -> bool:
    """Tell what is classed by its words, by its mere name or by what it resembles."""
    return failure.id == UNKNOWN_ID or failure.wording or failure.general


def is_foreign(root: Sighting) -> bool:
    """Tell an exception without an entry that a library raised: it may be that library's or its caller's."""
    failure, raised = root.failure, root.raised
    if failure is None or failure.pattern or raised is None or not raised.frames:
        return False
    return innermost(raised) is not raised.frames[-1]


def is_telling(root: Sighting) -> bool:
    """Tell an exception that ended its program, and whose kind alone says that the program is to blame."""
    raised, failure = root.raised, root.failure
    if raised is None or failure is None or failure.category != "script":
        return False
    return raised.fatal and bool(raised.frames) and raised.name in TELLING


def is_symptom(failure: Failure) -> bool:
    """Tell an entry that its authors did not hold for sure: what it knows has several causes, some of the machine.

    Whoever ended a job says so himself.
    """
    return failure.weight < SURE_WEIGHT and failure.category != "other" and not is_classed_by_likeness(failure)


def speaks_of_symptom(root: Sighting) -> bool:
    """Tell a symptom, or a tracker's word of its own server, which ends no program by itself."""
    tracker = root.raised is None and is_trackers(root.line.text)
    return tracker or (root.failure is not None and is_symptom(root.failure))


def is_soft(item: Sighting) -> bool:
    """Tell a warning, or a try that was made again, from a statement."""
    return item.raised is None and tone_of(item) < LOUD


def confirms(one: Suspect, root: Sighting) -> bool:
    """Tell another line of the same class that an entry knows as a cause."""
    failure, own = one.sighting.failure, root.failure
    if failure is None or own is None or one.effect or is_classed_by_likeness(failure) or is_symptom(failure):
        return False
    return failure.id != own.id and one.sighting.kind == root.kind


def agrees(one: Suspect, failure: Failure) -> bool:
    """Tell that others saw a machine go of which the root says what became of it."""
    return is_seen_from_afar(one) and blames_machine(failure.category, failure.id)


def counts_outside(one: Suspect) -> bool:
    """Tell a line about the machine, or an end from outside, that was not outlived."""
    failure = one.sighting.failure
    if failure is None or not one.heard:
        return False
    return is_end(one.sighting) or (blames_machine(failure.category, failure.id) and not one.effect)


def is_strange(one: Suspect) -> bool:
    """Tell a line that reads like an error and that no entry knows."""
    failure = one.sighting.failure
    return failure is not None and (failure.id == UNKNOWN_ID or failure.wording) and not one.sighting.raised


def names_part(text: str) -> bool:
    """Tell whether a line speaks of trouble with a part of the machine."""
    return bool(TROUBLE.search(text)) and any(pattern.search(text) for pattern in PATTERNS.values())


@lru_cache(maxsize=1)
def weights() -> dict[str, dict[str, float]]:
    """Read what `python -m evals calibration` fitted: for the class and for the place, a weight for each sign."""
    told: dict[str, dict[str, float]] = json.loads(
        files("schedmate.knowledge").joinpath("failure_confidence.json").read_text("utf-8")
    )
    return told


def sureness(signs: dict[str, float], fitted: dict[str, float]) -> float:
    """Say how often a diagnosis of this build is right, by fitted weights."""
    total = fitted["bias"] + sum(fitted.get(name, 0.0) * value for name, value in signs.items())
    return round(min(MOST, max(LEAST, 1 / (1 + exp(-total)))), 2)


def class_sureness(signs: dict[str, float], fitted: dict[str, float]) -> float:
    """Say how often the class is right: never surely where no entry knows the line and its kind tells little."""
    nobody_knows = signs.get("no_entry") and not signs.get("telling")
    is_left_open = nobody_knows or any(signs.get(name) for name in LEFT_OPEN)
    return min(sureness(signs, fitted), OPEN_MOST if is_left_open else MOST)


def place_sureness(signs: dict[str, float], fitted: dict[str, float]) -> float:
    """Say how often the place is right: never surely for a symptom, whose cause another line may state."""
    is_left_open = any(signs.get(name) for name in LEFT_OPEN)
    return min(sureness(signs, fitted), OPEN_MOST if is_left_open else MOST)


def reasons(signs: dict[str, float]) -> tuple[str, ...]:
    """Put the signs of doubt into words."""
    return tuple(text for name, text in SIGNS.items() if signs.get(name, 0.0) >= (0.6 if name == "rival" else 1.0))


def calibrated(found: Diagnosis, ended: Diagnosis, signs: dict[str, float]) -> Diagnosis:
    """Say how sure the class and the place are, as answers that are built like this one turned out.

    `ended` is the answer in the light of how the job ended: where that decided, it says itself how sure it is.
    """
    if (ended.category, ended.failure_id) != (found.category, found.failure_id):
        return ended
    fitted = weights()
    sure, place = class_sureness(signs, fitted["class"]), place_sureness(signs, fitted["place"])
    if signs.get("led_far"):
        sure, place = round(LED_SHARE * sure, 2), round(LED_SHARE * place, 2)
    if ended.confidence > found.confidence:
        sure = round((1 + sure) / 2, 2)
    elif ended.confidence < found.confidence:
        sure = round(sure / 2, 2)
    return ended.model_copy(update={"confidence": sure, "root_confidence": place})


def is_doubtful(found: Diagnosis, signs: dict[str, float]) -> bool:
    """Tell whether a second reader may earn its call."""
    return min(found.confidence, found.root_confidence) < DOUBTFUL_BELOW or bool(reasons(signs))
