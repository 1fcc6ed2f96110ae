"""What a job learns to do; the tables are data."""

from functools import cache, lru_cache

from schedmate.knowledge.tables import table

Row = list[str]

MOST_TEXT = 2000
"""As many signs of a text are looked at."""


def rows(name: str) -> list[Row]:
    """Give a table's rows: what is looked for, task, finer task."""
    found: list[Row] = table("tasks")[name]
    return found


@lru_cache(maxsize=1)
def telling_calls() -> dict[str, Row]:
    """Give, by the last part of a call's name, task, finer task and the task in which it says so."""
    return {row[0]: row[1:] for row in rows("calls")}


@lru_cache(maxsize=1)
def tuning_trainers() -> dict[str, str]:
    """Give what the trainers of fine-tuning libraries do."""
    return {row[0]: row[1] for row in rows("tuning")}


def classifies(called: set[str], task: str) -> str | None:
    """Say what losses of classification mean in a task."""
    if not called.intersection(table("tasks")["classifying"]):
        return None
    meaning: dict[str, str] = table("tasks")["classifying_means"]
    return meaning.get(task)


def compiled_loss(word: str) -> str:
    """Give the loss that Keras compiles a model with by a word."""
    losses: dict[str, str] = table("tasks")["compiled"]
    return losses.get(word, word)


def predicts_numbers(called: set[str]) -> bool:
    """Tell losses of regression without any of classification beside them."""
    return bool(called.intersection(table("tasks")["regressing"])) and not called.intersection(
        table("tasks")["classifying"]
    )


def regresses(called: set[str], usual: str) -> str:
    """Say what a family mostly learns, or what of it is left where the only loss is one of regression."""
    losses = called.intersection(table("tasks")["regressing"])
    meaning: dict[str, str] = table("tasks")["regressing_means"]
    is_classifier = not losses or called.intersection([*table("tasks")["classifying"], *telling_calls()])
    return usual if is_classifier else meaning.get(usual, usual)


def is_vague(fine: str) -> bool:
    """Tell a finer task that says little more than what the data are."""
    return fine in table("tasks")["vague"]


def is_kind_of(fine: str, wider: str) -> bool:
    """Tell a finer task that is one kind of a wider one, as spotting keywords is of recognizing speech."""
    kinds: dict[str, list[str]] = table("tasks")["kinds"]
    return any(fine.startswith(kind) for kind in kinds.get(wider, ()))


def is_more_precise(fine: str, vague: str) -> bool:
    """Tell a finding that says more than a vague one, of the same data."""
    unfit: dict[str, list[str]] = table("tasks")["unfit"]
    return not is_vague(fine) and fine not in unfit.get(vague, ())


def method_in(text: str) -> str | None:
    """Give what is done with data as a word says it that serves data of all kinds; none beside `free` or `guided`."""
    words = words_of(text[:MOST_TEXT])
    if any(word in table("tasks")["no_method"] for word in words):
        return None
    methods: dict[str, str] = table("tasks")["methods"]
    return next((methods[word] for word in words if word in methods), None)


FEWEST, MOST = 2, 5
"""Of so many words is a task that somebody says in words of his own."""


def said_outright(text: str) -> str | None:
    """Give the task that a name says in words of its own, the last for what is done: `crop_yield_prediction`."""
    words = words_of(text[:MOST_TEXT])
    says = FEWEST <= len(words) <= MOST and words[-1] in table("tasks")["outright"]
    return " ".join(words) if says and all(word.isalpha() and len(word) > 1 for word in words) else None


def method_means(method: str, task: str) -> str | None:
    """Say what is done with data of a task."""
    meaning: dict[str, str] = table("tasks")["method_means"]
    return meaning.get(f"{method}/{task}")


def meaning_of(kind: str, task: str) -> str | None:
    """Say what a model's paradigm means for the finer task."""
    meaning: dict[str, str] = table("tasks")["paradigm_means"]
    return meaning.get(f"{kind.partition(' ')[0]}/{task}")


@lru_cache(maxsize=1)
def phrases() -> list[tuple[tuple[str, ...], str, str]]:
    """Give the words of each phrase, task and finer task."""
    return [(tuple(row[0].split()), row[1], row[2]) for row in rows("phrases")]


@lru_cache(maxsize=2048)
def task_in_words(text: str) -> tuple[str, str] | None:
    """Give task and finer task of the most telling phrase that a script's name, an option or a title holds."""
    found = phrase_in(tuple(words_of(text[:MOST_TEXT])))
    return found if found is not None or text.isascii() else task_in_other_languages(text[:MOST_TEXT])


def names_two_tasks(text: str) -> bool:
    """Tell words of a network that serves several ends: `On Point Sets for Classification and Segmentation`."""
    return {"classification", "segmentation"}.issubset(words_of(text[:MOST_TEXT]))


def task_in_other_languages(text: str) -> tuple[str, str] | None:
    """Give task and finer task of the longest phrase of other languages that a title holds."""
    return next(((task, fine) for phrase, task, fine in translated() if phrase in text), None)


@cache
def translated() -> list[tuple[str, str, str]]:
    """Give the phrases of other languages with what they mean, longest first."""
    rows = [
        (phrase, task, fine)
        for task, finer in table("tasks_translated").items()
        for fine, phrases in finer.items()
        for phrase in phrases
    ]
    return sorted(rows, key=lambda row: -len(row[0]))


def phrase_in(words: tuple[str, ...]) -> tuple[str, str] | None:
    """Find the first phrase of the table among words."""
    present = {form for word in words for form in (word, word.removesuffix("s"))}
    for phrase, task, fine in phrases():
        if not phrase[0].endswith("*") and phrase[0] not in present:
            continue
        for start in range(len(words) - len(phrase) + 1):
            if all(fits(want, word) for want, word in zip(phrase, words[start:], strict=False)):
                return task, fine
    return None


def is_phrase(words: list[str]) -> bool:
    """Tell words that are one whole phrase of the table."""
    return any(
        len(phrase) == len(words) and all(fits(want, word) for want, word in zip(phrase, words, strict=True))
        for phrase, _, _ in phrases()
    )


def fits(want: str, word: str) -> bool:
    """Compare a phrase's word, whose end may be open, and a plural."""
    if want.endswith("*"):
        return word.startswith(want[:-1])
    return word in (want, f"{want}s")


def words_of(text: str) -> list[str]:
    """Cut text into lower-case words at all that is no letter or digit, and where small letters and capitals meet."""
    cut = []
    last = ""
    for place, character in enumerate(text):
        opens = last.islower() or (last.isupper() and text[place + 1 : place + 2].islower())
        if not character.isalnum():
            cut.append(" ")
        elif character.isupper() and opens:
            cut.append(" " + character.lower())
        else:
            cut.append(character.lower())
        last = character
    return "".join(cut).split()
