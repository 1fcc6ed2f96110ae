"""Join the built-in's answer and a model's: by what the log bears out, and by how sure each can be."""

from schedmate.agents.failure_judge import CLASSES, CauseClaim, Judgement
from schedmate.agents.failure_window import LogWindow
from schedmate.knowledge.own_limits import BY_WORDS, blames_machine, is_own_limit, speaks_of_limit
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.schemas import Diagnosis, Evidence

MODEL_RIGHT = 0.7
"""How often a model of 7B is taken to be right; `python -m evals played-models` shows what follows if it is not."""
ALIKE_BY_CHANCE, BORNE_BY_CHANCE = 0.3, 0.25
"""How often two wrong answers are the same one, and how often a log bears out a wrong one."""
FIRM = 0.8
"""Above this the built-in's class stands whatever a model says: it only becomes less sure."""
SHAKEN, MOST = 0.6, 0.95

ALONE_MOST = 0.75
"""How sure an answer can be that only a model gave: never as sure as what counts as sure."""


def agreed(found: Diagnosis, same_place: bool, component: str) -> Diagnosis:
    """Say that both found the same; only the same place too makes it surer."""
    update: dict[str, object] = {"engine": "both"}
    is_limit = found.subcategory == "node" and speaks_of_limit(found.root_excerpt)
    of_machine = blames_machine(found.category, found.failure_id) and not is_limit
    if component and not found.faulty_components and of_machine:
        update["faulty_components"] = (component,)
    if same_place:
        update["confidence"] = surer(found.confidence)
        update["root_confidence"] = surer(found.root_confidence)
    return found.model_copy(update=update)


def surer(sure: float) -> float:
    """Weigh in that a second reader found the same."""
    right, wrong = sure * MODEL_RIGHT, (1 - sure) * (1 - MODEL_RIGHT) * ALIKE_BY_CHANCE
    return max(sure, round(min(MOST, right / (right + wrong)), 2))


def against(sure: float) -> float:
    """Say how sure a model's borne out claim is against a built-in that is this sure."""
    model, built = (1 - sure) * MODEL_RIGHT, sure * (1 - MODEL_RIGHT) * BORNE_BY_CHANCE
    return round(min(ALONE_MOST, model / (model + built)), 2) if model else 0.0


def moved(found: Diagnosis, claim: CauseClaim, window: LogWindow) -> Diagnosis:
    """Take the better line of the same class."""
    assert claim.line
    before = f"the built-in named line {found.root_line:,}" if found.root_line else "the built-in named no line"
    placed = at_line(found, claim, window)
    sure = min(found.root_confidence, ALONE_MOST)
    return placed.model_copy(update={"engine": "both", "root_confidence": sure, "notes": (*found.notes, before)})


def misplaced(found: Diagnosis, claim: CauseClaim, window: LogWindow) -> Diagnosis:
    """Let a sure place stand against a model that stands by another line of the same class, but be less sure of it."""
    assert claim.line
    told = f"a model says that line {claim.line.line:,} of {window.names[claim.line.source]} states it first"
    sure = min(found.root_confidence, SHAKEN)
    return found.model_copy(update={"engine": "both", "root_confidence": sure, "notes": (*found.notes, told)})


def at_line(found: Diagnosis, claim: CauseClaim, window: LogWindow) -> Diagnosis:
    """Put the first cause at a claim's line; what was known of the line before it is not known of this one."""
    line = claim.line
    evidence, update = found.evidence, dict.fromkeys(("root_time_s", "root_rank", "root_host", "root_pod"), None)
    if line is None:
        return found.model_copy(update=update | {"root_line": None, "root_path": None, "root_excerpt": ""})
    path = window.names[line.source]
    quote = Evidence(path=path, line=line.line, quote=line.text, note="the model's reason")
    rest = tuple(
        item.model_copy(update={"note": "also seen"}) if item.note == "first cause" else item for item in evidence
    )
    placed = {"root_path": path, "root_line": line.line, "root_excerpt": line.text, "evidence": (quote, *rest)}
    return found.model_copy(update=update | placed)


def corrected(
    found: Diagnosis, claim: CauseClaim, judgement: Judgement, window: LogWindow, component: str
) -> Diagnosis:
    """Let a model's claim take the place of the built-in's, which stays in the notes."""
    category, subcategory, restart = CLASSES[claim.error_type]
    limit = own_limit_in(claim)
    of_machine = blames_machine(category, limit)
    sure = against(found.confidence)
    before = f"{found.category}: {found.failure_id or 'no known failure'}"
    where = f" at line {found.root_line:,}" if found.root_line else ""
    update = {
        "category": category,
        "subcategory": subcategory,
        "failure_id": limit,
        "faulty_components": (component,) if component and of_machine else (),
        "should_restart": "no" if limit else restart,
        "confidence": sure,
        "root_confidence": sure,
        "engine": "model",
        "explanation": judgement.cause,
        "advice": "",
        "notes": (*found.notes, f"the built-in said {before}{where}"),
    }
    return at_line(found, claim, window).model_copy(update=update)


def own_limit_in(claim: CauseClaim) -> str | None:
    """Name the limit of the job's own that a claim's line states: by its entry, else, where none is sure, its words."""
    if claim.line is None:
        return None
    known = ready_entries().match(claim.line.text)
    if known and is_own_limit(known[0].id):
        return known[0].id
    is_open = known is None or known[0].general
    return (
        BY_WORDS if claim.error_type == "infrastructure/node" and is_open and speaks_of_limit(claim.line.text) else None
    )


def disputed(found: Diagnosis, claim: CauseClaim, why: str, shaken: bool) -> Diagnosis:
    """Let the built-in's answer stand, and say what the model said; where the log bears it out, be less sure."""
    where = f" at line {claim.line.line:,}" if claim.line else ""
    notes = (*found.notes, f"a model says {claim.error_type}{where}, but {why}")
    sure = min(found.confidence, SHAKEN) if shaken else found.confidence
    return found.model_copy(update={"notes": notes, "confidence": sure})
