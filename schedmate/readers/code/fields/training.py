"""Does the command train: calls and signs say yes, a path that was followed to its end says no."""

import posixpath
import sys

from schedmate.knowledge.code_words import part_of_name, words
from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.knowledge.optimizers import is_library_optimizer
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.adapters import hook_for
from schedmate.readers.code.evidence.probes import is_in_evaluation
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.training_calls import is_told_with_optimizer
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.devices.loops_elsewhere import starts_elsewhere
from schedmate.readers.code.launchers.started_programs import TRAINS
from schedmate.readers.code.libraries.argument_words import split_words, word_text
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Function, Instance
from schedmate.readers.code.values.value import COMMAND, Unknown, Value, is_constant

RATED = frozenset(words("training.rated_chains"))
DEEP = words("training.libraries")

ASIDE, TELLS = part_of_name("training.programs_aside"), part_of_name("training.programs_afterwards")
LEARNS = part_of_name("training.programs", before="(?:pre-?)?", behind="0-9")

STARTERS = frozenset(words("training.starters"))
"""How things are called that start a function which they are given."""
MOST_WORDS = 50
MODES = frozenset(words("training.mode_options"))

OTHER_MODES = frozenset(words("training.other_modes"))
"""What a program is told to do instead of training."""
TRAINING_MODES = frozenset(words("training.modes"))


def by_wish(view: View) -> None:
    """Take the command's wish for evaluation; calls that surely train are believed before a mere switch.

    Where all that works gradients out is an evaluation, it only adapts what was trained before to each new task.
    """
    asked = evaluation_asked(view)
    trains = any(event.sure and not is_in_evaluation(event) for event in view.training)
    if asked is not None and (not trains or asked.data == 0 or isinstance(asked.data, str)):
        view.keep("is_training", False, asked.src, "the command asks for evaluation only")


def by_calls(view: View) -> None:
    """Take the calls that only training makes, those that are sure first."""
    for event in view.training[:1]:
        view.keep("is_training", True, (event.spot,))


def by_signs(view: View) -> None:
    """Take what shows training though no library's call says so."""
    signs = view.run.about(TrainingSigns)
    if signs.surely is not None:
        view.keep("is_training", True, (signs.surely,))


def by_own_trainer(view: View) -> None:
    """Take a trainer of the repository's own that leads further out than was read."""
    signs = view.run.about(TrainingSigns)
    if signs.own_trainer is not None and view.imports.intersection(DEEP) and (signs.own_trainer_surely or lost(view)):
        view.keep("is_training", True, (signs.own_trainer,), "what this trainer does lies further out than was read")


def by_name(view: View) -> None:
    """Say no where the program is named after something else and nothing hints at training."""
    hints = view.run.about(TrainingSigns).perhaps is not None or any(map(starts_training, view.events))
    if not hints and ASIDE.search(posixpath.basename(view.launch.name)):
        view.keep("is_training", False, view.command_spot, "named after something else, and nothing seen trains")


def by_optimizer(view: View) -> None:
    """Take a chain of optax that got its rate, where the loop that steps it was not reached; what may train says less.

    A library's whole optimizer proves nothing: programs that evaluate make one as well, to restore what was saved.
    """
    if view.run.about(TrainingSigns).perhaps is not None:
        return
    made = (event for event in view.events if event.name in RATED)
    event = next((event for event in made if not any(ASIDE.search(name) for name in event.functions)), None)
    if event is not None:
        view.keep("is_training", True, (event.spot,), "an optimizer was given its rate; the loop lies out of reach")


def by_schedule(view: View) -> None:
    """Take a schedule of a learning rate that is stepped in a loop: what takes its steps lies out of reach."""
    for event in view.events:
        if event.sure and event.loops and event.short == "step" and ".lr_scheduler." in event.name:
            view.keep("is_training", True, (event.spot,), "a learning rate follows its schedule in a loop")
            return


def by_settings(view: View) -> None:
    """Take settings that the command names, of an optimizer and its rate, where the loop itself was lost."""
    optimizer, rate = (view.option(name) for name in ("optimizer", "learning_rate"))
    lost_loop = view.is_partial or any(starts_unseen_training(event) for event in view.events)
    if not lost_loop or optimizer is None or rate is None or not (optimizer.src and rate.src):
        return
    if all(value.src[0].path in view.program.command for value in (optimizer, rate)):
        view.keep("is_training", True, (optimizer.src[0], rate.src[0]), "an optimizer's settings; the loop was lost")


UNSEEN = ("?.", "importlib.import_module.")
"""How the names of calls begin that belong to what is not known."""


def starts_unseen_training(event: Event) -> bool:
    """Tell that something of which nothing is known is told to do its training: `recipe.run_training_loop()`."""
    return event.name.startswith(UNSEEN) and starts_training(event)


def starts_training(event: Event) -> bool:
    """Tell a call by whose name anything is told to train: `pipeline.run_train()`, a mode is set otherwise."""
    said = words_of(event.short)
    return len(said) > 1 and said[0] in STARTERS and not TRAINING_MODES.isdisjoint(said)


def may_train_unseen(event: Event) -> bool:
    """Tell what hands the work over to what is not seen."""
    hands = hands_over(event) or passes_own_method(event)
    return hands or starts_training(event) or sets_unseen_rate(event)


def sets_unseen_rate(event: Event) -> bool:
    """Tell that something of which nothing is known is told at which rate to learn: `client.set_learning_rate(lr)`."""
    said = set(words_of(event.short)) if event.name.startswith(UNSEEN) else set()
    return "set" in said and (said >= {"learning", "rate"} or "lr" in said)


def by_mode(view: View) -> None:
    """Take the mode of training that the command names, where what is done then was lost."""
    given, _ = split_words(view.launch.words[1:MOST_WORDS])
    for one in given:
        word = word_text(one.value).lower() if one.value is not None else ""
        deep = bool(view.imports.intersection(DEEP)) or mentions_deep_learning(view)
        if one.name in MODES and word in TRAINING_MODES and deep:
            view.keep("is_training", True, view.command_spot, f"{one.name}: {word}; its loop was lost", Basis.LOST_LOOP)


def by_program_name(view: View) -> None:
    """Take a program that is named after training and has settings of it, where its loop was lost."""
    name = posixpath.basename(view.launch.name)
    if not (view.program.found and LEARNS.search(name) and view.imports.intersection(DEEP)):
        return
    if ASIDE.search(name) or TELLS.search(name):
        return
    named = any(view.option(one) is not None or view.said(one) for one in ("learning_rate", "epochs"))
    if named and is_loop_lost(view) and not view.run.about(ProcessSigns).commands:
        view.keep("is_training", True, view.command_spot, f"the name of {name}; its loop was lost", Basis.LOST_LOOP)


def is_loop_lost(view: View) -> bool:
    """Tell a path on which something that is not known does the work of a loop, or that was not followed to its end."""
    signs = view.run.about(TrainingSigns)
    if view.is_partial or signs.broken_off or signs.perhaps:
        return True
    unseen = (event for event in view.events if event.loops and event.name.startswith("?."))
    return not all(map(is_in_evaluation, unseen)) or any(map(starts_elsewhere, view.events))


SAMPLING = frozenset(words("training.sampling"))


def sampler(view: View) -> Event | None:
    """Give the call by which a program that trains nothing draws samples of a distribution, or simulates."""
    names = ((event, f"{event.name.partition('.')[0]}.{event.short}") for event in view.events if event.sure)
    return next((event for event, name in names if name in SAMPLING or event.name in SAMPLING), None)


def by_sampling(view: View) -> None:
    """Say no where samples of a distribution are drawn, or a world is simulated, and nothing hints at training."""
    event = sampler(view)
    if event is not None and view.run.about(TrainingSigns).perhaps is None and not uses_a_model(view):
        view.keep("is_training", False, (event.spot,), "statistics or a simulation: no network is trained")


def by_whole_path(view: View) -> None:
    """Say no where the path was followed to its end and nothing on it trains."""
    if view.run.about(TrainingSigns).perhaps is not None:
        return
    if view.program.found and not lost(view) and not any(map(differentiates_weights, view.events)):
        spots = (view.program.entry or view.launch.spot, *view.command_spot)
        view.keep("is_training", False, spots, "nothing on the path trains")


def differentiates_weights(event: Event) -> bool:
    """Tell gradients by a network's weights that are not followed up: what moves the weights may be written by hand."""
    if event.name == "jax.grad()" and event.loops:
        return True
    given = [*event.args[1:2], *(value for name, value in event.kwargs.items() if name == "inputs")]
    made = [value.data for value in given if isinstance(value.data, ExternalResult)]
    return event.name == "torch.autograd.grad" and any(one.short == "parameters" for one in made)


def lost(view: View) -> bool:
    """Tell a path that leads into code that could not be found: then nothing is known of what it does."""
    if view.run.about(ProcessSigns).commands or view.is_partial or view.run.about(TrainingSigns).broken_off:
        return True
    if view.launch.beside_unseen:
        return True
    if is_named_for_training(view) and view.imports.intersection(DEEP) and is_loop_lost(view):
        return True
    if any(map(may_train_unseen, view.events)):
        return True
    if any(map(is_told_with_optimizer, view.events)):
        return True
    if view.run.about(ProcessSigns).ray and not uses_a_model(view):
        return True
    if view.imports.intersection(DEEP) and not uses_a_model(view):
        return True
    if not view.imports.intersection(DEEP) and TRAINS.search(view.launch.name) and mentions_deep_learning(view):
        return True
    known = KNOWN_LIBRARIES | WITHOUT_TRAINING | sys.stdlib_module_names
    return any(name not in known for name in view.imports if name) and not view.imports.intersection(DEEP)


def is_named_for_training(view: View) -> bool:
    """Tell a program that is called after training, by a command of which no word speaks of something else."""
    name = posixpath.basename(view.launch.name)
    words = (posixpath.basename(word_text(word)) for word in view.launch.words[1:MOST_WORDS])
    aside = ASIDE.search(name) or TELLS.search(name) or any(ASIDE.search(word) for word in words)
    return bool(LEARNS.search(name)) and not aside


def hands_over(event: Event) -> bool:
    """Tell a call that hands the program's main function to a library of which it is not known how it calls it."""
    functions = [value.data.name for value in event.args if isinstance(value.data, Function)]
    if event.name.startswith("?.") and event.short in STARTERS and functions:
        return True
    return any(name in ("main", "train") for name in functions) and hook_for(event.name) is None


def passes_own_method(event: Event) -> bool:
    """Tell a method that several classes of the repository have between which the run decides: it was not followed."""
    ways = event.owner.data.parts if event.owner is not None and isinstance(event.owner.data, Unknown) else ()
    own = [way.data.cls.find(event.short) for way in ways if isinstance(way.data, Instance)]
    return any(found is not None and isinstance(found.data, Function) for found in own)


EVALUATION_OPTIONS = frozenset(words("training.evaluation_options"))


def evaluation_asked(view: View) -> Value | None:
    """Give the option of the command that asks for evaluation instead of training, or for no step at all."""
    counts_steps = any(value.data != 0 for value in view.said("total_steps"))
    for field_name in ("env_steps", "epochs"):
        for _, value in () if counts_steps else view.options(field_name):
            if is_constant(value) and value.data == 0 and value.data is not False and view.is_told(value):
                return value
    for mapping in view.namespaces:
        for name, value in mapping.items():
            told = bool(value.src) and value.src[0].path == COMMAND
            if view.is_told(value) and name in EVALUATION_OPTIONS and value.data is True and not denied(view, name):
                return value
            if told and name in MODES and isinstance(value.data, str) and value.data.lower() in OTHER_MODES:
                return value
    return None


def denied(view: View, name: str) -> bool:
    """Tell a switch that the command says no to, though Python's `bool` takes any word for a yes: `--test False`."""
    said = view.told.get(name)
    return said is not None and (said.data is False or said.data == 0 or str(said.data).lower() in ("no", "off"))


USES = frozenset(words("training.uses"))
"""Calls by which a program that does not train uses a network."""


def uses_a_model(view: View) -> bool:
    """Tell a program that is seen to use a network from one that only imports the libraries."""
    if view.run.about(TrainingSigns).uses_model:
        return True
    if any(not USES.isdisjoint((event.short, *event.functions)) for event in view.events):
        return True
    return any(event.short.endswith("Optimizer") or is_library_optimizer(event.name) for event in view.events)


REQUIREMENTS, PACKAGES = words("configurations.requirements"), words("training.packages")


def mentions_deep_learning(view: View) -> bool:
    """Tell a repository that asks for a deep-learning framework to be installed."""
    repository = view.run.repository
    for name in REQUIREMENTS:
        text = repository.glimpse(name)
        if any(library in text for library in PACKAGES):
            return True
    return False


RULES = (
    Rule(Subject.IS_TRAINING, "the command's wish", by_wish),
    Rule(Subject.IS_TRAINING, "calls that train", by_calls),
    Rule(Subject.IS_TRAINING, "signs of training", by_signs),
    Rule(Subject.IS_TRAINING, "a trainer of the repository's own", by_own_trainer),
    Rule(Subject.IS_TRAINING, "the program's name", by_name),
    Rule(Subject.IS_TRAINING, "an optimizer with its rate", by_optimizer),
    Rule(Subject.IS_TRAINING, "a schedule of the learning rate", by_schedule),
    Rule(Subject.IS_TRAINING, "settings of an optimizer", by_settings),
    Rule(Subject.IS_TRAINING, "what is sampled or simulated", by_sampling),
    Rule(Subject.IS_TRAINING, "the command's mode", by_mode),
    Rule(Subject.IS_TRAINING, "the whole path", by_whole_path),
    Rule(Subject.IS_TRAINING, "the program's name, where its loop was lost", by_program_name),
)
