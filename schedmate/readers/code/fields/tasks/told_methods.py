"""What is done with the data, where one word says it and the data say the rest: `--task classification` of sounds."""

import posixpath

from schedmate.knowledge.tasks import method_in, method_means
from schedmate.readers.code.evidence.precedence import Proposer, proposer_of
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.command_names import name_in
from schedmate.readers.code.values.value import SourceLocation, Value

TASK_OPTIONS = frozenset({"task", "task_name", "task_type", "problem_type", "finetuning_task", "problem"})

SHOTS = frozenset({"shots", "shot", "n_shot", "n_shots", "num_shots", "k_shot", "nshot", "kshot", "n_support"})
"""Options that say how many samples a class has: so few that they are counted."""

OPTION = proposer_of(Subject.TASK, "options that name the task")

SCRIPT = proposer_of(Subject.TASK, "names of script and configuration")
"""Beside whom such a word of a script stands."""


def told_tasks(view: View) -> list[Value]:
    """Give the values of the options that name the task."""
    given = [value for name, values in view.run.reads.items() if name in TASK_OPTIONS for value in values]
    return given + [mapping[name] for mapping in view.namespaces for name in TASK_OPTIONS if name in mapping]


def by_method_words(view: View) -> None:
    """Say what the option that names the task, or else the script, does with data of this kind."""
    task, found = view.get("task"), view.values.get("task_fine")
    if task is None:
        return
    for word, spots, clue in method_words(view):
        fine = str(found.value) if found is not None else ""
        meaning = method_means(word, fine) or method_means(word, task)
        if meaning is None:
            continue
        if says_the_same(fine, word):
            return
        if found is None or clue.rank < found.by.rank or method_means(word, fine):
            view.correct("task_fine", meaning, spots, "" if clue == OPTION else "the script's name")
        return


def method_words(view: View) -> list[tuple[str, tuple[SourceLocation, ...], Proposer]]:
    """Give the words that say what is done with data: of the options, then of the script and the folder it is in."""
    named = [(name_in(value) or value) for value in told_tasks(view)]
    found = [(method_in(value.data), value.src, OPTION) for value in named if isinstance(value.data, str)]
    folder, script = posixpath.split(view.launch.name if view.program.found else "")
    for text in (script.rpartition(".")[0], posixpath.basename(folder)):
        found.append((method_in(text), view.command_spot, SCRIPT))
    return [(word, spots, clue) for word, spots, clue in found if word is not None]


TRANSCRIBING = ("speech recognition", "text recognition")


def says_the_same(fine: str, word: str) -> bool:
    """Tell a finer task that is of this method: face recognition sorts pictures, too."""
    sorts = "recognition" in fine and fine not in TRANSCRIBING
    return word[:8] in fine or (word == "classification" and sorts)


def by_shots(view: View) -> None:
    """Say that a model of pictures and words which gets a few samples of each class sorts pictures."""
    kind, found = str(view.get("model_type") or ""), view.values.get("task_fine")
    if not kind.startswith("multimodal") or found is None or not str(found.value).startswith("image-text"):
        return
    options = [*view.told.items(), *(pair for mapping in view.namespaces for pair in mapping.items())]
    shots = next((value for name, value in options if name in SHOTS and value.data and value.src), None)
    if shots is not None:
        view.correct("task_fine", "few-shot image classification", shots.src)
